"""The numbers in the message of a crash: which sizes met, and which of them do not go together."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

_SHAPE = re.compile(r"[\[(]((?:\s*(?:None|-?\d+)\s*,)*\s*(?:None|-?\d+)\s*,?)\s*[\])]")
_PRODUCT = re.compile(r"(?<![\w.])(\d+)\s?x\s?(\d+)(?![\w.])")
_ALONE = re.compile(r"(?<![\w.\-/])(\d+)(?![\w.]|\s?x\s?\d)")
# Numbers that count something else than the sizes of tensors.
_COUNTING = re.compile(
    r"\b(?:dimension|dim|axis|axes|input|entry|element|argument|line|at index|ndim|rank|batch)[ =:#]*-?\d+\b|"
    r"\b\d+D\b|\b\d+ dimensions?\b",
    re.IGNORECASE,
)
_INVALID = re.compile(r"shape '?\[(?P<shape>[-\d, ]+)\]'? is invalid for input of size (?P<size>\d+)")
_CANNOT = re.compile(r"cannot reshape array of size (?P<size>\d+) into shape \((?P<shape>[-\d, ]+)\)")
_LONGEST = 700  # characters of a message: what follows is advice, or the graph
_MOST_PAIRS = 12
_LARGEST = 10_000_000


def clashing(text: str) -> list[tuple[int, int]]:
    """Pairs of sizes, what is there and what would fit; which one is which is not known, so both orders are given.

    Those of the same axis of two shapes come first.
    """
    text = text[:_LONGEST]
    found = [*_computed(text), *_of_products(text), *_of_shapes(text), *_of_numbers(text)]
    differing = [(one, other) for one, other in found if one != other and min(one, other) > 0]
    pairs = [pair for one, other in differing for pair in ((one, other), (other, one))]
    return list(dict.fromkeys(pairs))[:_MOST_PAIRS]


def _computed(text: str) -> Iterator[tuple[int, int]]:
    """A reshape that does not come out even: each size that would make it."""
    for said in (_INVALID.search(text), _CANNOT.search(text)):
        sizes = [int(one) for one in re.findall(r"-?\d+", said["shape"])] if said is not None else []
        whole = int(said["size"]) if said is not None else 0
        for size in reversed(sizes):
            rest = math.prod(one for one in sizes if one > 0) // size if size > 0 else 0
            if rest and whole % rest == 0:
                yield size, whole // rest


def products(text: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """``32x128 and 64x10``: the two matrices that were to be multiplied."""
    found = [(int(one), int(other)) for one, other in _PRODUCT.findall(text[:_LONGEST])]
    return (found[0], found[1]) if len(found) == 2 else None


def _of_products(text: str) -> Iterator[tuple[int, int]]:
    """The inner sizes."""
    found = products(text)
    if found is not None:
        yield found[0][1], found[1][0]


def shapes_in(text: str) -> list[tuple[int | None, ...]]:
    """The shapes that a message shows, unknown sizes as None."""
    found = []
    for said in _SHAPE.findall(text[:_LONGEST]):
        sizes = [one.strip() for one in said.split(",") if one.strip()]
        found.append(tuple(None if one in {"None", "-1"} else int(one) for one in sizes))
    return found


def _of_shapes(text: str) -> Iterator[tuple[int, int]]:
    shapes = [shape for shape in shapes_in(text) if shape]
    for first, second in pairwise(shapes):
        if len(first) == len(second):
            yield from ((one, other) for one, other in zip(first, second, strict=True) if one and other)
        if len(first) > 1 and len(second) > 1 and first[-1] and second[-2]:
            yield first[-1], second[-2] or 0


def _of_numbers(text: str) -> Iterator[tuple[int, int]]:
    bare = _SHAPE.sub(" ", _COUNTING.sub(" ", text))
    alone = [int(one) for one in dict.fromkeys(_ALONE.findall(bare)) if int(one) < _LARGEST][:4]
    yield from ((one, other) for at, one in enumerate(alone) for other in alone[at + 1 :])
    for shape in shapes_in(text)[:2]:
        yield from ((one, size) for one in alone for size in shape[1:] if size)


def rank_wanted(text: str) -> int | None:
    """How many axes a message asks for."""
    said = re.search(
        r"expected (?:min_|max_)?ndim=(\d)|[Ee]xpected (\d)D|must (?:be|have) (\d)[- ]?(?:D|dim)|to be (\d)-D|"
        r"rank (\d)|is not equal to len\(dims\) = (\d)",
        text,
    )
    return next((int(one) for one in said.groups() if one), None) if said is not None else None


def broadcasts(first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether two shapes can be combined element by element."""
    pairs = zip(reversed(first), reversed(second), strict=False)
    return all(one == other or 1 in (one, other) for one, other in pairs)
