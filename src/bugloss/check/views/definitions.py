"""What a name stands for at a place: the expression that was last assigned to it, in its own scope or the file's."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from bugloss.source.local_functions import scope_of
from bugloss.source.text.syntax import dotted, targets_of, walk

if TYPE_CHECKING:
    from bugloss.source.program import Program

_MOST_STEPS = 8  # names that stand for names are followed so far


def definition(program: Program, node: ast.expr) -> ast.expr:
    """The expression behind a name, followed through further names; the node itself where nothing is known."""
    current = node
    for _ in range(_MOST_STEPS):
        found = assigned(program, current) if isinstance(current, ast.Name | ast.Attribute) else None
        if found is None:
            break
        current = found
    return current


def assigned(program: Program, node: ast.expr) -> ast.expr | None:
    """What was last assigned to a name before a place; None for parameters, loop variables and calls that unpack."""
    name = dotted(node)
    table = program.remembered(_find_assigned)
    scope = scope_of(program, node)
    here = [(line, value) for line, value, home in table.get(name, ()) if home is scope and line < node.lineno]
    if here:
        return here[-1][1]
    if name.startswith("self."):
        found = [value for _, value, _ in table.get(name, ())]
        return found[0] if len(found) == 1 else None
    outside = [value for _, value, home in table.get(name, ()) if home is program.tree]
    return outside[0] if len(outside) == 1 and scope is not program.tree and name not in _bound(scope) else None


def origin_nodes(program: Program, node: ast.expr) -> list[ast.AST]:
    """All nodes of an expression, those behind its names included, one definition per name."""
    found: list[ast.AST] = []
    seen: set[str] = set()
    waiting: list[ast.AST] = [node]
    while waiting and len(seen) < _MOST_STEPS:
        for part in walk(waiting.pop()):
            found.append(part)
            name = dotted(part) if isinstance(part, ast.Name | ast.Attribute) else ""
            if name and name not in seen and isinstance(part, ast.expr):
                value = assigned(program, part)
                if value is not None:
                    seen.add(name)
                    waiting.append(value)
    return found


def _bound(scope: ast.AST) -> set[str]:
    """Names that a function binds: its parameters and all that it stores to."""
    stores = {part.id for part in walk(scope) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return stores | {part.arg for part in walk(scope) if isinstance(part, ast.arg)}


def _find_assigned(program: Program) -> dict[str, list[tuple[int, ast.expr, ast.AST]]]:
    """Every name with the last lines, expressions and scopes of its assignments, in source order."""
    table: dict[str, list[tuple[int, ast.expr, ast.AST]]] = {}
    for kind in (ast.Assign, ast.AnnAssign):
        for node in program.nodes[kind]:
            value = getattr(node, "value", None)
            for target in targets_of(node):
                for name, part in _pairs(target, value):
                    table.setdefault(name, []).append((getattr(node, "end_lineno", 0), part, scope_of(program, node)))
    for rows in table.values():
        rows.sort(key=lambda row: row[0])
    return table


def _pairs(target: ast.expr, value: ast.expr | None) -> list[tuple[str, ast.expr]]:
    if value is None:
        return []
    if isinstance(target, ast.Tuple | ast.List):
        if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
            return [pair for one, part in zip(target.elts, value.elts, strict=True) for pair in _pairs(one, part)]
        return []
    name = dotted(target)
    return [(name, value)] if name else []
