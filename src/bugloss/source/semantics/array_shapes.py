"""Reshaping, transposing, joining, multiplying arrays as NumPy and TensorFlow spell it; contradictions are reported."""

from __future__ import annotations

from bugloss.source.follow.call import Call
from bugloss.source.semantics.array_ops import Meaning, made, moved, option, rest, shape_of, subject
from bugloss.source.semantics.binding import library_of
from bugloss.source.semantics.dtypes import clash_of_dtypes
from bugloss.source.values.shapes import Mismatch, matmul, positive_axis, reshape, same, show
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Constant,
    Dim,
    Items,
    Shape,
    Tensor,
    Value,
    integer_of,
    integers_of,
    number_of,
    truth_of,
)

_TURNED = ("transpose_a", "transpose_b", "adjoint_a", "adjoint_b")


def reshaped(call: Call) -> Value:
    base = subject(call)
    others = rest(call)
    single = isinstance(call.receiver, Tensor) and len(others) > 1
    written = option(call, 0, "shape", "newshape") or UNKNOWN
    sole = number_of(written)
    wanted = integers_of(Items(others)) if single else (sole,) if isinstance(sole, int) else integers_of(written)
    shape = shape_of(base)
    if call.starred:
        return moved(call, base, shape=None)
    try:
        return moved(call, base, shape=reshape(shape, wanted))
    except Mismatch:
        message = f"{show(shape)} cannot be reshaped to {show(wanted)}: the number of elements differs"
        call.conflict("shape", message, shapes=(shape, wanted))
        return moved(call, base, shape=None)


def transposed(call: Call) -> Value:
    base = subject(call)
    shape = shape_of(base)
    others = rest(call)
    given = option(call, 0, "axes", "perm")
    order = integers_of(Items(others)) if len(others) > 1 else integers_of(given) if given is not None else None
    if shape is None or (given is not None and order is None):
        return moved(call, base, shape=None)
    if order is None:
        return moved(call, base, shape=tuple(reversed(shape)))
    if not all(isinstance(axis, int) for axis in order):
        return moved(call, base, shape=None)
    axes = [axis % len(shape) for axis in order if isinstance(axis, int)] if shape else []
    if sorted(axes) != list(range(len(shape))):
        message = f"the axes {show(order)} are not a permutation of the {len(shape)} axes of {show(shape)}"
        call.conflict("shape", message, shapes=(shape,))
        return moved(call, base, shape=None)
    return moved(call, base, shape=tuple(shape[axis] for axis in axes))


def expanded(call: Call) -> Value:
    """``expand_dims``."""
    base = subject(call)
    shape, axis = shape_of(base), number_of(option(call, 0, "axis", "dim") or UNKNOWN)
    if shape is None or not isinstance(axis, int):
        return moved(call, base, shape=None)
    position = positive_axis(axis, len(shape) + 1)
    return moved(call, base, shape=None if position is None else (*shape[:position], 1, *shape[position:]))


def squeezed(call: Call) -> Value:
    base = subject(call)
    shape = shape_of(base)
    given = option(call, 0, "axis", "squeeze_dims")
    if shape is None:
        return moved(call, base, shape=None)
    if given is None:
        known = all(isinstance(dim, int) for dim in shape)
        return moved(call, base, shape=tuple(dim for dim in shape if dim != 1) if known else None)
    number = number_of(given)
    axes = (number,) if isinstance(number, int) else integers_of(given) or (None,)
    positions = [positive_axis(axis, len(shape)) if isinstance(axis, int) else None for axis in axes]
    if None in positions:
        return moved(call, base, shape=None)
    wrong = [shape[position] for position in positions if position is not None and shape[position] != 1]
    if any(isinstance(dim, int) for dim in wrong):
        message = f"only axes of size 1 can be squeezed, and the shape is {show(shape)}"
        call.conflict("shape", message, shapes=(shape,))
        return moved(call, base, shape=None)
    return moved(call, base, shape=tuple(dim for index, dim in enumerate(shape) if index not in positions))


def flattened_whole(call: Call) -> Value:
    """``x.flatten()`` and ``np.ravel(x)``: one axis is left."""
    base = subject(call)
    shape = shape_of(base)
    total: Dim = 1
    for dim in shape or ():
        total = total * dim if isinstance(total, int) and isinstance(dim, int) else None
    return moved(call, base, shape=(total,) if shape is not None else (None,))


def joined(call: Call) -> Value:
    """``concatenate([a, b], axis)`` and ``tf.concat``."""
    parts = parts_of(call)
    axis = integer_of(axis_of(call))
    result = Tensor(library_of(call.name), made_by=call.name, node=call.node)
    if not isinstance(parts, Items) or not parts.complete or axis is None:
        return result
    return join_along(call, parts.items, axis, result.with_(inputs=tuple(parts.items)))


