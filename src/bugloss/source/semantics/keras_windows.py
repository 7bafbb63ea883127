"""Keras layers that slide a window over images, sequences or volumes, stretch them, pad them or cut them."""

from __future__ import annotations

from collections.abc import Callable

from bugloss.source.follow.call import Call
from bugloss.source.semantics.binding import sizes
from bugloss.source.values.shapes import Mismatch, show, window
from bugloss.source.values.values import (
    Constant,
    Dim,
    Items,
    Layer,
    Shape,
    Tensor,
    integer_of,
    integers_of,
    truth_of,
)

Handler = Callable[[Call, Layer, list[Tensor]], Tensor]


def made_tensor(shape: Shape | None, dtype: str | None = "float32") -> Tensor:
    return Tensor("keras", shape, dtype)


def report_rank(call: Call, layer: Layer, shape: Shape, rank: int | str) -> None:
    message = f"{layer.name} expects {rank} dimensions (with the batch), but its input has shape {show(shape)}"
    call.conflict("shape", message, shapes=(shape,), layer=layer)


def _channels_first(layer: Layer) -> bool | None:
    """Where the channels stand; None when that cannot be known. The library's default is last."""
    value = layer.arguments.get("data_format", Constant(None))
    if not isinstance(value, Constant):
        return None
    return bool(value.value == "channels_first")


def _split(call: Call, layer: Layer, tensor: Tensor, axes: int) -> tuple[Shape, bool] | None:
    """The spatial sizes and whether channels come first; a wrong rank is a contradiction."""
    shape, first = tensor.shape, _channels_first(layer)
    if shape is None:
        return None
    if len(shape) != axes + 2:
        report_rank(call, layer, shape, axes + 2)
        return None
    if first is None:
        return None
    return (shape[2:] if first else shape[1:-1]), first


def _joined(shape: Shape, spatial: list[Dim], channels: Dim, first: bool) -> Tensor:
    return made_tensor((shape[0], channels, *spatial) if first else (shape[0], *spatial, channels))


def _unknown_map(tensor: Tensor, axes: int, channels: Dim, layer: Layer) -> Tensor:
    """The rank and the channels are known even when the sizes are not."""
    if _channels_first(layer) is not False:
        return made_tensor(
            (None,) * (axes + 2) if _channels_first(layer) is None else ("batch", channels, *[None] * axes)
        )
    batch = tensor.shape[0] if tensor.shape else "batch"
    return made_tensor((batch, *[None] * axes, channels))


def convolution(axes: int) -> Handler:
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


def transposed(axes: int) -> Handler:
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


def pool(axes: int) -> Handler:
    def apply(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
        tensor = tensors[0]
        parts = _split(call, layer, tensor, axes)
        if parts is None or tensor.shape is None:
            return made_tensor((None,) * (axes + 2))
        spatial, first = parts
        size = sizes(layer.arguments.get("pool_size"), axes, 2)
        given = layer.arguments.get("strides", Constant(None))
        stride = size if isinstance(given, Constant) and given.value is None else sizes(given, axes)
        channels = tensor.shape[1] if first else tensor.shape[-1]
        moved = _slide(call, layer, tensor.shape, spatial, (size, stride, [1] * axes))
        return _joined(tensor.shape, moved, channels, first)

    return apply


def global_pool(axes: int) -> Handler:
    def apply(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
        tensor = tensors[0]
        parts = _split(call, layer, tensor, axes)
        kept = layer.arguments.get("keepdims", Constant(False))
        if truth_of(kept) is not False:
            return made_tensor(None)
        if parts is None or tensor.shape is None:
            return made_tensor(("batch", None))
        return made_tensor((tensor.shape[0], tensor.shape[1] if parts[1] else tensor.shape[-1]))

    return apply


def upsample(axes: int) -> Handler:
    def apply(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
        parts = _split(call, layer, tensors[0], axes)
        if parts is None or tensors[0].shape is None:
            return made_tensor((None,) * (axes + 2))
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


def margin(axes: int, key: str, sign: int) -> Handler:
    def apply(call: Call, layer: Layer, tensors: list[Tensor]) -> Tensor:
        parts = _split(call, layer, tensors[0], axes)
        shape = tensors[0].shape
        if parts is None or shape is None:
            return made_tensor((None,) * (axes + 2))
        made: list[Dim] = [
            size + sign * sum(around) if isinstance(size, int) and around is not None else None
            for size, around in zip(parts[0], _margins(layer, key, axes, 1), strict=True)
        ]
        if any(isinstance(size, int) and size <= 0 for size in made):
            message = f"{layer.name} crops the whole input, which has shape {show(shape)}"
            call.conflict("window", message, shapes=(shape,), layer=layer)
            made = [None] * axes
        return _joined(shape, made, shape[1] if parts[1] else shape[-1], parts[1])

    return apply
