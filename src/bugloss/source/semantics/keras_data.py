"""Data sets that Keras ships, with their shapes, types, ranges and classes, and the encoding of labels."""

from __future__ import annotations

from collections.abc import Callable

from bugloss.core.network.dataset import KnownDataset, SampleKind, datasets_of
from bugloss.source.follow.call import Call, Semantics
from bugloss.source.semantics.binding import sizes
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Interval,
    Items,
    Other,
    Shape,
    Tensor,
    Value,
    integer_of,
    text_of,
)

GENERATOR = "keras.preprocessing.image.ImageDataGenerator"
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
    words = integer_of(call.argument(1, "num_words"))
    if known.kind is SampleKind.TEXT and words is not None:
        interval = Interval(0, words - 1)
    return Tensor("numpy", (count, *known.sample), known.dtype, interval, call.name, (), call.node, facts)


def _labels(call: Call, known: KnownDataset, count: int | None) -> Tensor:
    shape = (count, *known.label_tail)
    if not known.classes:
        interval = Interval(*known.values) if known.values is not None else ANYTHING
        return Tensor("numpy", shape, "float64", interval, call.name, (), call.node, frozenset({"numbers"}))
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


def padded(call: Call) -> Value:
    """``pad_sequences(x, maxlen=n)``: rows of one length, with the indices as they were."""
    sequences, length = call.argument(0, "sequences"), integer_of(call.argument(1, "maxlen"))
    known = sequences if isinstance(sequences, Tensor) else Tensor("numpy")
    rows = known.shape[0] if known.shape else None
    facts = known.facts - {"sequences"}
    return Tensor("numpy", (rows, length), "int32", known.interval, call.name, (sequences,), call.node, facts)


def class_count(labels: Value) -> int | None:
    """How many classes labels are known to have."""
    if not isinstance(labels, Tensor):
        return None
    return next((int(fact.removeprefix(CLASSES)) for fact in labels.facts if fact.startswith(CLASSES)), None)


# How images of a folder are labelled, by ``class_mode`` or ``label_mode``: facts and further axes of the labels.
_MODES: dict[str, tuple[frozenset[str], Shape]] = {
    "categorical": (frozenset({"one-hot"}), (None,)),
    "sparse": (frozenset({"class-ids"}), ()),
    "int": (frozenset({"class-ids"}), ()),
    "binary": (frozenset({"class-ids", f"{CLASSES}2"}), ()),
}
_CHANNELS = {"rgb": 3, "grayscale": 1, "rgba": 4}


def generator(call: Call) -> Value:
    """``ImageDataGenerator(…)`` with its settings."""
    return Other(GENERATOR, dict(call.keywords), call.node)


def from_directory(size: str, mode: str, default: str, kind: str) -> Callable[[Call], Value]:
    """Images of a folder: batches of one size, and labels as the mode says."""

    def apply(call: Call) -> Value:
        given = call.keywords.get(mode)
        chosen = default if given is None else text_of(given) or ""
        facts, tail = _MODES.get(chosen, (frozenset(), None))
        height, width = sizes(call.keywords.get(size), 2, 256)
        channels = _CHANNELS.get(text_of(call.keywords["color_mode"]) or "") if "color_mode" in call.keywords else 3
        image = Tensor("tensorflow", ("batch", height, width, channels), "float32", made_by=call.name, node=call.node)
        shape = ("batch", *tail) if tail is not None else None
        labels = Tensor("tensorflow", shape, "float32", made_by=call.name, node=call.node, facts=facts)
        return UNKNOWN if call.starred else Other(kind, {"element": Items([image, labels], True)}, call.node)

    return apply


def flow(call: Call) -> Value:
    """``generator.flow(x, y)``: batches of the arrays."""
    parts = [call.argument(0, "x"), call.argument(1, "y")]
    batches: list[Value] = [
        part.with_(shape=("batch", *part.shape[1:]) if part.shape else None) if isinstance(part, Tensor) else UNKNOWN
        for part in parts
    ]
    return Other("keras.ImageIterator", {"element": Items(batches, True)}, call.node)


_DATASET = from_directory("image_size", "label_mode", "int", "tensorflow.data.Dataset")
SEMANTICS: Semantics = {
    GENERATOR: generator,
    f"{GENERATOR}.flow": flow,
    f"{GENERATOR}.flow_from_directory": from_directory(
        "target_size", "class_mode", "categorical", "keras.ImageIterator"
    ),
    "keras.utils.image_dataset_from_directory": _DATASET,
    "keras.preprocessing.image_dataset_from_directory": _DATASET,
    **{f"keras.datasets.{row.name}.load_data": load(row) for row in datasets_of("keras")},
    "keras.utils.to_categorical": to_categorical,
    "keras.utils.pad_sequences": padded,
    "keras.preprocessing.sequence.pad_sequences": padded,
    "keras.utils.np_utils.to_categorical": to_categorical,
}
