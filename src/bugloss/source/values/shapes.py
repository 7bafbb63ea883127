"""Arithmetic on shapes: broadcasting, matrix products, convolutions. Unknown dimensions agree with anything."""

from __future__ import annotations

from bugloss.source.values.values import Dim, Shape


class Mismatch(Exception):
    """Two shapes that cannot be combined."""


def show(shape: Shape | None) -> str:
    """``(32, ?, 10)``."""
    if shape is None:
        return "an unknown shape"
    inner = ", ".join("?" if dim is None else str(dim) for dim in shape)
    return f"({inner},)" if len(shape) == 1 else f"({inner})"


def same(first: Dim, second: Dim) -> bool | None:
    """Whether two dimensions are equal: True, False, or None when that is not known."""
    if isinstance(first, int) and isinstance(second, int):
        return first == second
    if first is not None and first == second:
        return True
    return None


def broadcast(first: Shape | None, second: Shape | None) -> Shape | None:
    """The shape of an element-wise operation; raises Mismatch."""
    if first is None or second is None:
        return None
    longer, shorter = (first, second) if len(first) >= len(second) else (second, first)
    padded: Shape = (1,) * (len(longer) - len(shorter)) + shorter
    return tuple(_broadcast_dim(a, b) for a, b in zip(longer, padded, strict=True))


def _broadcast_dim(first: Dim, second: Dim) -> Dim:
    if first == 1:
        return second
    if second == 1:
        return first
    if same(first, second) is False:
        raise Mismatch
    return (
        first if isinstance(first, int) else second if isinstance(second, int) else (first if first == second else None)
    )


def matmul(first: Shape | None, second: Shape | None) -> Shape | None:
    """The shape of a matrix product; raises Mismatch."""
    if first is None or second is None or not first or not second:
        return None
    inner = second[-2] if len(second) > 1 else second[0]
    if same(first[-1], inner) is False:
        raise Mismatch
    rows: Shape = first[:-1] if len(first) > 1 else ()
    columns: Shape = (second[-1],) if len(second) > 1 else ()
    if len(first) > 2 or len(second) > 2:
        batch = broadcast(first[:-2] if len(first) > 2 else (), second[:-2] if len(second) > 2 else ())
        return None if batch is None else (*batch, *(rows[-1:]), *columns)
    return (*rows, *columns)


def product(dims: Shape) -> int | None:
    """The number of elements, when every dimension is known."""
    result = 1
    for dim in dims:
        if not isinstance(dim, int):
            return None
        result *= dim
    return result


def window(size: Dim, kernel: int | None, stride: int | None, padding: int | None, dilation: int | None = 1) -> Dim:
    """The length that a sliding window leaves; raises Mismatch when nothing is left."""
    if not isinstance(size, int) or None in (kernel, stride, padding, dilation):
        return None
    assert kernel is not None and stride is not None and padding is not None and dilation is not None
    reach = dilation * (kernel - 1) + 1
    if size + 2 * padding < reach:
        raise Mismatch
    return (size + 2 * padding - reach) // max(1, stride) + 1


def reshape(shape: Shape | None, wanted: Shape | None) -> Shape | None:
    """A reshape with at most one -1; raises Mismatch when the number of elements differs."""
    if wanted is None:
        return None
    free = [index for index, dim in enumerate(wanted) if dim == -1]
    if shape is None or len(free) > 1:
        return tuple(None if dim == -1 else dim for dim in wanted)
    before, after = _without_common_names(shape, tuple(dim for dim in wanted if dim != -1))
    total, rest = product(before), product(after)
    if not free:
        if total is not None and rest is not None and total != rest:
            raise Mismatch
        return wanted
    result: list[Dim] = list(wanted)
    result[free[0]] = _free_dimension(before, total, rest)
    return tuple(result)


def _without_common_names(first: Shape, second: Shape) -> tuple[Shape, Shape]:
    """Named dimensions such as "batch" that stand on both sides cancel."""
    left, right = list(first), list(second)
    for dim in first:
        if isinstance(dim, str) and dim in right:
            left.remove(dim)
            right.remove(dim)
    return tuple(left), tuple(right)


def _free_dimension(before: Shape, total: int | None, rest: int | None) -> Dim:
    """What -1 stands for; when the known sizes cancel, the one unknown: (batch, 4, 5) to (-1, 20) gives batch."""
    if total is not None and rest:
        if total % rest:
            raise Mismatch
        return total // rest
    unknown = [dim for dim in before if not isinstance(dim, int)]
    known = product(tuple(dim for dim in before if isinstance(dim, int)))
    return unknown[0] if len(unknown) == 1 and known == rest else None


def positive_axis(axis: int, rank: int) -> int | None:
    """A negative axis counted from the front; None when the tensor has no such axis."""
    position = axis + rank if axis < 0 else axis
    return position if 0 <= position < rank else None
