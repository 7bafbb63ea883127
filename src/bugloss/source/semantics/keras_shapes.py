"""What Keras layers do to shapes. The first dimension is the batch; contradictions are reported, never guessed."""

from __future__ import annotations

from collections.abc import Callable

from bugloss.source.follow.call import Call
from bugloss.source.semantics.binding import sizes
from bugloss.source.values.shapes import Mismatch, broadcast, product, reshape, same, show, window
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Constant,
    Dim,
    Interval,
    Items,
    Layer,
    Model,
    Shape,
    Tensor,
    integer_of,
    integers_of,
    truth_of,
)

Handler = Callable[[Call, Layer, list[Tensor]], Tensor]

_INTERVALS = {
    "sigmoid": Interval(0, 1),
    "hard_sigmoid": Interval(0, 1),
    "softmax": Interval(0, 1),
    "tanh": Interval(-1, 1),
    "softsign": Interval(-1, 1),
    "relu": Interval(0),
    "relu6": Interval(0, 6),
    "softplus": Interval(0),
    "exponential": Interval(0),
    "log_softmax": Interval(high=0),
}
MERGES = ("Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum", "Concatenate", "Dot")


def activation_interval(name: str | None) -> Interval | None:
    """The range of an activation; None for linear and unknown ones."""
    return ANYTHING if name is None else _INTERVALS.get(name)


def _made(shape: Shape | None, dtype: str | None = "float32") -> Tensor:
    return Tensor("keras", shape, dtype)


def _rank_conflict(call: Call, layer: Layer, shape: Shape, rank: int | str) -> None:
    message = f"{layer.name} expects {rank} dimensions (with the batch), but its input has shape {show(shape)}"
    call.conflict("shape", message, shapes=(shape,), layer=layer)


def _channels_first(layer: Layer) -> bool | None:
    """Where the channels stand; None when that cannot be known. The library's default is last."""
    value = layer.arguments.get("data_format", Constant(None))
    if not isinstance(value, Constant):
        return None
    return bool(value.value == "channels_first")


