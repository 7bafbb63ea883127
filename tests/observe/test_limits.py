"""Every limit has a name and a reason: a number that decides is a constant, and a comment beside it says why."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from bugloss import observe

ROOM = Path(observe.__path__[0])
DETECTORS = sorted((ROOM / "detectors").glob("*.py"))
NOT_DECIDING = {"sketch.py", "origin.py"}  # example recordings; scores of lines
OTHERS = [path for path in (*ROOM.glob("*.py"), *ROOM.glob("causes/*.py")) if path.name not in NOT_DECIDING]
FEWEST_WORDS = 4
HARMLESS = {0.0, 1.0}


def name(path: Path) -> str:
    return path.relative_to(ROOM).as_posix()


@pytest.mark.parametrize("path", (*DETECTORS, *OTHERS), ids=name)
def test_a_limit_says_why(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for line in _limits(ast.parse(text)):
        above = lines[line - 2] if lines[line - 2].startswith("#") else ""
        beside = lines[line - 1].partition("  # ")[2]
        assert max(len(above.split()), len(beside.split())) >= FEWEST_WORDS, f"{name(path)}:{line}: why this number?"


@pytest.mark.parametrize("path", (*DETECTORS, *OTHERS), ids=name)
def test_no_limit_stands_in_a_function(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [node.lineno for function in _deciding(tree, path) for node in _fractions(function)]
    assert found == [], f"{name(path)}: give the numbers in these lines a name and a reason"


def _limits(tree: ast.Module) -> Iterator[int]:
    """Lines of constants that are a number or several; nested ones are parts of example recordings."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and _is_number(node.value):
            yield node.lineno


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return all(_is_number(part) for part in node.elts)
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _deciding(tree: ast.Module, path: Path) -> Iterator[ast.FunctionDef]:
    """Functions that decide: what precedes the class of a detector makes example recordings, places score lines."""
    begin = next((node.lineno for node in tree.body if isinstance(node, ast.ClassDef)), 0) if path in DETECTORS else 0
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.lineno > begin and not node.name.endswith("places"):
            yield node


def _fractions(function: ast.FunctionDef) -> Iterator[ast.Constant]:
    for node in ast.walk(function):
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value not in HARMLESS:
            yield node
