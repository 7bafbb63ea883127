"""The candidates of each report and the words of each candidate: what the neural techniques learn from."""

from __future__ import annotations

import pickle
import time
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bugloss.evaluate.subjects import RankedReport
from bugloss.localize.answer.ranking import ranked_files
from bugloss.localize.index.fact_store import FactStore
from bugloss.localize.index.postings import field_counts
from bugloss.localize.techniques.dnnloc import CANDIDATES, features
from bugloss.workflows.localization_trial import LocalizationCase, open_cases, store_below

_LONGEST = 14  # letters of a word; what is longer is mostly one project's own name


@dataclass(frozen=True)
class Candidates:
    """One report: its words, and of the best files by rVSM, in that order, path, blob and DNNLOC's plain features."""

    subject: RankedReport
    words: Mapping[str, int]
    paths: tuple[str, ...]
    blobs: tuple[str, ...]
    features: tuple[tuple[float, ...], ...]

    @property
    def truth(self) -> list[bool]:
        return [path in self.subject.truth for path in self.paths]


@dataclass(frozen=True)
class ProjectWords:
    """Of each blob triples in a row: the number of a word, its count in the code, its count in comments."""

    words: tuple[str, ...]
    blobs: Mapping[str, array[int]]


@dataclass(frozen=True)
class Project:
    """Everything of one project."""

    name: str
    reports: tuple[Candidates, ...]
    words: ProjectWords


def read_projects(found: Sequence[RankedReport], cache: Path) -> tuple[Project, ...]:
    """Project by project; what was made before is read back from ``cache``."""
    return tuple(
        _project([subject for subject in found if subject.project == name], name, cache)
        for name in sorted({subject.project for subject in found})
    )


def _project(members: Sequence[RankedReport], name: str, cache: Path) -> Project:
    path = cache / "candidates" / f"{name}.pickle"
    if path.is_file():
        kept: Project = pickle.loads(path.read_bytes())
        return kept
    start, store = time.monotonic(), store_below(cache / "facts")
    reports = tuple(_candidates(case) for case in open_cases(members, store, report=print))
    project = Project(name, reports, _words(store(name), {blob for one in reports for blob in one.blobs}))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(project))
    print(f"{name}: {len(reports)} reports, {time.monotonic() - start:.0f} s", flush=True)
    return project


def _candidates(case: LocalizationCase) -> Candidates:
    columns = features(case.corpus, case.question)
    index, chosen = case.corpus.index, ranked_files(case.corpus, columns[0])[:CANDIDATES]
    return Candidates(
        case.subject,
        dict(case.question.query.words),
        tuple(index.paths[at] for at in chosen),
        tuple(index.blobs[at] for at in chosen),
        tuple(tuple(column[at] for column in columns) for at in chosen),
    )


def _words(store: FactStore, blobs: Iterable[str]) -> ProjectWords:
    numbers: dict[str, int] = {}
    found: dict[str, array[int]] = {}
    for blob, outline in store.outlines(sorted(blobs)):
        kept = found[blob] = array("I")
        for term, (_, *code, comments) in zip(outline.terms, field_counts(outline.terms.values()), strict=True):
            if term.isalpha() and len(term) <= _LONGEST:
                kept.extend((numbers.setdefault(term, len(numbers)), sum(code), comments))
    return ProjectWords(tuple(numbers), found)


def groups_of(projects: Sequence[Project], count: int) -> list[frozenset[str]]:
    """Projects in groups of about the same number of reports."""
    groups: list[list[Project]] = [[] for _ in range(count)]
    for project in sorted(projects, key=lambda one: (-len(one.reports), one.name)):
        min(groups, key=lambda group: sum(len(one.reports) for one in group)).append(project)
    return [frozenset(one.name for one in group) for group in groups if group]
