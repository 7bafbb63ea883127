"""Abstract values: what is known, and what is not taken for known."""

from __future__ import annotations

import ast
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.source.follow.flow import assigned_names, element_of, elements, forgotten, item_of, join, unpack
from bugloss.source.follow.scope import Scope
from bugloss.source.text.tree import SyntaxTree
from bugloss.source.values.values import (
    UNKNOWN,
    Constant,
    Interval,
    Items,
    Layer,
    Other,
    Tensor,
    Value,
    dimension_value,
    integer_of,
    integers_of,
    number_of,
    text_of,
    truth_of,
)

CALL = ast.parse("f()", mode="eval").body
NUMBERS = st.floats(allow_nan=False)
INTERVALS = st.tuples(NUMBERS, NUMBERS).map(lambda ends: Interval(min(ends), max(ends)))
SHAPES = st.none() | st.lists(st.sampled_from([None, "batch", 1, 2, 3]), max_size=3).map(tuple)
VALUES = st.one_of(
    st.just(UNKNOWN),
    st.builds(Constant, st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=2)),
    st.builds(Tensor, st.just("torch"), SHAPES, st.sampled_from([None, "float32", "int64"]), INTERVALS),
    st.lists(st.builds(Constant, st.integers(0, 3)), max_size=3).map(Items),
)


def test_truth_values_are_no_numbers() -> None:
    assert number_of(Constant(True)) is None
    assert integer_of(Constant(2.0)) is None
    assert (number_of(Constant(2.5)), integer_of(Constant(7)), text_of(Constant("a"))) == (2.5, 7, "a")


@pytest.mark.parametrize("value", [UNKNOWN, Items([]), Tensor("torch"), Other("range", {}, CALL)], ids=str)
def test_nothing_is_known_of_the_truth_of_what_is_no_constant(value: Value) -> None:
    assert truth_of(value) is None


def test_dimensions_keep_their_names_and_forget_what_is_no_integer() -> None:
    shape = Items([dimension_value("batch"), Constant(3), UNKNOWN, Constant(2.5)])
    assert integers_of(shape) == ("batch", 3, None, None)
    assert integers_of(Constant((1, "a"))) == (1, None)
    assert integers_of(Items([Constant(1)], complete=False)) is None
    assert integers_of(UNKNOWN) is None
    assert dimension_value(None) is UNKNOWN


def test_an_argument_of_a_layer_is_a_number_only_when_it_is_one() -> None:
    assert isinstance(CALL, ast.Call)
    layer = Layer("keras", "keras.layers.Dense", {"units": Constant(3), "use_bias": Constant(True)}, CALL)
    assert (layer.name, layer.integer("units"), layer.number("use_bias"), layer.text("units")) == (
        "Dense",
        3,
        None,
        None,
    )


@given(INTERVALS, INTERVALS, NUMBERS)
def test_the_union_of_intervals_holds_whatever_one_of_them_holds(first: Interval, second: Interval, x: float) -> None:
    union = first.union(second)
    assert not (first.contains(x) or second.contains(x)) or union.contains(x)
    assert union == second.union(first)


def test_an_interval_without_a_bound_is_not_known() -> None:
    assert not Interval().known
    assert Interval(0, math.inf).known


@given(VALUES, VALUES)
def test_a_join_claims_nothing_that_one_side_does_not_hold(first: Value, second: Value) -> None:
    joined = join(first, second)
    if isinstance(joined, Constant):
        assert isinstance(first, Constant) and isinstance(second, Constant)
        assert joined.value == first.value == second.value
        assert type(first.value) is type(second.value)
    if isinstance(joined, Tensor) and joined.shape is not None:
        for side in (first, second):
            assert isinstance(side, Tensor) and side.shape is not None
            assert all(dim is None or dim == there for dim, there in zip(joined.shape, side.shape, strict=True))
    if isinstance(joined, Tensor) and isinstance(first, Tensor):
        assert joined.interval.contains(first.interval.low)
        assert joined.dtype in {None, first.dtype}


@given(VALUES)
def test_a_value_joined_with_itself_or_with_the_unknown(value: Value) -> None:
    assert join(value, value) is value
    assert join(value, UNKNOWN) is UNKNOWN


def test_one_and_true_are_not_the_same_constant() -> None:
    assert join(Constant(1), Constant(True)) is UNKNOWN


def targets(text: str) -> list[ast.expr]:
    node = ast.parse(f"{text} = value").body[0]
    assert isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple)
    return node.targets[0].elts


