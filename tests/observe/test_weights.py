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
    parts = _parts(module)
    for fault in module.PLUGINS:
        own = set(_clue_names(parts[type(fault).__name__]))
        called = {name for part in _called(parts, type(fault).__name__) for name in _clue_names(part)}
        assert own <= set(fault.weights.seen) <= own | called, fault.name


@pytest.mark.parametrize("module", REASONED, ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_clue_in_the_code_is_a_row_of_some_fault(module: ModuleType) -> None:
    rows = {name for fault in module.PLUGINS for name in fault.weights.seen}
    assert {name for part in _parts(module).values() for name in _clue_names(part)} <= rows


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


def _parts(module: ModuleType) -> dict[str, ast.ClassDef | ast.FunctionDef]:
    body = ast.parse(inspect.getsource(module)).body
    return {part.name: part for part in body if isinstance(part, ast.ClassDef | ast.FunctionDef)}


def _called(parts: dict[str, ast.ClassDef | ast.FunctionDef], name: str) -> Iterator[ast.AST]:
    """The functions of a module that a class uses, directly or through others."""
    reached, waiting = {name}, [name]
    while waiting:
        used = {node.id for node in ast.walk(parts[waiting.pop()]) if isinstance(node, ast.Name)}
        for each in (used & parts.keys()) - reached:
            reached.add(each)
            waiting.append(each)
            yield parts[each]


def _clue_names(part: ast.AST) -> Iterator[str]:
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
