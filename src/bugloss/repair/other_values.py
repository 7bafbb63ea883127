"""A patch that sets a number, with other numbers: the direction is known, how far to go is not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from bugloss.core.edit import Edit, TextChange, quoted
from bugloss.core.patch import Patch

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])")
_FACTORS = (10.0, 3.0, 0.3, 0.1)  # of a rate: half decades and decades, as a person would try
_SHARES = (0.5, 0.9, 0.1)  # of dropout, momentum and others between 0 and 1
_SHARE = re.compile(r"drop|keep|momentum|beta|decay_rate|rate=0\.[1-9]", re.IGNORECASE)


def other_values(patch: Patch) -> Iterator[Patch]:
    """The same patch with other values, nothing where it does not set one number."""
    changes = patch.edit.changes
    numbers = [_NUMBER.findall(text) for change in changes for text in (change.old, change.new)]
    if len(changes) != 1 or [len(found) for found in numbers] != [1, 1] or numbers[0] == numbers[1]:
        return
    change, (old, new) = changes[0], (numbers[0][0], numbers[1][0])
    for value in _values(old, new, patch.edit.text):
        text = _NUMBER.sub(value, change.new)
        other = TextChange(change.path, change.span, change.old, text)
        words = f"write {quoted(text)} instead of {quoted(change.old)} in line {change.span.line}"
        yield replace(patch, edit=Edit(words, (other,)), confidence=round(patch.confidence / 2, 3))


def _values(old: str, new: str, words: str) -> Iterator[str]:
    first, second = float(old), float(new)
    whole = "." not in new and "e" not in new.lower()
    if not whole and 0 <= first <= 1 and 0 < second < 1 and (_SHARE.search(words) or first == 0):
        found = [share for share in _SHARES if share != second]
    else:
        found = [second * factor for factor in _FACTORS]
    for value in found:
        text = str(max(round(value), 1)) if whole else f"{value:.3g}"
        if float(text) != first:
            yield text