NUMBERED: list[Value] = [Constant(0), Constant(1), Constant(2)]


def test_a_sequence_is_taken_apart() -> None:
    assert unpack(Items(NUMBERED), targets("a, b, c")) == NUMBERED
    assert unpack(Items(NUMBERED), targets("a, *b")) == [NUMBERED[0], Items(NUMBERED[1:])]
    assert unpack(Items(NUMBERED), targets("*a, b")) == [Items(NUMBERED[:2]), NUMBERED[2]]
    assert unpack(Items(NUMBERED[:1]), targets("a, *b")) == [NUMBERED[0], Items([])]


@pytest.mark.parametrize(
    "value", [UNKNOWN, Items(NUMBERED), Items(NUMBERED[:2], complete=False), Constant("ab")], ids=str
)
def test_what_does_not_fit_the_targets_is_unknown(value: Value) -> None:
    assert unpack(value, targets("a, b")) == [UNKNOWN, UNKNOWN]


@given(st.lists(st.integers(), max_size=6), st.none() | st.integers(-8, 8), st.none() | st.integers(-8, 8))
def test_a_slice_of_known_items_is_that_of_python(numbers: list[int], lower: int | None, upper: int | None) -> None:
    key = Other("slice", {"lower": Constant(lower), "upper": Constant(upper), "step": Constant(None)}, CALL)
    assert item_of(Items([Constant(n) for n in numbers]), key) == Items([Constant(n) for n in numbers[lower:upper]])


@pytest.mark.parametrize("key", [Constant(3), Constant(-4), Constant("a"), UNKNOWN, Constant(1.0)], ids=str)
def test_an_item_that_is_not_there_is_unknown(key: Value) -> None:
    assert item_of(Items(NUMBERED), key) is UNKNOWN


def test_a_slice_with_step_zero_is_unknown_rather_than_an_error() -> None:
    key = Other("slice", {"lower": Constant(None), "upper": Constant(None), "step": Constant(0)}, CALL)
    assert item_of(Items(NUMBERED), key) is UNKNOWN


def test_one_element_stands_for_all_of_a_sequence() -> None:
    assert element_of(Items([Constant(1), Constant(1)])) == Constant(1)
    assert element_of(Items([Constant(1), Constant(2)])) is UNKNOWN
    assert element_of(Items([])) is UNKNOWN
    row = element_of(Tensor("torch", (5, 3)))
    assert isinstance(row, Tensor) and row.shape == (3,)
    assert element_of(Tensor("torch", ())) is UNKNOWN


def test_only_short_ranges_are_walked_one_by_one() -> None:
    short, long = (Other("range", {"range": Constant(range(n))}, CALL) for n in (3, 10**9))
    assert elements(short) == [Constant(0), Constant(1), Constant(2)]
    assert elements(long) is None
    assert elements(Items([], complete=False)) is None


def test_a_loop_forgets_shapes_and_numbers_but_not_the_library() -> None:
    assert forgotten(Tensor("torch", (3,), "float32", Interval(0, 1))) == Tensor("torch", None, "float32")
    assert forgotten(Constant(3)) is UNKNOWN


def test_names_that_a_block_assigns_anywhere_are_found() -> None:
    body = ast.parse(
        "a = 1\nfor b, (c, *d) in x:\n    with e as f:\n        g += 1\nif (h := 2): i[0] = j.k = 3\n"
    ).body
    assert assigned_names(body) == {"a", "b", "c", "d", "f", "g", "h"}


def test_a_variable_is_looked_for_outwards_and_bound_inwards() -> None:
    outer = Scope()
    inner = Scope(Scope(outer))
    outer.variables["x"] = Constant(1)
    assert inner.get("x") == Constant(1)
    inner.variables["x"] = Constant(2)
    assert (inner.get("x"), outer.get("x"), inner.get("y")) == (Constant(2), Constant(1), None)


def test_a_tree_knows_each_node_once_and_its_parent() -> None:
    root = ast.parse("def f(x):\n    return [g(x) for _ in range(3) if x > 1]\n")
    tree = SyntaxTree(root)
    markers = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
    found = [node for nodes in tree.nodes.values() for node in nodes if not isinstance(node, markers)]
    expected = [node for node in ast.walk(root) if not isinstance(node, markers)]
    assert sorted(map(id, found)) == sorted(map(id, expected))
    for node in expected:
        if node is not root:
            assert node in list(ast.iter_child_nodes(tree.parents[node]))
