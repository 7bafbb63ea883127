"""Edits made one after the other, as one edit of the files that they began with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from bugloss.core.edit import Edit, Span, TextChange


def combine(edits: Sequence[Edit], read: Callable[[str], str | None], after: Mapping[str, str]) -> Edit:
    """One edit that leads from the original files to the texts that all edits together made of them."""
    if len(edits) == 1:
        return edits[0]
    changes = [change for path, text in sorted(after.items()) for change in _changes(path, read(path) or "", text)]
    return Edit("; then ".join(edit.text for edit in edits), tuple(changes))


def _changes(path: str, before: str, after: str) -> Iterator[TextChange]:
    """What differs, whole lines at a time."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for tag, start, end, from_new, to_new in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            span = Span(start + 1, 0, end + 1, 0)
            yield TextChange(path, span, "".join(old[start:end]), "".join(new[from_new:to_new]))
