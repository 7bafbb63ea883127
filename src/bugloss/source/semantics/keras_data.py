"""Data sets that Keras ships, with their shapes, types, ranges and classes, and the encoding of labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bugloss.source.follow.call import Call, Semantics
from bugloss.source.values.values import Interval, Items, Shape, Tensor, Value, integer_of

CLASSES = "classes:"  # a fact about labels: ``classes:10``


_PIXELS = Interval(0, 255)


@dataclass(frozen=True, slots=True)
class _DataSet:
    """Sample counts of the two parts, the shape and range of one sample, and the number of classes (0: numbers)."""

    counts: tuple[int, int]
    sample: Shape
    classes: int
    dtype: str = "uint8"
    interval: Interval = _PIXELS
    label_tail: Shape = ()
    facts: frozenset[str] = frozenset({"unscaled-image"})


_TEXT = Interval(0)
_SETS = {
    "mnist": _DataSet((60000, 10000), (28, 28), 10),
    "fashion_mnist": _DataSet((60000, 10000), (28, 28), 10),
    "cifar10": _DataSet((50000, 10000), (32, 32, 3), 10, label_tail=(1,)),
    "cifar100": _DataSet((50000, 10000), (32, 32, 3), 100, label_tail=(1,)),
    "imdb": _DataSet((25000, 25000), (), 2, "object", _TEXT, facts=frozenset({"sequences"})),
    "reuters": _DataSet((8982, 2246), (), 46, "object", _TEXT, facts=frozenset({"sequences"})),
    "boston_housing": _DataSet((404, 102), (13,), 0, "float64", Interval(0, 711), facts=frozenset({"unscaled-table"})),
}


def load(name: str) -> Callable[[Call], Value]:
    """``load_data()``: two pairs of samples and labels."""

    def apply(call: Call) -> Value:
        known = _SETS[name]
        plain = not call.positional and not call.keywords
        counts: tuple[int | None, int | None] = known.counts if plain or known.dtype == "uint8" else (None, None)
        return Items([Items([_samples(call, name, known, n), _labels(call, known, n)], True) for n in counts], True)

    return apply


def _samples(call: Call, name: str, known: _DataSet, count: int | None) -> Tensor:
    facts = known.facts | {f"dataset:{name}"}
    return Tensor("numpy", (count, *known.sample), known.dtype, known.interval, call.name, (), call.node, facts)


def _labels(call: Call, known: _DataSet, count: int | None) -> Tensor:
    shape = (count, *known.label_tail)
    if not known.classes:
        return Tensor("numpy", shape, "float64", Interval(5, 50), call.name, (), call.node, frozenset({"numbers"}))
    facts = frozenset({"class-ids", f"{CLASSES}{known.classes}"})
    interval = Interval(0, known.classes - 1)
    dtype = "uint8" if known.dtype == "uint8" else "int64"
    return Tensor("numpy", shape, dtype, interval, call.name, (), call.node, facts)


def to_categorical(call: Call) -> Value:
    """Class indices as one-hot rows."""
    labels, given = call.argument(0, "x"), call.argument(1, "num_classes")
    count = integer_of(call.keywords.get("nb_classes", given))
    known = class_count(labels)
    if count is None and not call.given(1, "num_classes") and "nb_classes" not in call.keywords:
        count = known
    shape: Shape | None = None
    if isinstance(labels, Tensor) and labels.shape is not None:
        kept = labels.shape[:-1] if len(labels.shape) > 1 and labels.shape[-1] == 1 else labels.shape
        shape = (*kept, count)
    facts = {"one-hot"} | ({f"{CLASSES}{known}"} if known else set())
    if isinstance(labels, Tensor):
        facts |= labels.facts & {"sorted-classes", "held-out"}
    inputs = (labels,)
    return Tensor("numpy", shape, "float32", Interval(0, 1), call.name, inputs, call.node, frozenset(facts))


def class_count(labels: Value) -> int | None:
    """How many classes labels are known to have."""
    if not isinstance(labels, Tensor):
        return None
    return next((int(fact.removeprefix(CLASSES)) for fact in labels.facts if fact.startswith(CLASSES)), None)


SEMANTICS: Semantics = {
    **{f"keras.datasets.{name}.load_data": load(name) for name in _SETS},
    "keras.utils.to_categorical": to_categorical,
    "keras.utils.np_utils.to_categorical": to_categorical,
}
