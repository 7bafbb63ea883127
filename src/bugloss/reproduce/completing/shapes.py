"""Shapes and counts that a report gives for a network as a whole: what goes in, and how many classes come out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bugloss.core.report import FactKind
from bugloss.core.reproduction import Quote
from bugloss.reproduce.completing.counts import counts, extents
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.data.hints import dims, hints
from bugloss.reproduce.names.naming import looks_like
from bugloss.reproduce.words import groups, wording

_SETS = {
    "fashion-mnist": (28, 28, 1), "mnist": (28, 28, 1), "cifar-10": (32, 32, 3), "cifar-100": (32, 32, 3),
    "imagenet": (224, 224, 3), "iris": (4,), "svhn": (32, 32, 3), "boston-housing": (13,), "titanic": (8,),
}  # fmt: skip
_SET_CLASSES = {
    "mnist": 10,
    "fashion-mnist": 10,
    "cifar-10": 10,
    "cifar-100": 100,
    "iris": 3,
    "imagenet": 1000,
    "svhn": 10,
}


@dataclass(frozen=True, slots=True)
class StatedShapes:
    """A sample's shape with the channels last, the number of classes, and the words for them; None where not stated."""

    shape: tuple[int, ...] | None = None
    classes: int | None = None
    quotes: tuple[Quote, ...] = ()


_DECLARED = re.compile(
    r"(?:Expected shape|expected shape=|expected \S+ to have shape) ?\(\s*(?:None|\?)\s*,\s*(?P<shape>[\d, None?]+)\)",
    re.IGNORECASE,
)


def stated_shapes(evidence: EditEvidence) -> StatedShapes:
    """What the report says of inputs and classes; what a network declares goes before what it is given."""
    shape, quotes = _declared(evidence)
    if shape is None:
        shape, quotes = _shape(evidence)
    classes, more = _classes(evidence)
    return StatedShapes(shape, classes, (*quotes, *more))


def _declared(evidence: EditEvidence) -> tuple[tuple[int, ...] | None, tuple[Quote, ...]]:
    for one in evidence.expectation.exceptions:
        found = _DECLARED.search(one.message)
        if found is not None:
            return tuple(size or 16 for size in dims(found["shape"])), evidence.expectation.quotes[:1]
    return None, ()


def _shape(evidence: EditEvidence) -> tuple[tuple[int, ...] | None, tuple[Quote, ...]]:
    for fact in evidence.reading.about(FactKind.SHAPE):
        sizes = dims(fact.value.strip("()"))
        if (
            fact.name
            and looks_like("features", fact.name)
            and len(sizes) >= 2
            and all(size is None or size > 0 for size in sizes[1:])
        ):
            return tuple(size or 16 for size in sizes[1:]), (evidence.quote(fact.start, fact.end),)
    for one in evidence.expectation.exceptions:
        for hint in hints(one.message):
            if hint.role == "input" and hint.shape is not None and len(hint.shape) >= 2:
                return tuple(size or 16 for size in hint.shape[1:]), evidence.expectation.quotes[:1]
    for fact in evidence.reading.about(FactKind.DATASET):
        if fact.value in _SETS:
            return _SETS[fact.value], (evidence.quote(fact.start, fact.end),)
    for extent in extents(evidence.body):
        around = evidence.body[max(0, extent.start - 60) : extent.end + 60]
        if wording("of-a-table").search(around) and not wording("of-an-image").search(around):
            return extent.sizes[1:], (evidence.quote(extent.start, extent.end),)
        if 4 <= extent.sizes[0] <= 512 and 4 <= extent.sizes[1] <= 512:
            channels = extent.sizes[2] if len(extent.sizes) > 2 else 3 if wording("in-colour").search(around) else 1
            return (*extent.sizes[:2], channels), (evidence.quote(extent.start, extent.end),)
    for count in counts(evidence.body):
        if count.noun in groups("usage")["feature-nouns"]:
            return (count.number,), (evidence.quote(count.start, count.end),)
    return None, ()


def _classes(evidence: EditEvidence) -> tuple[int | None, tuple[Quote, ...]]:
    for fact in evidence.reading.about(FactKind.HYPERPARAMETER):
        if fact.name == "num_classes" and fact.value.isdigit():
            return int(fact.value), (evidence.quote(fact.start, fact.end),)
    for count in counts(evidence.body):
        if count.noun in groups("usage")["class-nouns"] and 1 < count.number < 2000:
            return count.number, (evidence.quote(count.start, count.end),)
    for fact in evidence.reading.about(FactKind.DATASET):
        if fact.value in _SET_CLASSES:
            return _SET_CLASSES[fact.value], (evidence.quote(fact.start, fact.end),)
    return None, ()