def parts_of(call: Call) -> Value:
    """The sequence that is joined, as NumPy, TensorFlow and PyTorch call it."""
    named = (call.keywords[name] for name in ("values", "arrays", "tensors") if name in call.keywords)
    return call.positional[0] if call.positional else next(named, UNKNOWN)


def axis_of(call: Call) -> Value:
    return option(call, 0, "axis", "dim") or Constant(0)


def stacked_along(axis: int, otherwise: int) -> Meaning:
    """``vstack`` joins along the first axis, ``hstack`` along the second (or the only one)."""

    def apply(call: Call) -> Value:
        parts = call.argument(0)
        result = Tensor(library_of(call.name), made_by=call.name, node=call.node)
        if not isinstance(parts, Items) or not parts.complete:
            return result
        ranks = {part.rank for part in parts.items if isinstance(part, Tensor)}
        if ranks == {1} and axis == 1:
            return join_along(call, parts.items, otherwise, result)
        return result if None in ranks or ranks == {1} else join_along(call, parts.items, axis, result)

    return apply


def join_along(call: Call, parts: list[Value], axis: int, result: Tensor) -> Value:
    tensors = [part for part in parts if isinstance(part, Tensor)]
    known = [tensor.shape for tensor in tensors if tensor.shape is not None]
    if not parts or len(tensors) != len(parts):
        return result
    interval = tensors[0].interval
    for tensor in tensors[1:]:
        interval = interval.union(tensor.interval)
    dtypes = {tensor.dtype for tensor in tensors}
    result = result.with_(interval=interval, dtype=tensors[0].dtype if len(dtypes) == 1 else None)
    if len(known) != len(parts):
        return result
    position = positive_axis(axis, len(known[0]))
    for other in known[1:]:
        if _cannot_join(known[0], other, position):
            message = f"arrays of shapes {show(known[0])} and {show(other)} cannot be concatenated along axis {axis}"
            call.conflict("shape", message, shapes=(known[0], other))
            return result
    if position is None:
        return result
    lengths = [shape[position] for shape in known]
    total: Dim = sum(d for d in lengths if isinstance(d, int)) if all(isinstance(d, int) for d in lengths) else None
    common = [next((size for size in sizes if size is not None), None) for sizes in zip(*known, strict=True)]
    return result.with_(shape=(*common[:position], total, *common[position + 1 :]))


def _cannot_join(first: Shape, second: Shape, position: int | None) -> bool:
    if len(first) != len(second):
        return True
    pairs = enumerate(zip(first, second, strict=True))
    return any(same(a, b) is False for index, (a, b) in pairs if index != position)


def stacked(call: Call) -> Value:
    """``stack([a, b])`` puts equal shapes under a new axis."""
    parts = parts_of(call)
    axis = number_of(axis_of(call))
    result = Tensor(library_of(call.name), made_by=call.name, node=call.node)
    if not isinstance(parts, Items) or not parts.complete or not isinstance(axis, int) or not parts.items:
        return result
    tensors = [part for part in parts.items if isinstance(part, Tensor)]
    shapes = [tensor.shape for tensor in tensors if tensor.shape is not None]
    result = result.with_(inputs=tuple(parts.items), dtype=tensors[0].dtype if tensors else None)
    if len(shapes) != len(parts.items):
        return result
    for other in shapes[1:]:
        if _cannot_join(shapes[0], other, None):
            message = f"arrays of different shapes {show(shapes[0])} and {show(other)} cannot be stacked"
            call.conflict("shape", message, shapes=(shapes[0], other))
            return result
    position = positive_axis(axis, len(shapes[0]) + 1)
    if position is None:
        return result
    return result.with_(shape=(*shapes[0][:position], len(shapes), *shapes[0][position:]))


def matrix_product(call: Call) -> Value:
    first, second = subject(call), option(call, 0, "b", "other", "x2") or UNKNOWN
    shapes = (shape_of(first), shape_of(second))
    turned = any(truth_of(call.keywords.get(name, Constant(False))) is not False for name in _TURNED)
    unlike = call.name.endswith("dot") and (() in shapes or any(shape and len(shape) > 2 for shape in shapes))
    if turned or unlike:
        shapes = (None, None)
    try:
        shape = matmul(*shapes)
    except Mismatch:
        message = f"{show(shapes[0])} and {show(shapes[1])} cannot be multiplied as matrices"
        call.conflict("shape", message, shapes=shapes)
        shape = None
    base = first if isinstance(first, Tensor) else second
    result = made(call, base, shape=shape, interval=ANYTHING, inputs=(first, second))
    return result.with_(dtype=None) if clash_of_dtypes(call, first, second) else result
