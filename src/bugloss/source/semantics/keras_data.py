"""Data sets that Keras ships, with their shapes, types, ranges and classes, and the encoding of labels."""

from __future__ import annotations

from collections.abc import Callable

from bugloss.core.network.dataset import KnownDataset, SampleKind, datasets_of
from bugloss.source.follow.call import Call, Semantics
from bugloss.source.values.values import Interval, Items, Shape, Tensor, Value, integer_of

CLASSES = "classes:"  # a fact about labels: ``classes:10``


_FACTS = {SampleKind.IMAGE: "unscaled-image", SampleKind.TEXT: "sequences", SampleKind.TABLE: "unscaled-table"}


def load(known: KnownDataset) -> Callable[[Call], Value]:
    """``load_data()``: two pairs of samples and labels."""

    def apply(call: Call) -> Value:
        fixed = known.counts and (known.kind is SampleKind.IMAGE or not (call.positional or call.keywords))
        counts: tuple[int | None, ...] = known.counts if fixed else (None, None)
        return Items([Items([_samples(call, known, n), _labels(call, known, n)], True) for n in counts], True)

    return apply


def _samples(call: Call, known: KnownDataset, count: int | None) -> Tensor:
    facts = frozenset({_FACTS[known.kind], f"dataset:{known.name}"})
    interval = Interval(*(end for end in (known.low, known.high) if end is not None))
    return Tensor("numpy", (count, *known.sample), known.dtype, interval, call.name, (), call.node, facts)


def _labels(call: Call, known: KnownDataset, count: int | None) -> Tensor:
    shape = (count, *known.label_tail)
    if not known.classes:
        return Tensor("numpy", shape, "float64", Interval(0), call.name, (), call.node, frozenset({"numbers"}))
    facts = frozenset({"class-ids", f"{CLASSES}{known.classes}"})
    interval = Interval(0, known.classes - 1)
    return Tensor("numpy", shape, known.label_dtype, interval, call.name, (), call.node, facts)


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
    **{f"keras.datasets.{row.name}.load_data": load(row) for row in datasets_of("keras")},
    "keras.utils.to_categorical": to_categorical,
    "keras.utils.np_utils.to_categorical": to_categorical,
}
