"""Files of JSON lines that somebody else wrote: one object a line, and an error that names the line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from bugloss.core.documents import parse_json
from bugloss.core.errors import InvalidInput

T = TypeVar("T")


def read_lines(path: Path, lines: Iterable[str], make: Callable[[Any, int], T], kind: str, hint: str) -> Iterator[T]:
    """What ``make`` says of the object and the number of each line; ``kind`` names what a line should be."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield make(parse_json(line), number)
            except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
                reason = f"{type(error).__name__}: {error}"
                raise InvalidInput(f"line {number} of {path} is not a valid {kind}: {reason}.", hint=hint) from None


def parse_time(text: str) -> int:
    """Seconds since 1970 of a date or time; one without a zone is taken as UTC."""
    found = datetime.fromisoformat(text.strip())
    return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
