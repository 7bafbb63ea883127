"""Reports with known truth as rows of features: made once, kept, learned from."""

from __future__ import annotations

import csv
import pickle
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bugloss.evaluate.predictions import Prediction
from bugloss.evaluate.subjects import Subject, import_denchmark
from bugloss.localize.evidence import first_look
from bugloss.localize.features import second_look
from bugloss.localize.techniques.table import technique
from bugloss.workflows.localization_trial import Case, open_cases, predict, store_below

PUBLISHED = ("bm25", "buglocator", "bluir", "blia")


@dataclass(frozen=True)
class Row:
    """One report: the candidates of the first look, and a line of features each."""

    subject: Subject
    names: tuple[str, ...]
    paths: tuple[str, ...]
    features: tuple[tuple[float, ...], ...]
    files: int


@dataclass(frozen=True)
class Material:
    """Rows to learn from, and what the published methods say about the same reports."""

    rows: tuple[Row, ...]
    published: tuple[Prediction, ...]

    @classmethod
    def read(cls, found: Sequence[Subject], cache: Path) -> Material:
        """Project by project; what was made before is read back from ``cache``."""
        rows: list[Row] = []
        published: list[Prediction] = []
        for project in sorted({subject.project for subject in found}):
            kept = _Kept(cache, project)
            kept.fill([subject for subject in found if subject.project == project])
            rows += pickle.loads(kept.rows.read_bytes())
            published += pickle.loads(kept.published.read_bytes())
        return cls(tuple(rows), tuple(published))


@dataclass(frozen=True)
class _Kept:
    """The two files of a project: rows change with the features, the published methods do not."""

    cache: Path
    project: str

    @property
    def rows(self) -> Path:
        return self.cache / "rows" / f"{self.project}.pickle"

    @property
    def published(self) -> Path:
        return self.cache / "published" / f"{self.project}.pickle"

    def fill(self, members: Sequence[Subject]) -> None:
        """Makes what is missing."""
        if self.rows.is_file() and self.published.is_file():
            return
        start, rows, published = time.monotonic(), [], []
        new_rows, new_published = not self.rows.is_file(), not self.published.is_file()
        for case in open_cases(members, store_below(self.cache / "facts"), report=print):
            rows += [_row(case)] if new_rows else []
            published += [predict(case, technique(name)) for name in PUBLISHED] if new_published else []
        for path, made, new in ((self.rows, rows, new_rows), (self.published, published, new_published)):
            path.parent.mkdir(parents=True, exist_ok=True)
            if new:
                path.write_bytes(pickle.dumps(made))
        print(f"{self.project}: {len(members)} reports, {time.monotonic() - start:.0f} s", flush=True)


def subjects(data: Path, repositories: Path) -> tuple[Subject, ...]:
    """The reports of the projects whose history lies below ``repositories`` as ``owner+name``."""
    with (data / "histories_dev.csv").open(encoding="utf-8") as file:
        folders = {
            row["project"]: _git_folder(repositories / row["repository"].replace("/", "+"))
            for row in csv.DictReader(file)
        }
    return import_denchmark(data / "bugs_dev.jsonl.gz", {name: folder for name, folder in folders.items() if folder})


def _git_folder(folder: Path) -> Path | None:
    """The folder itself, or the one below it that git knows."""
    return next(
        (path for path in (folder, folder / "repo", folder / "repo" / ".git") if (path / "HEAD").is_file()), None
    )


def _row(case: Case) -> Row:
    features = second_look(first_look(case.corpus, case.question.query, case.question.earlier))
    paths = tuple(case.corpus.index.paths[at] for at in features.files)
    return Row(case.subject, features.names, paths, features.rows, case.corpus.index.size)
