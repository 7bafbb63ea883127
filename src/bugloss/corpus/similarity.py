"""Which bugs are similar, and how many support each other: shape of the fix, what stands around it, and labels.

As in gDefects4DL, the support level of a bug is the size of its group: the bugs whose fixes and labels are similar
enough to have the same kind of cause and the same kind of fix.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from bugloss.core.bug import Twin
from bugloss.core.errors import FileRefused
from bugloss.core.foreign_file import read_text
from bugloss.core.term_weights import cosine, weighted
from bugloss.corpus.entry import Entry
from bugloss.corpus.fix_shape import FixShape, fix_shape
from bugloss.corpus.kept_shapes import kept_shapes
from bugloss.corpus.search import SearchHit
from bugloss.corpus.unified_diff import text_files

# How much the parts of a comparison count; labels are given by people who read the whole bug.
_FIX, _CONTEXT, _LABELS = 0.35, 0.15, 0.5
_LABEL_WEIGHTS = {
    "general_type": 5.0, "fix_pattern": 3.0, "category": 2.0, "bug_type": 2.0, "symptom": 1.0, "framework": 1.0,
}  # fmt: skip
SUPPORTING = 0.35  # type, pattern and category shared, or less with fixes that are similar


def similar(entry: Entry, entries: Sequence[Entry], limit: int = 5) -> list[SearchHit]:
    """The other bugs, the most similar first; the excerpt of a hit says what they share."""
    return Similarities((entry, *entries)).similar(entry.id, limit)


def support_level(entry: Entry, entries: Sequence[Entry]) -> int:
    """How many bugs have a similar cause and fix, this one included."""
    return Similarities((entry, *entries)).support(entry.id)


class Similarities:
    """Compares the bugs of a corpus; the shapes of their fixes are kept in the cache."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = {entry.id: entry for entry in entries}

    @cached_property
    def _shapes(self) -> dict[str, FixShape]:
        entries = list(self.entries.values())
        return kept_shapes(entries, lambda: {entry.id: _shape(entry) for entry in entries})

    @cached_property
    def _having(self) -> Counter[str]:
        """In how many fixes each part occurs."""
        return Counter(part for shape in self._shapes.values() for part in (*shape.change, *shape.context))

    def similar(self, bug: str, limit: int = 5) -> list[SearchHit]:
        """The other bugs, the most similar first."""
        found = [self._compare(bug, other) for other in self.entries if other != bug]
        return sorted(found, key=lambda one: (-one.score, one.bug))[:limit]

    def support(self, bug: str) -> int:
        """How many bugs have a similar cause and fix, this one included."""
        return 1 + sum(one.score >= SUPPORTING for one in self.similar(bug, len(self.entries)))

    def _compare(self, first: str, second: str) -> SearchHit:
        one, other = self._shapes[first], self._shapes[second]
        shared = _shared_labels(self.entries[first], self.entries[second])
        parts = [(_LABELS, sum(_LABEL_WEIGHTS[facet] for facet in shared) / sum(_LABEL_WEIGHTS.values()))]
        # A fix that is not part of the corpus has no known shape, which is not the same as a shape without parts.
        unknown = any(self.entries[bug].bug.upstream is not None for bug in (first, second))
        for weight, mine, theirs in ((_FIX, one.change, other.change), (_CONTEXT, one.context, other.context)):
            parts += [(weight, self._cosine(mine, theirs))] if mine or theirs or unknown else []
        score = sum(weight * value for weight, value in parts) / sum(weight for weight, _ in parts)
        return SearchHit(second, round(score, 3), ", ".join(self._reasons(one, other, shared)))

    def _cosine(self, first: Counter[str], second: Counter[str]) -> float:
        count = len(self.entries)
        return cosine(weighted(first, self._having, count), weighted(second, self._having, count))

    def _reasons(self, first: FixShape, second: FixShape, labels: dict[str, str]) -> list[str]:
        """Shared labels, then what both fixes change, the rarest first."""
        parts = sorted(first.change & second.change, key=lambda part: (self._having[part], part))
        words = [f"both fixes {'remove' if part[0] == '-' else 'add'} {part[1:]}" for part in parts[:2]]
        return [*dict.fromkeys(labels.values()), *words]


def _shape(entry: Entry) -> FixShape:
    return fix_shape(_sources(entry, Twin.BUGGY), _sources(entry, Twin.FIXED))


def _sources(entry: Entry, twin: Twin) -> dict[str, str]:
    """The Python files of a program; what cannot be read is left out, and lint reports it."""
    folder, found = entry.own_program(twin), {}
    for name in text_files(folder):
        if name.endswith(".py"):
            try:
                found[name] = read_text(folder, name, errors="replace")
            except FileRefused:
                continue
    return found


def _shared_labels(first: Entry, second: Entry) -> dict[str, str]:
    """The labels that two bugs share, by facet."""
    one, other = _labels(first), _labels(second)
    return {facet: value for facet, value in one.items() if other[facet] == value}


def _labels(entry: Entry) -> dict[str, str]:
    labels, framework = entry.bug.labels, entry.bug.framework.value
    chosen = (labels.general_type, labels.fix_pattern, labels.category, labels.bug_type, labels.symptom)
    names = ("general_type", "fix_pattern", "category", "bug_type", "symptom")
    return {**{name: label.value for name, label in zip(names, chosen, strict=True)}, "framework": framework}
