"""A second labelling of the bugs, made from report, programs and test alone: ``second-labels.csv`` of a corpus.

It is never edited to agree with the first one; a bug that was added later may have none yet.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from bugloss.core.errors import FileRefused, InvalidInput, Refusal
from bugloss.core.foreign_file import read_text
from bugloss.core.taxonomy import BugType, Category, FixPattern, SymptomType
from bugloss.corpus.entry import Entry

FILE = "second-labels.csv"
FACETS: dict[str, type[Enum]] = {
    "category": Category, "symptom": SymptomType, "bug_type": BugType, "fix_pattern": FixPattern,
}  # fmt: skip
_FIRST: dict[str, Callable[[Entry], str]] = {
    "category": lambda entry: entry.bug.labels.category.value,
    "symptom": lambda entry: entry.bug.labels.symptom.value,
    "bug_type": lambda entry: entry.bug.labels.bug_type.value,
    "fix_pattern": lambda entry: entry.bug.labels.fix_pattern.value,
}


@dataclass(frozen=True, slots=True)
class TwiceLabelled:
    """A bug with two labels of one facet."""

    bug: str
    facet: str
    first: str
    second: str

    @property
    def agree(self) -> bool:
        return self.first == self.second


def read_second_labels(root: Path) -> dict[str, dict[str, str]]:
    """The second labels of each bug by facet; nothing where a corpus has none."""
    try:
        text = read_text(root, FILE)
    except FileRefused as error:
        if error.reason is Refusal.MISSING:
            return {}
        raise
    rows = {row["bug"]: row for row in csv.DictReader(text.splitlines()) if row.get("bug")}
    return {bug: {facet: _checked(root / FILE, bug, facet, row) for facet in FACETS} for bug, row in rows.items()}


def twice_labelled(entries: Iterable[Entry], second: dict[str, dict[str, str]]) -> tuple[TwiceLabelled, ...]:
    """Each bug and facet with both labels; bugs that were labelled once are left out."""
    return tuple(
        TwiceLabelled(entry.id, facet, _FIRST[facet](entry), second[entry.id][facet])
        for entry in entries
        if entry.id in second
        for facet in FACETS
    )


def _checked(path: Path, bug: str, facet: str, row: dict[str, str]) -> str:
    value = row.get(facet) or ""
    if value not in {member.value for member in FACETS[facet]}:
        raise InvalidInput(f"{path}: {bug} has the {facet} '{value}', which is not a label.", hint="bugloss lint")
    return value
