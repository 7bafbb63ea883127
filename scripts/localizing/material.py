"""Reports with known truth as rows of features: made once, kept, learned from."""

from __future__ import annotations

import csv
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import find
from bugloss.evaluate.predictions import Prediction
from bugloss.evaluate.subjects import RankedReport, import_denchmark
from bugloss.localize.contract import Technique
from bugloss.localize.ranker.evidence import first_look
from bugloss.localize.ranker.features import second_look
from bugloss.workflows.evaluation import git_folder
from bugloss.workflows.localization_trial import LocalizationCase, open_cases, predict, store_below

PUBLISHED = ("bm25", "buglocator", "bluir", "blia")


@dataclass(frozen=True)
class Row:
    """One report: the candidates of the first look, and a line of features each."""

    subject: RankedReport
    names: tuple[str, ...]
    paths: tuple[str, ...]
    features: tuple[tuple[float, ...], ...]
    files: int


@dataclass(frozen=True)
class Material:
    """Rows to learn from and to be asked about, what the published methods say about them, and further rows."""

    rows: tuple[Row, ...]
    published: tuple[Prediction, ...]
    further: tuple[Row, ...]  # only to learn from

    @classmethod
    def read(cls, data: Path, repositories: Path, cache: Path) -> Material:
        """Project by project; what was made before is read back from ``cache``."""
        rows: list[Row] = []
        published: list[Prediction] = []
        for project, members in _by_project(subjects(data, repositories)):
            kept = _Kept(cache, project)
            rows += kept.read_rows(members)
            published += kept.read_published(members)
        further = [
            row
            for project, members in _by_project(further_subjects(data, repositories))
            for row in _Kept(cache, project).read_rows(members)
        ]
        return cls(tuple(rows), tuple(published), tuple(further))


def _by_project(found: Sequence[RankedReport]) -> Iterator[tuple[str, list[RankedReport]]]:
    for project in sorted({subject.project for subject in found}):
        yield project, [subject for subject in found if subject.project == project]


@dataclass(frozen=True)
class _Kept:
    """The two files of a project: rows change with the features, the published methods do not."""

    cache: Path
    project: str

    def read_rows(self, members: Sequence[RankedReport]) -> list[Row]:
        rows: list[Row] = self._read("rows", members, lambda case: [_row(case)])
        return rows

    def read_published(self, members: Sequence[RankedReport]) -> list[Prediction]:
        techniques = [find(PluginGroup.TECHNIQUE, Technique, name) for name in PUBLISHED]
        found: list[Prediction] = self._read(
            "published", members, lambda case: [predict(case, technique) for technique in techniques]
        )
        return found

    def _read(
        self, kind: str, members: Sequence[RankedReport], make: Callable[[LocalizationCase], list[Any]]
    ) -> list[Any]:
        """What was kept; made first if it is missing."""
        path = self.cache / kind / f"{self.project}.pickle"
        if not path.is_file():
            start = time.monotonic()
            cases = open_cases(members, store_below(self.cache / "facts"), report=print)
            made = [one for case in cases for one in make(case)]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(pickle.dumps(made))
            print(f"{self.project}: {len(members)} reports, {kind}, {time.monotonic() - start:.0f} s", flush=True)
        kept: list[Any] = pickle.loads(path.read_bytes())
        return kept


def subjects(data: Path, repositories: Path) -> tuple[RankedReport, ...]:
    """The reports of the projects whose history lies below ``repositories`` as ``owner+name``."""
    with (data / "histories_dev.csv").open(encoding="utf-8") as file:
        folders = {row["project"]: git_folder(repositories, row["repository"]) for row in csv.DictReader(file)}
    return import_denchmark(data / "bugs_dev.jsonl.gz", {name: folder for name, folder in folders.items() if folder})


def further_subjects(data: Path, repositories: Path) -> tuple[RankedReport, ...]:
    """The reports of all other projects whose repository is there, whether or not its history holds every fix."""
    asked = {subject.project for subject in subjects(data, repositories)}
    folders = {path.name.lower(): git_folder(repositories, path.name) for path in repositories.iterdir()}
    others = {name: folder for name, folder in folders.items() if folder and name not in asked}
    return import_denchmark(data / "bugs_dev.jsonl.gz", others)


def _row(case: LocalizationCase) -> Row:
    question = case.question
    features = second_look(first_look(case.corpus, question.query, question.earlier), question.leanings)
    paths = tuple(case.corpus.index.paths[at] for at in features.files)
    return Row(case.subject, features.names, paths, features.rows, case.corpus.index.size)