def unchanged(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    return _made(tensors[0].shape, tensors[0].dtype)


def _dense(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    shape = tensors[0].shape
    if shape is None:
        return _made(None)
    if len(shape) < 2:
        _rank_conflict(call, layer, shape, "at least 2")
        return _made(None)
    return _made((*shape[:-1], layer.integer("units")))


def _split(call: Call, layer: Layer, tensor: Tensor, axes: int) -> tuple[Shape, bool] | None:
    """The spatial sizes and whether channels come first; a wrong rank is a contradiction."""
    shape, first = tensor.shape, _channels_first(layer)
    if shape is None:
        return None
    if len(shape) != axes + 2:
        _rank_conflict(call, layer, shape, axes + 2)
        return None
    if first is None:
        return None
    return (shape[2:] if first else shape[1:-1]), first


def _joined(shape: Shape, spatial: list[Dim], channels: Dim, first: bool) -> Tensor:
    return _made((shape[0], channels, *spatial) if first else (shape[0], *spatial, channels))


def _unknown_map(tensor: Tensor, axes: int, channels: Dim, layer: Layer) -> Tensor:
    """The rank and the channels are known even when the sizes are not."""
    if _channels_first(layer) is not False:
        return _made((None,) * (axes + 2) if _channels_first(layer) is None else ("batch", channels, *[None] * axes))
    batch = tensor.shape[0] if tensor.shape else "batch"
    return _made((batch, *[None] * axes, channels))


def _convolution(axes: int) -> Handler:
    def apply(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
        tensor = tensors[0]
        parts = _split(call, layer, tensor, axes)
        channels = _made_channels(layer, tensor)
        if parts is None or tensor.shape is None:
            return _unknown_map(tensor, axes, channels, layer)
        spatial, first = parts
        kernel, stride = layer.arguments.get("kernel_size"), layer.arguments.get("strides")
        dilation = sizes(layer.arguments.get("dilation_rate"), axes, 1)
        moved = _slide(call, layer, tensor.shape, spatial, (sizes(kernel, axes), sizes(stride, axes, 1), dilation))
        return _joined(tensor.shape, moved, channels, first)

    return apply


def _made_channels(layer: Layer, tensor: Tensor) -> Dim:
    if not layer.name.startswith("DepthwiseConv"):
        return layer.integer("filters")
    times = layer.integer("depth_multiplier") or (1 if "depth_multiplier" not in layer.arguments else None)
    last = tensor.shape[-1] if tensor.shape and _channels_first(layer) is False else None
    return last * times if isinstance(last, int) and times is not None else None


def _slide(call: Call, layer: Layer, shape: Shape, spatial: Shape, numbers: tuple[list[int | None], ...]) -> list[Dim]:
    """The sizes after a sliding window; a window larger than what it slides over is a contradiction."""
    padding = layer.arguments.get("padding", Constant("valid"))
    kind = padding.value if isinstance(padding, Constant) else None
    kind = kind.lower() if isinstance(kind, str) else None
    if kind in {"same", "causal"}:
        return [_same_size(size, stride) for size, stride in zip(spatial, numbers[1], strict=True)]
    if kind != "valid":
        return [None] * len(spatial)
    try:
        return [window(size, k, s, 0, d) for size, k, s, d in zip(spatial, *numbers, strict=True)]
    except Mismatch:
        message = f"the window of {layer.name} is larger than its input, which has shape {show(shape)}"
        call.conflict("window", message, shapes=(shape,), layer=layer, window=tuple(numbers[0]))
        return [None] * len(spatial)


def _same_size(size: Dim, stride: int | None) -> Dim:
    if stride == 1:
        return size
    return -(-size // stride) if isinstance(size, int) and stride else None


def _transposed(axes: int) -> Handler:
    def apply(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
        tensor, channels = tensors[0], layer.integer("filters")
        parts = _split(call, layer, tensor, axes)
        if parts is None or tensor.shape is None:
            return _unknown_map(tensor, axes, channels, layer)
        kernel = sizes(layer.arguments.get("kernel_size"), axes)
        stride = sizes(layer.arguments.get("strides"), axes, 1)
        same_padding = (layer.text("padding") or "").lower() == "same"
        plain = "output_padding" not in layer.arguments and (same_padding or "padding" not in layer.arguments)
        made = [
            _stretched(size, k, s, same_padding) if plain else None
            for size, k, s in zip(parts[0], kernel, stride, strict=True)
        ]
        return _joined(tensor.shape, made, channels, parts[1])

    return apply


def _stretched(size: Dim, kernel: int | None, stride: int | None, same_padding: bool) -> Dim:
    if not isinstance(size, int) or kernel is None or stride is None:
        return None
    return size * stride if same_padding else size * stride + max(kernel - stride, 0)


def _pool(axes: int) -> Handler:
    def apply(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
        tensor = tensors[0]
        parts = _split(call, layer, tensor, axes)
        if parts is None or tensor.shape is None:
            return _made((None,) * (axes + 2))
        spatial, first = parts
        size = sizes(layer.arguments.get("pool_size"), axes, 2)
        given = layer.arguments.get("strides", Constant(None))
        stride = size if isinstance(given, Constant) and given.value is None else sizes(given, axes)
        channels = tensor.shape[1] if first else tensor.shape[-1]
        moved = _slide(call, layer, tensor.shape, spatial, (size, stride, [1] * axes))
        return _joined(tensor.shape, moved, channels, first)

    return apply


def _global_pool(axes: int) -> Handler:
    def apply(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
        tensor = tensors[0]
        parts = _split(call, layer, tensor, axes)
        kept = layer.arguments.get("keepdims", Constant(False))
        if truth_of(kept) is not False:
            return _made(None)
        if parts is None or tensor.shape is None:
            return _made(("batch", None))
        return _made((tensor.shape[0], tensor.shape[1] if parts[1] else tensor.shape[-1]))

    return apply


def _upsample(axes: int) -> Handler:
    def apply(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
        parts = _split(call, layer, tensors[0], axes)
        if parts is None or tensors[0].shape is None:
            return _made((None,) * (axes + 2))
        times = sizes(layer.arguments.get("size"), axes, 2)
        made: list[Dim] = [
            size * time if isinstance(size, int) and time is not None else None
            for size, time in zip(parts[0], times, strict=True)
        ]
        shape = tensors[0].shape
        return _joined(shape, made, shape[1] if parts[1] else shape[-1], parts[1])

    return apply


def _margins(layer: Layer, key: str, axes: int, default: int) -> list[tuple[int, int] | None]:
    """Padding or cropping per axis as (before, after): a number, a pair, or pairs."""
    value = layer.arguments.get(key)
    if value is None:
        return [(default, default)] * axes
    number = integer_of(value)
    if number is not None:
        return [(number, number)] * axes
    if not isinstance(value, Items) or (axes == 1 and len(value.items) != 2) or (axes > 1 and len(value.items) != axes):
        return [None] * axes
    if axes == 1:
        return [_pair(value)]
    return [_pair(item) for item in value.items]


def _pair(value: object) -> tuple[int, int] | None:
    if isinstance(value, Constant) and isinstance(value.value, int):
        return value.value, value.value
    numbers = integers_of(value) if isinstance(value, Items) else None
    if numbers is not None and len(numbers) == 2 and isinstance(numbers[0], int) and isinstance(numbers[1], int):
        return numbers[0], numbers[1]
    return None


def _margin(axes: int, key: str, sign: int) -> Handler:
    def apply(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
        parts = _split(call, layer, tensors[0], axes)
        shape = tensors[0].shape
        if parts is None or shape is None:
            return _made((None,) * (axes + 2))
        made: list[Dim] = [
            size + sign * sum(margin) if isinstance(size, int) and margin is not None else None
            for size, margin in zip(parts[0], _margins(layer, key, axes, 1), strict=True)
        ]
        if any(isinstance(size, int) and size <= 0 for size in made):
            message = f"{layer.name} removes all that is there: its input has shape {show(shape)}"
            call.conflict("window", message, shapes=(shape,), layer=layer)
            made = [None] * axes
        return _joined(shape, made, shape[1] if parts[1] else shape[-1], parts[1])

    return apply


def _flatten(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    shape = tensors[0].shape
    if shape is None:
        return _made(("batch", None), tensors[0].dtype)
    return _made((shape[0], product(shape[1:]) if len(shape) > 1 else 1), tensors[0].dtype)


def _reshape(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    wanted, shape = integers_of(layer.arguments.get("target_shape", UNKNOWN)), tensors[0].shape
    if wanted is None:
        return _made(None, tensors[0].dtype)
    batch: Dim = shape[0] if shape else "batch"
    try:
        made = reshape(shape[1:] if shape else None, wanted)
    except Mismatch:
        assert shape is not None
        message = f"{show(shape[1:])} cannot be reshaped to {show(wanted)}: the numbers of elements differ"
        call.conflict("shape", message, shapes=(shape, wanted), layer=layer)
        made = None
    return _made(None if made is None else (batch, *made), tensors[0].dtype)


def _permute(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    order, shape = integers_of(layer.arguments.get("dims", UNKNOWN)), tensors[0].shape
    if order is None or shape is None:
        return _made(None)
    if len(order) != len(shape) - 1:
        message = f"Permute names {len(order)} axes, but its input has shape {show(shape)} with {len(shape) - 1}"
        call.conflict("shape", message, shapes=(shape,), layer=layer)
        return _made(None)
    if any(not isinstance(axis, int) or not 1 <= axis < len(shape) for axis in order):
        return _made(None)
    return _made((shape[0], *(shape[axis] for axis in order if isinstance(axis, int))))


def _repeat(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    shape = tensors[0].shape
    if shape is None:
        return _made(("batch", layer.integer("n"), None))
    if len(shape) != 2:
        _rank_conflict(call, layer, shape, 2)
        return _made(None)
    return _made((shape[0], layer.integer("n"), shape[1]))


def _embedding(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    shape = tensors[0].shape
    return _made(None if shape is None else (*shape, layer.integer("output_dim")))


def _recurrent(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    shape, units = tensors[0].shape, layer.integer("units")
    state = truth_of(layer.arguments.get("return_state", Constant(False)))
    sequences = truth_of(layer.arguments.get("return_sequences", Constant(False)))
    if shape is not None and len(shape) != 3:
        _rank_conflict(call, layer, shape, 3)
        shape = None
    if state is not False or sequences is None:
        return _made(None)
    batch: Dim = shape[0] if shape else "batch"
    return _made((batch, shape[1] if shape else None, units) if sequences else (batch, units))


def _bidirectional(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    inner = layer.arguments.get("layer")
    if not isinstance(inner, Layer) or inner.name not in HANDLERS:
        return _made(None)
    made = HANDLERS[inner.name](call, inner, tensors)
    merged = layer.arguments.get("merge_mode", Constant("concat"))
    if made.shape is None or not isinstance(merged, Constant) or merged.value is None:
        return _made(None)
    last = made.shape[-1]
    double = last * 2 if isinstance(last, int) else None
    return _made((*made.shape[:-1], double if merged.value == "concat" else last))


def _time_distributed(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    inner, shape = layer.arguments.get("layer"), tensors[0].shape
    if shape is not None and len(shape) < 3:
        _rank_conflict(call, layer, shape, "at least 3")
        return _made(None)
    if shape is None or not isinstance(inner, (Layer, Model)):
        return _made(None)
    each = call.interpreter.call(inner, [tensors[0].with_(shape=(shape[0], *shape[2:]))], {}, call.node)  # type: ignore[arg-type]
    if not isinstance(each, Tensor) or each.shape is None:
        return _made(None)
    return _made((shape[0], shape[1], *each.shape[1:]))


def _elementwise(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    made: Shape | None = tensors[0].shape
    for tensor in tensors[1:]:
        if made is None or tensor.shape is None or len(made) != len(tensor.shape):
            return _made(None)
        try:
            made = broadcast(made, tensor.shape)
        except Mismatch:
            shapes = " and ".join(show(part.shape) for part in tensors)
            call.conflict(
                "shape", f"{layer.name} cannot join {shapes}", shapes=tuple(t.shape for t in tensors), layer=layer
            )
            return _made(None)
    return _made(made)


def _concatenate(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    shapes = [tensor.shape for tensor in tensors]
    axis = layer.integer("axis") if "axis" in layer.arguments else -1
    known = [shape for shape in shapes if shape is not None]
    if axis is None or len(known) != len(shapes) or not known or len(tensors) < 2:
        return _made(None)
    rank = len(known[0])
    place = axis % rank if -rank <= axis < rank else None
    if place is None:
        return _made(None)
    if any(len(shape) != rank for shape in known) or _differ(known, place):
        listed = " and ".join(map(show, known))
        call.conflict("shape", f"{layer.name} cannot join {listed} along axis {axis}", shapes=tuple(known), layer=layer)
        return _made(None)
    total = product(tuple(shape[place] for shape in known)) is not None
    joined: Dim = sum(shape[place] for shape in known) if total else None  # type: ignore[misc]
    return _made((*known[0][:place], joined, *known[0][place + 1 :]))


def _differ(shapes: list[Shape], place: int) -> bool:
    return any(
        same(first, other) is False
        for shape in shapes[1:]
        for index, (first, other) in enumerate(zip(shapes[0], shape, strict=True))
        if index != place
    )


def _unknown(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
    return _made(None)


_SAME = (
    "Activation", "Dropout", "GaussianDropout", "AlphaDropout", "GaussianNoise", "ActivityRegularization", "Masking",
    "BatchNormalization", "LayerNormalization", "GroupNormalization", "UnitNormalization", "Rescaling", "LeakyReLU",
    "ReLU", "PReLU", "ELU", "ThresholdedReLU", "Softmax", "SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D",
    "RandomFlip", "RandomRotation", "RandomZoom", "RandomContrast", "RandomTranslation", "Normalization",
)  # fmt: skip

HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_SAME, unchanged),
    "Dense": _dense,
    **{f"Conv{n}D": _convolution(n) for n in (1, 2, 3)},
    **{f"SeparableConv{n}D": _convolution(n) for n in (1, 2)},
    **{f"DepthwiseConv{n}D": _convolution(n) for n in (1, 2)},
    **{f"LocallyConnected{n}D": _convolution(n) for n in (1, 2)},
    **{f"Conv{n}DTranspose": _transposed(n) for n in (1, 2, 3)},
    **{f"{kind}Pooling{n}D": _pool(n) for kind in ("Max", "Average") for n in (1, 2, 3)},
    **{f"Global{kind}Pooling{n}D": _global_pool(n) for kind in ("Max", "Average") for n in (1, 2, 3)},
    **{f"UpSampling{n}D": _upsample(n) for n in (1, 2, 3)},
    **{f"ZeroPadding{n}D": _margin(n, "padding", 1) for n in (1, 2, 3)},
    **{f"Cropping{n}D": _margin(n, "cropping", -1) for n in (1, 2, 3)},
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
