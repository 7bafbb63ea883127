"""Arithmetic on shapes, compared with formulas that are written another way."""

from __future__ import annotations

from itertools import zip_longest
from math import prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bugloss.source.values.shapes import (
    Mismatch,
    broadcast,
    matmul,
    positive_axis,
    product,
    reshape,
    same,
    show,
    window,
)
from bugloss.source.values.values import Dim, Shape

KNOWN = st.lists(st.integers(1, 4), max_size=4).map(tuple)
PARTLY = st.lists(st.sampled_from([1, 2, 3, None, "batch"]), max_size=4).map(tuple)
SMALL = st.integers(1, 6)


def instances(shape: Shape) -> list[tuple[int, ...]]:
    """What the unknown dimensions may turn out to be: all ones, all twos, all threes; "batch" is always the same."""
    return [tuple(dim if isinstance(dim, int) else size for dim in shape) for size in (1, 2, 3)]


def broadcast_known(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...] | None:
    """By NumPy's rule, from the back."""
    result = []
    for a, b in zip_longest(reversed(first), reversed(second), fillvalue=1):
        if len({a, b} - {1}) > 1:
            return None
        result.append(max(a, b))
    return tuple(reversed(result))


def agrees(claimed: Dim, real: int, size: int) -> bool:
    return claimed is None or (claimed == size if isinstance(claimed, str) else claimed == real)


@given(KNOWN, KNOWN)
def test_known_shapes_broadcast_as_in_numpy(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    expected = broadcast_known(first, second)
    if expected is None:
        with pytest.raises(Mismatch):
            broadcast(first, second)
    else:
        assert broadcast(first, second) == broadcast(second, first) == expected


@given(PARTLY, PARTLY)
def test_shapes_clash_only_when_no_sizes_of_the_unknown_make_them_agree(first: Shape, second: Shape) -> None:
    try:
        broadcast(first, second)
    except Mismatch:
        for a in instances(first):
            for b in instances(second):
                assert broadcast_known(a, b) is None


@given(PARTLY, PARTLY)
def test_what_is_claimed_of_a_partly_known_broadcast_holds_for_every_size(first: Shape, second: Shape) -> None:
    try:
        claimed = broadcast(first, second)
    except Mismatch:
        return
    assert claimed is not None
    for size, a, b in zip((1, 2, 3), instances(first), instances(second), strict=True):
        real = broadcast_known(a, b)
        if real is not None and "batch" not in claimed:
            assert all(agrees(dim, there, size) for dim, there in zip(claimed, real, strict=True))


def test_an_unknown_shape_agrees_with_everything() -> None:
    assert broadcast(None, (3, 4)) is None
    assert matmul((3, 4), None) is None
    assert reshape(None, (2, -1)) == (2, None)
    assert reshape((2, 3), None) is None


@given(SMALL, SMALL, SMALL, KNOWN, KNOWN)
def test_matrices_multiply_with_their_batches_broadcast(
    m: int, k: int, n: int, first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    batch = broadcast_known(first, second)
    assume(batch is not None)
    assert batch is not None
    assert matmul((*first, m, k), (*second, k, n)) == (*batch, m, n)
    with pytest.raises(Mismatch):
        matmul((*first, m, k), (*second, k + 1, n))


@given(SMALL, SMALL, SMALL, KNOWN)
def test_a_vector_loses_its_dimension_in_a_product(m: int, k: int, n: int, batch: tuple[int, ...]) -> None:
    assert matmul((k,), (k,)) == ()
    assert matmul((*batch, m, k), (k,)) == (*batch, m)
    assert matmul((k,), (*batch, k, n)) == (*batch, n)


def test_a_product_with_an_unknown_inner_dimension_is_no_clash() -> None:
    assert matmul((2, None), (5, 3)) == (2, 3)
    assert matmul(("batch", 4), (4, 3)) == ("batch", 3)


@given(st.integers(1, 12), st.integers(1, 5), st.integers(1, 4), st.integers(0, 3), st.integers(1, 3))
def test_a_window_has_as_many_positions_as_can_be_counted(
    size: int, kernel: int, stride: int, padding: int, dilation: int
) -> None:
    reach = dilation * (kernel - 1)
    positions = [start for start in range(0, size + 2 * padding, stride) if start + reach < size + 2 * padding]
    if positions:
        assert window(size, kernel, stride, padding, dilation) == len(positions)
    else:
        with pytest.raises(Mismatch):
            window(size, kernel, stride, padding, dilation)


def test_a_window_over_an_unknown_length_is_unknown() -> None:
    assert window(None, 3, 1, 0) is None
    assert window("batch", 3, 1, 0) is None
    assert window(5, None, 1, 0) is None


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(0, 1))
def test_a_reshape_keeps_the_number_of_elements(dims: list[int], free: int) -> None:
    wanted = [prod(dims[: len(dims) // 2]), prod(dims[len(dims) // 2 :])]
    assert reshape(tuple(dims), tuple(wanted)) == tuple(wanted)
    asked: list[int] = list(wanted)
    asked[free] = -1
    assert reshape(tuple(dims), tuple(asked)) == tuple(wanted)
    with pytest.raises(Mismatch):
        reshape(tuple(dims), (wanted[0], wanted[1] + 1))


def test_a_named_batch_cancels_in_a_reshape() -> None:
    assert reshape(("batch", 4, 5), (-1, 20)) == ("batch", 20)
    assert reshape(("batch", 4, 5), ("batch", -1)) == ("batch", 20)
    assert reshape(("batch", 4, 5), ("batch", 20)) == ("batch", 20)
    with pytest.raises(Mismatch):
        reshape(("batch", 4, 5), ("batch", 21))


def test_a_reshape_of_an_unknown_batch_is_no_clash() -> None:
    assert reshape(("batch", 4, 5), (-1, 10)) == (None, 10)
    assert reshape((None, 4), (7, 3)) == (7, 3)
    assert reshape((6, 4), (-1, -1)) == (None, None)


def test_a_shape_with_no_elements_can_be_reshaped() -> None:
    assert reshape((0, 4), (0, 2, 2)) == (0, 2, 2)
    assert reshape((0, 4), (-1, 4)) == (0, 4)


@given(KNOWN)
def test_the_product_is_the_number_of_elements(shape: tuple[int, ...]) -> None:
    assert product(shape) == prod(shape)
    assert product((*shape, None)) is None


@given(st.integers(-6, 6), st.integers(0, 5))
def test_an_axis_is_one_that_a_list_of_that_length_has(axis: int, rank: int) -> None:
    try:
        expected = list(range(rank))[axis]
    except IndexError:
        expected = None
    assert positive_axis(axis, rank) == expected


def test_dimensions_are_equal_different_or_not_known() -> None:
    assert same(3, 3) is True
    assert same(3, 4) is False
    assert same("batch", "batch") is True
    assert same("batch", 3) is None
    assert same(None, None) is None


def test_shapes_are_shown_as_people_write_them() -> None:
    assert [show(shape) for shape in ((32, None, 10), (3,), (), None)] == [
        "(32, ?, 10)",
        "(3,)",
        "()",
        "an unknown shape",
    ]
