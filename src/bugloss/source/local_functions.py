"""Which functions of a file use which others, as far as their names show."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from bugloss.source.text.syntax import FunctionNode, method_of, walk_here

if TYPE_CHECKING:
    from bugloss.source.program import Program

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_MOST = 25  # functions to follow from one place: enough for programs, little enough for generated files


def functions_by_name(program: Program) -> dict[str, list[FunctionNode]]:
    """Functions and methods of the file by their bare name."""
    return program.remembered(_find_functions)


def scope_of(program: Program, node: ast.AST) -> ast.AST:
    """The function around a node, else the module."""
    return program.enclosing(node, *_FUNCTIONS) or program.tree


def scope_text(program: Program, node: ast.AST) -> str:
    """The text of the function around a node, else of the whole file."""
    scope = scope_of(program, node)
    return program.source.segment(scope) if isinstance(scope, ast.stmt) else program.source.text


def around(program: Program, scope: ast.AST) -> set[ast.AST]:
    """The scope, and all scopes that use it directly or through others, by name."""
    users = program.remembered(_find_users)
    found, waiting = {scope}, [scope]
    while waiting:
        current = waiting.pop()
        name = current.name if isinstance(current, _FUNCTIONS) else None
        for user in users.get(name or "", ()):
            if user not in found:
                found.add(user)
                waiting.append(user)
        if isinstance(current, _FUNCTIONS) and name not in users:
            outer = scope_of(program, current)
            if outer not in found:
                found.add(outer)
                waiting.append(outer)
    return found


def reachable(program: Program, nodes: ast.AST | Iterable[ast.AST]) -> list[ast.AST]:
    """All nodes below, and those of the file's own functions that are called from there."""
    seen: set[ast.AST] = set()
    waiting = [nodes] if isinstance(nodes, ast.AST) else list(nodes)
    result: list[ast.AST] = []
    while waiting:
        for node in walk_here(waiting.pop()):
            result.append(node)
            for function in functions_by_name(program).get(method_of(node), ()):
                if function not in seen and len(seen) < _MOST:
                    seen.add(function)
                    waiting += function.body
    return result


def _find_functions(program: Program) -> dict[str, list[FunctionNode]]:
    found: dict[str, list[FunctionNode]] = defaultdict(list)
    for kind in _FUNCTIONS:
        for node in program.nodes[kind]:
            if isinstance(node, _FUNCTIONS):
                found[node.name].append(node)
    return found


def _find_users(program: Program) -> dict[str, set[ast.AST]]:
    """For every function name the scopes in which it is read."""
    names = functions_by_name(program)
    users: dict[str, set[ast.AST]] = defaultdict(set)
    for node in (*program.nodes[ast.Name], *program.nodes[ast.Attribute]):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if name in names and isinstance(getattr(node, "ctx", None), ast.Load):
            users[name].add(scope_of(program, node))
    return users
