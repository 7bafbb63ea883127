"""What an error message says about the data that caused it: shapes, types, containers, odd values.

The table ``message_hints`` has one family of messages a line. ``role`` says of which data: those that go in, those that
are the target, or all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from bugloss.reproduce.words import rows

_SHAPE = r"[(\[]\s*+(?P<{0}>(?:None|\?|-?\d++)?+(?:\s*+,\s*+(?:None|\?|-?\d++))*+)\s*+(?:,\s*+)?[)\]]"
_ANYTHING = ".{0,400}?"  # between two parts of a message; without an end each beginning would be followed to the end
_TYPES = {
    "float": "float32", "double": "float64", "long": "int64", "int": "int32", "byte": "uint8", "half": "float16",
    "unsigned char": "uint8", "long int": "int64",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hint:
    """One fact from a message. ``shape`` has the rows or the batch in front; None is a free dimension."""

    role: str  # input | target | features | any
    shape: tuple[int | None, ...] | None = None
    dtype: str = ""
    container: str = ""  # list | array
    odd: str = ""  # out-of-range | ragged | odd-rows | one-left | unequal-rows
    flat: int = 0  # elements of one sample once they are flattened
    rank: int = 0
    one_hot: bool = False


def dims(text: str) -> tuple[int | None, ...]:
    """``None, 28, 28`` as a tuple."""
    parts = [part.strip() for part in re.split(r"[,x]", text) if part.strip()]
    return tuple(int(part) if re.fullmatch(r"-?\d+", part) else None for part in parts)


def hints(message: str) -> Iterator[Hint]:
    """Everything that a message says about the data: for each role the first matching line of the table."""
    seen: set[tuple[str, bool]] = set()
    for role, what, pattern in _table():
        found = pattern.search(message)
        if found is None:
            continue
        hint = _read(role, what, found)
        key = (role, hint.shape is not None)
        if key not in seen:
            seen.add(key)
            yield hint


def quoted_message(text: str) -> tuple[int, int] | None:
    """Where a text has an error message that the table knows, to the end of its line; None where it has none."""
    for _, _, pattern in _table():
        found = pattern.search(text)
        if found is not None and "\n" not in found[0]:
            end = text.find("\n", found.end())
            return found.start(), end if end >= 0 else len(text)
    return None


@cache
def _table() -> tuple[tuple[str, tuple[tuple[str, str], ...], re.Pattern[str]], ...]:
    found = []
    for role, what, pattern in rows("message_hints", 3):
        pairs = tuple((name, value) for name, _, value in (part.partition("=") for part in what.split()))
        whole = pattern.replace(".*?", _ANYTHING).replace("{s}", _SHAPE.format("s")).replace("{t}", _SHAPE.format("t"))
        found.append((role, pairs, re.compile(whole, re.IGNORECASE | re.DOTALL)))
    return tuple(found)


def _read(role: str, what: tuple[tuple[str, str], ...], found: re.Match[str]) -> Hint:
    stated = {name: found[value[1:-1]] if value.startswith("<") else value for name, value in what}
    shape: tuple[int | None, ...] | None = dims(stated["shape"]) if "shape" in stated else None
    if "column" in stated:
        shape = (None, 1)
    if "classes" in stated:
        shape = (None, int(stated["classes"]))
    if "last" in stated:
        shape = (None, None, int(stated["last"]))
    dtype = stated.get("dtype", "")
    return Hint(
        role,
        shape or None,
        _TYPES.get(dtype.lower(), dtype.lower()),
        stated.get("container", ""),
        stated.get("odd", ""),
        int(stated.get("flat", 0)),
        int(stated.get("rank", 0)),
        "one-hot" in stated,
    )
