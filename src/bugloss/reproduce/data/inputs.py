"""What goes into a network: worked out from what takes it, else from what the report says."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Sequence

from bugloss.core.network.layer import LayerFamily, family_of
from bugloss.core.network.layer import layer as layer_named
from bugloss.core.report import FactKind
from bugloss.reproduce.completing.counts import extents, lengths
from bugloss.reproduce.data.following import Consumption
from bugloss.reproduce.data.hints import dims
from bugloss.reproduce.data.known import FoundField, KnownFacts
from bugloss.reproduce.data.spec import DataField, DataMeaning
from bugloss.source.values.values import Layer, Model

_DECLARED = re.compile(r"(?:Input\(|input_)shape=\(\s*([\d, ]+)\)|input_dim=(\d+)|nn\.Linear\(\s*(\d+)\s*,")
_SPATIAL = {LayerFamily.CONVOLUTION, LayerFamily.POOLING, LayerFamily.GLOBAL_POOLING, LayerFamily.RESAMPLING}
_USUAL_CHANNELS = {1: 4, 2: 3, 3: 1}  # by axes: several signals, coloured images, grey volumes
_TRANSPARENT = {"Flatten", "ReLU", "Dropout", "Identity", "InputLayer", "Rescaling"}


def input_field(known: KnownFacts, consumed: Sequence[Consumption]) -> FoundField:
    """The likeliest input for what consumes it."""
    for one in consumed:
        if one.role == "input" and isinstance(one.model, Model):
            found = _of_model(known, one, one.model)
            if found is not None:
                return found
    for one in consumed:
        if one.role == "layer" and isinstance(one.output, Layer):
            found = _of_layer(known, one, one.output)
            if found is not None:
                return found
    ranks = [one.place for one in consumed if one.role == "rank"]
    if ranks:
        return FoundField(
            DataField(DataMeaning.FEATURES, (16, 8, 4, 2)[: max(ranks) - 1]), f"its {ranks[0]} axes are permuted"
        )
    return _by_words(known)


def filled(sizes: Sequence[int | None]) -> tuple[int, ...]:
    """A shape with something in the place of dimensions that are free."""
    last = len(sizes) - 1
    return tuple(size if size else (16 if len(sizes) < 3 or place < last else 3) for place, size in enumerate(sizes))


def _of_model(known: KnownFacts, one: Consumption, model: Model) -> FoundField | None:
    shape = model.input_shape
    if one.place < len(model.inputs) and model.inputs[one.place].shape is not None:
        shape = model.inputs[one.place].shape
    first = model.layers[0] if model.layers else None
    if shape is None:
        return _flattened(known, model) or (_of_layer(known, one, first) if first is not None else None)
    sizes = tuple(size if isinstance(size, int) else None for size in shape[1:])
    shown = f"({', '.join('?' if size is None else str(size) for size in sizes)})"
    if first is not None and family_of(first.name, first.framework) is LayerFamily.EMBEDDING and one.place == 0:
        length = sizes[0] if sizes and sizes[0] else _length(known)
        return FoundField(
            DataField(DataMeaning.TOKENS, (length,), "int64", high=first.integer("input_dim") or 100),
            f"the network takes {shown}",
        )
    return FoundField(DataField(DataMeaning.FEATURES, filled(sizes)), f"the network takes {shown}")


def _flattened(known: KnownFacts, model: Model) -> FoundField | None:
    """A network that flattens first takes anything with the right number of elements."""
    first = next((layer for layer in model.layers if layer.name not in _TRANSPARENT), None)
    width = first.integer("in_features") if first is not None else None
    if first is None or not width or model.layers[0] is first:
        return None
    shape = _stated_extent(known, width) or _as_image(width, known.spoken.is_torch) or (width,)
    return FoundField(DataField(DataMeaning.FEATURES, shape), f"{_shown(first)} takes it, flattened")


def _shown(layer: Layer) -> str:
    """The call that makes a layer: lines move while a program is edited."""
    return f"{layer.name}({', '.join(ast.unparse(one) for one in (*layer.node.args, *layer.node.keywords))})"


def _of_layer(known: KnownFacts, one: Consumption, layer: Layer) -> FoundField | None:
    why = f"{_shown(layer)} takes it"
    if family_of(layer.name, layer.framework) is LayerFamily.EMBEDDING:
        vocabulary = layer.integer("num_embeddings") or layer.integer("input_dim") or 100
        return FoundField(DataField(DataMeaning.TOKENS, (_length(known),), "int64", high=vocabulary), why)
    shape = _layer_shape(known, layer)
    return None if shape is None else FoundField(DataField(DataMeaning.FEATURES, _before(known, one, shape)), why)


def _layer_shape(known: KnownFacts, layer: Layer) -> tuple[int, ...] | None:
    """A sample's shape that a layer takes."""
    family, axes = family_of(layer.name, layer.framework), _axes(layer)
    if axes and (family in _SPATIAL or (family is LayerFamily.NORMALIZATION and axes > 1)):
        depth = layer.integer("in_channels") or layer.integer("num_features") or _USUAL_CHANNELS[axes]
        extent = {1: (_length(known),), 2: _sides(known, depth), 3: (8, 16, 16)}[axes]
        return (depth, *extent) if known.spoken.is_torch else (*extent, depth)
    width = layer.integer("in_features") or layer.integer("input_size") or layer.integer("num_features")
    if family in {LayerFamily.RECURRENT, LayerFamily.WRAPPER} and not axes:
        return (_length(known), width or 8)
    any_width = family is LayerFamily.DENSE and layer.framework == "keras"
    return (width,) if width else (8,) if any_width else None


