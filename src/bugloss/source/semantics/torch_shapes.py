"""What PyTorch does to shapes: views, axes, joining, products of matrices, windows."""

from __future__ import annotations

from bugloss.source.follow.call import Call
from bugloss.source.semantics.array_ops import rest
from bugloss.source.semantics.binding import sizes
from bugloss.source.semantics.torch_layers import flattened
from bugloss.source.semantics.torch_operands import made, option, tensor_argument
from bugloss.source.values.shapes import Mismatch, matmul, positive_axis, reshape, same, show, window
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Items,
    Reference,
    Tensor,
    Value,
    integer_of,
    integers_of,
    number_of,
)


def view(call: Call) -> Value:
    tensor = tensor_argument(call)
    given = rest(call)
    written = call.keywords.get("shape") or (
        given[0] if len(given) == 1 and isinstance(given[0], Items) else Items(given)
    )
    if any(isinstance(value, Reference) for value in given):  # x.view(torch.int32)
        return made(call, tensor)
    wanted = None if call.starred else integers_of(written)
    shape = tensor.shape if tensor else None
    try:
        return made(call, tensor, shape=reshape(shape, wanted))
    except Mismatch:
        call.conflict(
            "shape",
            f"{show(shape)} cannot be viewed as {show(wanted)}: the number of elements differs",
            shapes=(shape, wanted),
        )
        return made(call, tensor, shape=None)


def flatten(call: Call) -> Value:
    tensor = tensor_argument(call)
    start = integer_of(option(call, 0, "start_dim"))
    if tensor is None or tensor.shape is None:
        return made(call, tensor, shape=None)
    end = integer_of(option(call, 1, "end_dim"))
    shape = flattened(tensor.shape, start or 0, end)
    return made(call, tensor, shape=shape)


def squeeze(call: Call) -> Value:
    tensor = tensor_argument(call)
    axis = integer_of(option(call, 0, "dim"))
    if tensor is None or tensor.shape is None:
        return made(call, tensor, shape=None)
    if axis is None:
        given = bool(rest(call)) or "dim" in call.keywords
        known = all(isinstance(dim, int) for dim in tensor.shape)
        return made(call, tensor, shape=tuple(d for d in tensor.shape if d != 1) if known and not given else None)
    position = positive_axis(axis, len(tensor.shape))
    if position is None:
        return made(call, tensor, shape=None)
    if tensor.shape[position] == 1:
        return made(call, tensor, shape=tensor.shape[:position] + tensor.shape[position + 1 :])
    return made(call, tensor, shape=tensor.shape if isinstance(tensor.shape[position], int) else None)


def unsqueeze(call: Call) -> Value:
    tensor = tensor_argument(call)
    axis = integer_of(option(call, 0, "dim"))
    if tensor is None or tensor.shape is None or axis is None:
        return made(call, tensor, shape=None)
    position = positive_axis(axis, len(tensor.shape) + 1)
    return made(
        call, tensor, shape=None if position is None else (*tensor.shape[:position], 1, *tensor.shape[position:])
    )


def permute(call: Call) -> Value:
    tensor = tensor_argument(call)
    given = rest(call)
    order = integers_of(given[0] if len(given) == 1 and isinstance(given[0], Items) else Items(given))
    if tensor is None or tensor.shape is None or order is None or not all(isinstance(axis, int) for axis in order):
        return made(call, tensor, shape=None, facts=frozenset({"non-contiguous"}))
    rank = len(tensor.shape)
    if sorted(axis % rank for axis in order if isinstance(axis, int)) != list(range(rank)):
        message = f"permute{show(order)} is not a permutation of the {rank} axes of {show(tensor.shape)}"
        call.conflict("shape", message, shapes=(tensor.shape,))
        return made(call, tensor, shape=None)
    shape = tuple(tensor.shape[axis] for axis in order if isinstance(axis, int))
    return made(call, tensor, shape=shape, facts=frozenset({"non-contiguous"}))


def transpose(call: Call) -> Value:
    tensor = tensor_argument(call)
    axes = [integer_of(option(call, i, f"dim{i}")) for i in (0, 1)] if not call.name.endswith(".t") else [0, 1]
    unordered = frozenset({"non-contiguous"})
    if tensor is None or tensor.shape is None or None in axes:
        return made(call, tensor, shape=None, facts=unordered)
    rank = len(tensor.shape)
    first, second = (positive_axis(axis, rank) for axis in axes if axis is not None)
    if first is None or second is None:
        return made(call, tensor, shape=None, facts=unordered)
    shape = list(tensor.shape)
    shape[first], shape[second] = shape[second], shape[first]
    return made(call, tensor, shape=tuple(shape), facts=unordered)


def product_of_matrices(call: Call) -> Value:
    first = tensor_argument(call)
    second = option(call, 0, "other", "mat2")
    shapes = (first.shape if first else None, second.shape if isinstance(second, Tensor) else None)
    try:
        shape = matmul(*shapes)
    except Mismatch:
        call.conflict(
            "shape", f"{show(shapes[0])} and {show(shapes[1])} cannot be multiplied as matrices", shapes=shapes
        )
        shape = None
    return made(call, first, shape=shape, interval=ANYTHING, inputs=(first or UNKNOWN, second))


def pool2d(call: Call) -> Value:
    """``F.max_pool2d(x, 2)``."""
    tensor = tensor_argument(call)
    axes = int(call.name[-2])
    if tensor is None or tensor.shape is None or len(tensor.shape) not in {axes + 1, axes + 2}:
        return made(call, tensor, shape=None)
    kernel = sizes(option(call, 0, "kernel_size"), axes)
    given = option(call, 1, "stride")
    stride = sizes(given, axes) if number_of(given) is not None or isinstance(given, Items) else kernel
    padding_value = option(call, 2, "padding")
    padding = sizes(padding_value, axes) if len(rest(call)) > 2 or "padding" in call.keywords else [0] * axes
    try:
        spatial = [window(*part) for part in zip(tensor.shape[-axes:], kernel, stride, padding, strict=True)]
    except Mismatch:
        call.conflict(
            "window",
            f"the window of {call.name.rsplit('.', 1)[-1]} is larger than its input of shape {show(tensor.shape)}",
            shapes=(tensor.shape,),
        )
        spatial = [None] * axes
    return made(call, tensor, shape=(*tensor.shape[:-axes], *spatial))


def linear(call: Call) -> Value:
    tensor = tensor_argument(call)
    weight = call.argument(1, "weight")
    if tensor is None or tensor.shape is None or not isinstance(weight, Tensor) or weight.shape is None:
        return made(call, tensor, shape=None, interval=ANYTHING)
    if len(weight.shape) == 2 and same(tensor.shape[-1], weight.shape[1]) is False:
        call.conflict(
            "shape",
            f"linear: input {show(tensor.shape)} does not match weight {show(weight.shape)}",
            shapes=(tensor.shape, weight.shape),
        )
    return made(call, tensor, shape=(*tensor.shape[:-1], weight.shape[0]), interval=ANYTHING)
