"""Small questions about syntax nodes that many rules ask: who receives a call, which names stand in an expression."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
LoopNode = ast.For | ast.AsyncFor | ast.While
_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def dotted(node: ast.AST | None) -> str:
    """``a.b.c`` for a chain of attributes that starts with a name, else the empty text."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def last_part(node: ast.AST | None) -> str:
    """The last name of a chain: ``optimizer`` of ``self.optimizer``; also of ``optimizers["adam"]``."""
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def method_of(node: ast.AST) -> str:
    """The bare name of a called method or function."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def receiver_of(call: ast.Call) -> ast.expr | None:
    """What stands before the dot of a method call."""
    return call.func.value if isinstance(call.func, ast.Attribute) else None


def keyword_of(call: ast.Call, name: str) -> ast.expr | None:
    """The expression given for a keyword."""
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def spreads(call: ast.Call) -> bool:
    """Whether ``*args`` or ``**kwargs`` may bring arguments that are not seen."""
    return any(keyword.arg is None for keyword in call.keywords) or any(
        isinstance(argument, ast.Starred) for argument in call.args
    )


def is_constant(node: ast.AST | None, value: object) -> bool:
    """Whether the node is exactly this literal; ``True`` is not 1 here."""
    return isinstance(node, ast.Constant) and type(node.value) is type(value) and node.value == value


def walk_here(nodes: ast.AST | Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes below, without entering functions, classes and lambdas that are defined inside."""
    waiting = [nodes] if isinstance(nodes, ast.AST) else list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, _NESTED)]


def calls_in(nodes: ast.AST | Iterable[ast.AST], *methods: str) -> list[ast.Call]:
    """Calls below whose bare name is one of these, in the order they stand."""
    found = [node for node in walk_here(nodes) if isinstance(node, ast.Call) and method_of(node) in methods]
    return sorted(found, key=lambda call: (call.lineno, call.end_col_offset or 0))


def loads(nodes: ast.AST | Iterable[ast.AST]) -> set[str]:
    """Names that are read below."""
    return {node.id for node in walk_here(nodes) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def stored(target: ast.AST) -> set[str]:
    """Names that a target binds."""
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def same_expression(first: ast.AST, second: ast.AST) -> bool:
    """Whether two expressions are written alike, loads and stores not told apart."""
    return bool(dotted(first)) and dotted(first) == dotted(second)


def targets_of(node: ast.AST) -> list[ast.expr]:
    """What an assignment binds, tuples as they stand."""
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) else []
