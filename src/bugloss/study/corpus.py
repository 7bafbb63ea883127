"""The corpus in numbers: how many bugs there are of each kind that a benchmark should have, and how large they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from bugloss.study.result import Cell, StudiedTable, StudyResult

SOURCE = "The active bugs of the corpus"


@dataclass(frozen=True, slots=True)
class CountedBug:
    """What is counted of a bug: its values by facet, and the size of its buggy program."""

    bug: str
    values: Mapping[str, tuple[str, ...]]
    files: int
    lines: int
    changed_lines: int
    counterparts: tuple[str, ...] = field(default=())


def study_corpus(bugs: Sequence[CountedBug], agreement: StudiedTable | None) -> StudyResult:
    """A table of counts for each facet, then pairs, sizes, and the agreement of two labellings where there is one."""
    facets = list(dict.fromkeys(facet for bug in bugs for facet in bug.values))
    tables = [_counts(facet, bugs) for facet in facets]
    tables += [_pairs(bugs), _sizes(bugs)]
    tables += [agreement] if agreement is not None else []
    return StudyResult("corpus", SOURCE, tuple(tables))


def _counts(facet: str, bugs: Sequence[CountedBug]) -> StudiedTable:
    counted = Counter(value for bug in bugs for value in bug.values.get(facet, ()))
    rows = tuple((value, count, round(count / len(bugs), 4)) for value, count in counted.most_common())
    name = facet.replace(" ", "_")
    return StudiedTable(f"corpus_{name}", facet.capitalize(), (name, "bugs", "share"), rows, drawn=("share",))


def _pairs(bugs: Sequence[CountedBug]) -> StudiedTable:
    """Bugs with the same fault in two frameworks, each pair once."""
    known = {bug.bug for bug in bugs}
    pairs = {tuple(sorted((bug.bug, other))) for bug in bugs for other in bug.counterparts if other in known}
    rows = tuple((first, second) for first, second in sorted(pairs))
    remark = f"{len(rows)} pairs: the same fault in two frameworks"
    return StudiedTable("corpus_pairs", "Pairs", ("bug", "counterpart"), rows, (remark,))


def _sizes(bugs: Sequence[CountedBug]) -> StudiedTable:
    columns = ("what", "least", "median", "most", "sum")
    measures: dict[str, Iterable[int]] = {
        "files of a program": [bug.files for bug in bugs],
        "lines of a program": [bug.lines for bug in bugs],
        "lines that a fix changes": [bug.changed_lines for bug in bugs],
    }
    return StudiedTable("corpus_sizes", "Sizes", columns, tuple(_size(name, [*one]) for name, one in measures.items()))


def _size(name: str, numbers: Sequence[int]) -> tuple[Cell, ...]:
    return (name, min(numbers), median(numbers), max(numbers), sum(numbers)) if numbers else (name, 0, 0, 0, 0)
