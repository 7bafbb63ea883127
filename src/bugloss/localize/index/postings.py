"""Where a term stands, in one number: the file, and how often the term occurs in each of its four fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

FIELDS = ("class", "method", "variable", "comment")
WHOLE = len(FIELDS)  # the number of the field that is all of them
MOST = 1023  # occurrences; more are counted as so many
_BITS = 10
FILE_SHIFT = _BITS * len(FIELDS)


def packed_counts(fields: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """For each term its counts in the four fields, packed; the file is still to be added."""
    packed: dict[str, int] = {}
    for field, counts in enumerate(fields):
        shift = _BITS * (WHOLE - 1 - field)
        for term, count in counts.items():
            packed[term] = packed.get(term, 0) + (min(count, MOST) << shift)
    return packed


def file_of(posting: int) -> int:
    """The number of the file."""
    return posting >> FILE_SHIFT


def count_in(posting: int, field: int) -> int:
    """How often the term occurs in one field."""
    return (posting >> (_BITS * (WHOLE - 1 - field))) & MOST


def field_counts(postings: Iterable[int]) -> list[tuple[int, int, int, int, int]]:
    """File and count in each field, posting by posting; all at once, as a call for each would take half the time."""
    return [
        (one >> FILE_SHIFT, (one >> 30) & MOST, (one >> 20) & MOST, (one >> 10) & MOST, one & MOST) for one in postings
    ]


def whole_counts(postings: Sequence[int]) -> Iterator[tuple[int, int]]:
    """File and count over all fields, posting by posting."""
    for posting in postings:
        count = ((posting >> 30) & MOST) + ((posting >> 20) & MOST) + ((posting >> 10) & MOST) + (posting & MOST)
        yield posting >> FILE_SHIFT, count
