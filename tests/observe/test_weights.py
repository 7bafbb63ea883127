"""Every log-odds is a row with a reason: none stands in the code, none is there that no fault asks for."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import ModuleType

import pytest

from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.observe.causes import data, generalization, initialization, objective, optimization, plain
from bugloss.observe.causes.plain import PlainFault
from bugloss.observe.fault import Fault
from bugloss.observe.weights import read_rows, shared_weights

FAULTS = load(PluginGroup.FAULT, Fault)
ROWS = tuple(read_rows())
REASONED = (data, generalization, initialization, objective, optimization)
CLUE_MAKERS = {"Clue": 0, "seen": 1}  # which argument is the name of the clue


def test_each_row_says_why_and_where_it_comes_from() -> None:
    for row in ROWS:
        assert row.why.endswith("."), row
        assert len(row.why.split()) >= 5, row
        assert row.source in {"hand", "fitted"}, row
        assert row.source == "fitted" or row.value == row.hand, row


def test_a_fit_never_turns_a_clue_round() -> None:
    """The sentence of a row says whether it counts for the fault or against it."""
    assert [row for row in ROWS if row.table != "shared" and row.value * row.hand <= 0] == []


def test_each_fault_has_a_table_and_each_table_a_fault() -> None:
    assert {row.table for row in ROWS} - {"shared"} == set(FAULTS)


def test_shared_rows_are_those_that_are_read() -> None:
    assert {row.name for row in ROWS if row.table == "shared"} == set(shared_weights().__slots__)


@pytest.mark.parametrize("module", REASONED, ids=lambda module: module.__name__.rpartition(".")[2])
def test_the_clues_of_a_fault_are_its_rows(module: ModuleType) -> None:
    for fault in module.PLUGINS:
        assert set(_clue_names(module, type(fault).__name__)) == set(fault.weights.seen), fault.name


@pytest.mark.parametrize("module", (*REASONED, plain), ids=lambda module: module.__name__.rpartition(".")[2])
def test_no_clue_is_given_a_number(module: ModuleType) -> None:
    for call in _clue_calls(ast.parse(inspect.getsource(module))):
        name = call.args[CLUE_MAKERS[call.func.id] :][:1]  # type: ignore[attr-defined]
        numbers = [part for part in name if isinstance(part, ast.Constant) and not isinstance(part.value, str)]
        assert not numbers, ast.unparse(call)


def test_a_plain_fault_names_a_symptom() -> None:
    for fault in plain.PLUGINS:
        assert isinstance(fault, PlainFault)
        assert fault.weights.seen, fault.name


def _clue_names(module: ModuleType, name: str) -> Iterator[str]:
    """The clues that a class makes, itself or in functions of its module that it calls."""
    tree = ast.parse(inspect.getsource(module))
    parts = {part.name: part for part in tree.body if isinstance(part, ast.ClassDef | ast.FunctionDef)}
    calls = [node for node in ast.walk(parts[name]) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    helpers = [parts[call.func.id] for call in calls if isinstance(call.func, ast.Name) and call.func.id in parts]
    for part in (parts[name], *helpers):
        for call in _clue_calls(part):
            yield from _names(call)


def _clue_calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CLUE_MAKERS:
            yield node


def _names(call: ast.Call) -> Iterator[str]:
    """The strings that can be the name: given, chosen between two, or that of the symptom."""
    position = CLUE_MAKERS[call.func.id]  # type: ignore[attr-defined]
    given = call.args[position] if len(call.args) > position else call.args[0]
    if isinstance(given, ast.IfExp):
        parts: list[ast.expr] = [given.body, given.orelse]
    else:
        parts = [given]
    for part in parts:
        inner = ast.walk(part)
        yield from (node.value for node in inner if isinstance(node, ast.Constant) and isinstance(node.value, str))
