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
from bugloss.corpus.search_hit import SearchHit
from bugloss.corpus.similarity_score import SUPPORTING, reasons, score
from bugloss.corpus.unified_diff import text_files

_KEPT = 20  # similar bugs that are remembered for each bug: pages show five


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
        self._known: dict[str, tuple[tuple[SearchHit, ...], int]] = {}

    @cached_property
    def _shapes(self) -> dict[str, FixShape]:
        entries = list(self.entries.values())
        return kept_shapes(entries, lambda: {entry.id: shape_of(entry) for entry in entries})

    @cached_property
    def _having(self) -> Counter[str]:
        """In how many fixes each part occurs."""
        return Counter(part for shape in self._shapes.values() for part in (*shape.change, *shape.context))

    @cached_property
    def _weights(self) -> dict[str, tuple[dict[str, float], dict[str, float]]]:
        """The parts of each fix, of what it changes and of what is around that, the rarer the heavier."""
        count = len(self.entries)
        return {
            bug: (weighted(shape.change, self._having, count), weighted(shape.context, self._having, count))
            for bug, shape in self._shapes.items()
        }

    def similar(self, bug: str, limit: int = 5) -> list[SearchHit]:
        """The other bugs, the most similar first."""
        return list((self._found(bug)[0] if limit <= _KEPT else self._compare_all(bug))[:limit])

    def support(self, bug: str) -> int:
        """How many bugs have a similar cause and fix, this one included."""
        return self._found(bug)[1]

    def _found(self, bug: str) -> tuple[tuple[SearchHit, ...], int]:
        """The most similar bugs and the support, computed once for each bug."""
        if bug not in self._known:
            found = self._compare_all(bug)
            self._known[bug] = tuple(found[:_KEPT]), 1 + sum(one.score >= SUPPORTING for one in found)
        return self._known[bug]

    def _compare_all(self, bug: str) -> list[SearchHit]:
        found = [self._compare(bug, other) for other in self.entries if other != bug]
        return sorted(found, key=lambda one: (-one.score, one.bug))

    def _compare(self, first: str, second: str) -> SearchHit:
        one, other = self._shapes[first], self._shapes[second]
        shared = _shared_labels(self.entries[first], self.entries[second])
        (change, context), (other_change, other_context) = self._weights[first], self._weights[second]
        # A fix that is not part of the corpus, as upstream, has no known shape: it is like no other.
        unknown = any(not shape.change and not shape.context for shape in (one, other))
        of_change = cosine(change, other_change) if one.change or other.change or unknown else None
        of_context = cosine(context, other_context) if one.context or other.context or unknown else None
        common = {part: self._having[part] for part in one.change & other.change}
        words = ", ".join(reasons(shared, common))
        return SearchHit(second, round(score(shared, of_change, of_context), 3), words, self.entries[second].bug.title)


def shape_of(entry: Entry) -> FixShape:
    """The shape of a bug's fix."""
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
    one, other = labels_of(first), labels_of(second)
    return {facet: value for facet, value in one.items() if other[facet] == value}


def labels_of(entry: Entry) -> dict[str, str]:
    """The labels that are compared, by facet."""
    labels, framework = entry.bug.labels, entry.bug.framework.value
    chosen = (labels.general_type, labels.fix_pattern, labels.category, labels.bug_type, labels.symptom)
    names = ("general_type", "fix_pattern", "category", "bug_type", "symptom")
    return {**{name: label.value for name, label in zip(names, chosen, strict=True)}, "framework": framework}
