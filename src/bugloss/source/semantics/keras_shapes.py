"""What Keras layers do to shapes. The first dimension is the batch; contradictions are reported, never guessed."""

from __future__ import annotations

from bugloss.source.follow.call import Call, passed
from bugloss.source.semantics.keras_windows import (
    Handler,
    convolution,
    global_pool,
    made_tensor,
    margin,
    pool,
    report_rank,
    transposed,
    upsample,
)
from bugloss.source.values.shapes import Mismatch, broadcast, product, reshape, same, show
from bugloss.source.values.values import (
    UNKNOWN,
    Constant,
    Dim,
    Layer,
    Model,
    Shape,
    Tensor,
    integers_of,
    truth_of,
)

MERGES = ("Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum", "Concatenate", "Dot")


def unchanged(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    return made_tensor(tensors[0].shape, tensors[0].dtype)


def _dense(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    shape = tensors[0].shape
    if shape is None:
        return made_tensor(None)
    if len(shape) < 2:
        report_rank(call, layer, shape, "at least 2")
        return made_tensor(None)
    return made_tensor((*shape[:-1], layer.integer("units")))


def _flatten(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    shape = tensors[0].shape
    if shape is None:
        return made_tensor(("batch", None), tensors[0].dtype)
    return made_tensor((shape[0], product(shape[1:]) if len(shape) > 1 else 1), tensors[0].dtype)


def _reshape(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    wanted, shape = integers_of(layer.arguments.get("target_shape", UNKNOWN)), tensors[0].shape
    if wanted is None:
        return made_tensor(None, tensors[0].dtype)
    batch: Dim = shape[0] if shape else "batch"
    try:
        made = reshape(shape[1:] if shape else None, wanted)
    except Mismatch:
        assert shape is not None
        message = f"{show(shape[1:])} cannot be reshaped to {show(wanted)}: the number of elements differs"
        call.conflict("shape", message, shapes=(shape, wanted), layer=layer)
        made = None
    return made_tensor(None if made is None else (batch, *made), tensors[0].dtype)


def _permute(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    order, shape = integers_of(layer.arguments.get("dims", UNKNOWN)), tensors[0].shape
    if order is None or shape is None:
        return made_tensor(None)
    if len(order) != len(shape) - 1:
        message = f"Permute names {len(order)} axes, but its input has shape {show(shape)} with {len(shape) - 1}"
        call.conflict("shape", message, shapes=(shape,), layer=layer)
        return made_tensor(None)
    if any(not isinstance(axis, int) or not 1 <= axis < len(shape) for axis in order):
        return made_tensor(None)
    return made_tensor((shape[0], *(shape[axis] for axis in order if isinstance(axis, int))))


def _repeat(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    shape = tensors[0].shape
    if shape is None:
        return made_tensor(("batch", layer.integer("n"), None))
    if len(shape) != 2:
        report_rank(call, layer, shape, 2)
        return made_tensor(None)
    return made_tensor((shape[0], layer.integer("n"), shape[1]))


def _embedding(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    shape = tensors[0].shape
    return made_tensor(None if shape is None else (*shape, layer.integer("output_dim")))


def _recurrent(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    shape, units = tensors[0].shape, layer.integer("units")
    state = truth_of(layer.arguments.get("return_state", Constant(False)))
    sequences = truth_of(layer.arguments.get("return_sequences", Constant(False)))
    if shape is not None and len(shape) != 3:
        report_rank(call, layer, shape, 3)
        shape = None
    if state is not False or sequences is None:
        return made_tensor(None)
    batch: Dim = shape[0] if shape else "batch"
    return made_tensor((batch, shape[1] if shape else None, units) if sequences else (batch, units))


def _bidirectional(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    inner = layer.arguments.get("layer")
    if not isinstance(inner, Layer) or inner.name not in HANDLERS:
        return made_tensor(None)
    made = HANDLERS[inner.name](call, inner, tensors)
    merged = layer.arguments.get("merge_mode", Constant("concat"))
    if made.shape is None or not isinstance(merged, Constant) or merged.value is None:
        return made_tensor(None)
    last = made.shape[-1]
    double = last * 2 if isinstance(last, int) else None
    return made_tensor((*made.shape[:-1], double if merged.value == "concat" else last))


def _time_distributed(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    inner, shape = layer.arguments.get("layer"), tensors[0].shape
    if shape is not None and len(shape) < 3:
        report_rank(call, layer, shape, "at least 3")
        return made_tensor(None)
    if shape is None or not isinstance(inner, (Layer, Model)):
        return made_tensor(None)
    each = call.interpreter.call(inner, passed(tensors[0].with_(shape=(shape[0], *shape[2:]))), call.node)  # type: ignore[arg-type]
    if not isinstance(each, Tensor) or each.shape is None:
        return made_tensor(None)
    return made_tensor((shape[0], shape[1], *each.shape[1:]))


def _elementwise(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    made: Shape | None = tensors[0].shape
    for tensor in tensors[1:]:
        if made is None or tensor.shape is None or len(made) != len(tensor.shape):
            return made_tensor(None)
        try:
            made = broadcast(made, tensor.shape)
        except Mismatch:
            shapes = " and ".join(show(part.shape) for part in tensors)
            call.conflict(
                "shape", f"{layer.name} cannot combine {shapes}", shapes=tuple(t.shape for t in tensors), layer=layer
            )
            return made_tensor(None)
    return made_tensor(made)


def _concatenate(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    shapes = [tensor.shape for tensor in tensors]
    axis = layer.integer("axis") if "axis" in layer.arguments else -1
    known = [shape for shape in shapes if shape is not None]
    if axis is None or len(known) != len(shapes) or not known or len(tensors) < 2:
        return made_tensor(None)
    rank = len(known[0])
    place = axis % rank if -rank <= axis < rank else None
    if place is None:
        return made_tensor(None)
    if any(len(shape) != rank for shape in known) or _differ(known, place):
        listed = " and ".join(map(show, known))
        message = f"{layer.name} cannot concatenate {listed} along axis {axis}"
        call.conflict("shape", message, shapes=tuple(known), layer=layer)
        return made_tensor(None)
    total = product(tuple(shape[place] for shape in known)) is not None
    joined: Dim = sum(shape[place] for shape in known) if total else None  # type: ignore[misc]
    return made_tensor((*known[0][:place], joined, *known[0][place + 1 :]))


def _differ(shapes: list[Shape], place: int) -> bool:
    return any(
        same(first, other) is False
        for shape in shapes[1:]
        for index, (first, other) in enumerate(zip(shapes[0], shape, strict=True))
        if index != place
    )


def _unknown(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    return made_tensor(None)


_SAME = (
    "Activation", "Dropout", "GaussianDropout", "AlphaDropout", "GaussianNoise", "ActivityRegularization", "Masking",
    "BatchNormalization", "LayerNormalization", "GroupNormalization", "UnitNormalization", "Rescaling", "LeakyReLU",
    "ReLU", "PReLU", "ELU", "ThresholdedReLU", "Softmax", "SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D",
    "RandomFlip", "RandomRotation", "RandomZoom", "RandomContrast", "RandomTranslation", "Normalization",
)  # fmt: skip

HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_SAME, unchanged),
    "Dense": _dense,
    **{f"Conv{n}D": convolution(n) for n in (1, 2, 3)},
    **{f"SeparableConv{n}D": convolution(n) for n in (1, 2)},
    **{f"DepthwiseConv{n}D": convolution(n) for n in (1, 2)},
    **{f"LocallyConnected{n}D": convolution(n) for n in (1, 2)},
    **{f"Conv{n}DTranspose": transposed(n) for n in (1, 2, 3)},
    **{f"{kind}Pooling{n}D": pool(n) for kind in ("Max", "Average") for n in (1, 2, 3)},
    **{f"Global{kind}Pooling{n}D": global_pool(n) for kind in ("Max", "Average") for n in (1, 2, 3)},
    **{f"UpSampling{n}D": upsample(n) for n in (1, 2, 3)},
    **{f"ZeroPadding{n}D": margin(n, "padding", 1) for n in (1, 2, 3)},
    **{f"Cropping{n}D": margin(n, "cropping", -1) for n in (1, 2, 3)},
    "Flatten": _flatten,
    "Reshape": _reshape,
    "Permute": _permute,
    "RepeatVector": _repeat,
    "Embedding": _embedding,
    **dict.fromkeys(("LSTM", "GRU", "SimpleRNN", "CuDNNLSTM", "CuDNNGRU"), _recurrent),
    "Bidirectional": _bidirectional,
    "TimeDistributed": _time_distributed,
    **dict.fromkeys(("Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum"), _elementwise),
    "Concatenate": _concatenate,
    "Dot": _unknown,
}