def _axes(layer: Layer) -> int:
    """How many axes a layer slides over, which its name or that of the layer it behaves like says; 0 for none."""
    row = layer_named(layer.name, layer.framework)
    match = re.search(r"([123])[dD]", (row.like or row.name) if row is not None else layer.name)
    return int(match[1]) if match else 0


def _before(known: KnownFacts, one: Consumption, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a sample before the program reshapes it: images that are flattened are images first."""
    steps = [(step.made_by or "").rsplit(".", 1)[-1] for step in one.reshaped]
    steps = [step for step in steps if step != "getitem"]  # rows that are picked keep their shape
    if not steps:
        return shape
    name = steps[0]
    total = math.prod(shape)
    stated = _stated_extent(known, total)
    if stated is not None:
        return stated
    if name in {"view", "reshape", "flatten"} and len(shape) == 1:
        return _as_image(total, known.spoken.is_torch) or shape
    if name == "unsqueeze" and len(shape) > 1 and shape[0] == 1:
        return shape[1:]
    if name in {"view", "reshape"} and len(shape) == 3 and 1 in shape:
        return tuple(size for size in shape if size != 1) or shape
    if name == "permute" and len(shape) == 3 and known.spoken.is_torch:
        return (shape[1], shape[2], shape[0])
    return shape


def _as_image(total: int, torch: bool) -> tuple[int, ...] | None:
    """A square image with one or three channels that has so many elements."""
    for channels in (1, 3):
        side = math.isqrt(total // channels)
        if total % channels == 0 and side * side * channels == total and side > 3:
            if torch:
                return (channels, side, side)
            return (side, side) if channels == 1 else (side, side, channels)
    return None


def _stated_extent(known: KnownFacts, total: int) -> tuple[int, ...] | None:
    return next((extent.sizes for extent in extents(known.evidence.prose) if math.prod(extent.sizes) == total), None)


def _length(known: KnownFacts) -> int:
    for fact in known.evidence.reading.about(FactKind.HYPERPARAMETER):
        if fact.name == "sequence_length" and fact.value.isdigit() and 0 < int(fact.value) < 2000:
            return int(fact.value)
    return next((length.number for length in lengths(known.evidence.body)), 16)


def _sides(known: KnownFacts, channels: int) -> tuple[int, int]:
    """The sides of an image: as stated, as a data set of the report has them, else such as fit most networks."""
    for extent in extents(known.evidence.prose):
        if all(4 <= size <= 512 for size in extent.sizes[:2]):
            return extent.sizes[0], extent.sizes[1]
    for fact in known.evidence.reading.about(FactKind.DATASET):
        if "mnist" in fact.value:
            return 28, 28
        if "imagenet" in fact.value:
            return 224, 224
    return (28, 28) if channels == 1 else (32, 32)


def _by_words(known: KnownFacts) -> FoundField:
    """Nothing consumes it that is known: a shape that the report calls the input's, else a small table."""
    evidence = known.evidence
    for fact in evidence.reading.about(FactKind.SHAPE):
        before = evidence.body[max(0, fact.start - 60) : fact.start].lower()
        sizes = dims(fact.value.strip("()"))
        plausible = len(sizes) >= 2 and all(size is None or size > 0 for size in sizes)
        if plausible and re.search(r"input|data|image|sample|train", before):
            quote = evidence.quote(fact.start, fact.end)
            return FoundField(DataField(DataMeaning.FEATURES, filled(sizes[1:])), f'"{quote.text}"', (quote,))
    declared = _DECLARED.findall(known.text)
    if declared and "Conv" not in known.text:
        sizes = dims(next(part for part in declared[0] if part))
        why = "the first layer of the program takes this number"
        return FoundField(DataField(DataMeaning.FEATURES, filled(sizes)), why, is_guess=True)
    for extent in extents(evidence.prose):
        if "flatten" in evidence.body[extent.end : extent.end + 40]:
            quote = evidence.quote(extent.start, extent.end)
            return FoundField(DataField(DataMeaning.FEATURES, (math.prod(extent.sizes),)), f'"{quote.text}"', (quote,))
    return FoundField(DataField(DataMeaning.FEATURES, (8,)), "")
