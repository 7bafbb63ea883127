"""Small questions about syntax trees that many parts of the room ask."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.reproduce.program.rewriting import first_line
from bugloss.source.text.syntax import method_of


def calls_of(tree: ast.AST, *words: str) -> Iterator[ast.Call]:
    """Calls whose last word is one of these."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call) and method_of(node) in words)


def assigned_calls(tree: ast.AST) -> Iterator[tuple[ast.Assign, ast.Call]]:
    """Assignments of what a call gives, with the call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            yield node, node.value


def module_line(tree: ast.Module, line: int) -> int:
    """The line of the module-level statement around a line."""
    for statement in tree.body:
        if first_line(statement) <= line <= (statement.end_lineno or line):
            return statement.lineno
    return tree.body[0].lineno if tree.body else 1


def flat_targets(target: ast.expr) -> list[str]:
    """The names of an assignment's target, pairs in brackets taken apart."""
    if isinstance(target, ast.Tuple | ast.List):
        return [word for part in target.elts for word in flat_targets(part)]
    return [ast.unparse(target)]
