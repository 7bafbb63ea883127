"""Small questions about syntax nodes that many rules ask: who receives a call, which names occur in an expression."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
LoopNode = ast.For | ast.AsyncFor | ast.While
_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
# Fields that hold no node, or one that only says how a name is used or which operator stands there.
_PLAIN_FIELDS = {
    *("arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs", "level", "module", "name"),
    *("op", "ops", "rest", "simple", "type_comment", "type_ignores"),
}
_KEPT = "_nodes_below"  # the attribute of a node that holds what ``children`` found
_child_fields: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Constant: (), ast.Global: (), ast.Nonlocal: (), ast.MatchSingleton: (),
}  # fmt: skip
if sys.version_info >= (3, 12):
    _child_fields[ast.TypeAlias] = ("name", "type_params", "value")


def children(node: ast.AST) -> tuple[ast.AST, ...]:
    """The nodes right below, in source order; contexts and operators are read off their parents.

    A node keeps them, since many rules ask for them: a node that was asked may not be changed.
    """
    kept: tuple[ast.AST, ...] | None = node.__dict__.get(_KEPT)
    if kept is None:
        kept = node.__dict__[_KEPT] = _nodes_below(node)
    return kept


def _nodes_below(node: ast.AST) -> tuple[ast.AST, ...]:
    """Several times as quick as ``ast.iter_child_nodes``; most nodes have none or one, and no list is made for them."""
    kind = type(node)
    names = _child_fields.get(kind)
    if names is None:
        names = _child_fields[kind] = tuple(name for name in kind._fields if name not in _PLAIN_FIELDS)
    found: tuple[ast.AST, ...] = ()
    attributes = node.__dict__
    for name in names:
        value = attributes.get(name)
        if not value:
            continue
        if type(value) is list:
            found += tuple(value) if None not in value else tuple(item for item in value if item is not None)
        else:
            found += (value,)
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """The node and all below it, breadth first."""
    found = [node]
    for one in found:  # the list grows while it is walked
        below = one.__dict__.get(_KEPT)  # as ``children`` does, which most nodes were asked for before
        found += children(one) if below is None else below
    return found


def dotted(node: ast.AST | None) -> str:
    """``a.b.c`` for a chain of attributes that starts with a name, else the empty text."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def chain_text(node: ast.AST | None) -> str:
    """``a.b["c"][0]`` for a chain of attributes and constant elements that starts with a name, else the empty text."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute):
            parts.append(f".{node.attr}")
        elif isinstance(node.slice, ast.Constant):
            parts.append(f"[{node.slice.value!r}]")
        else:
            return ""
        node = node.value
    return "".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def last_part(node: ast.AST | None) -> str:
    """The last name of a chain: ``optimizer`` of ``self.optimizer``; also of ``optimizers["adam"]``."""
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def method_of(node: ast.AST | None) -> str:
    """The bare name of a called method or function."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def receiver_of(call: ast.Call) -> ast.expr | None:
    """What precedes the dot of a method call."""
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
        below = children(node)
        if below:
            waiting += [child for child in below if type(child) not in _NESTED]


def calls_in(nodes: ast.AST | Iterable[ast.AST], *methods: str) -> list[ast.Call]:
    """Calls below whose bare name is one of these, in the order they stand."""
    found = [node for node in walk_here(nodes) if isinstance(node, ast.Call) and method_of(node) in methods]
    return sorted(found, key=lambda call: (call.lineno, call.end_col_offset or 0))


def loads(nodes: ast.AST | Iterable[ast.AST]) -> set[str]:
    """Names that are read below."""
    return {node.id for node in walk_here(nodes) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def stored(target: ast.AST) -> set[str]:
    """Names that a target binds."""
    return {node.id for node in walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def targets_of(node: ast.AST) -> list[ast.expr]:
    """What an assignment binds, tuples as they stand."""
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) else []


def assigned_pairs(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What an assignment gives to what; ``a, b = c, d`` are two pairs."""
    if not isinstance(node, ast.Assign):
        return
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=False)
        else:
            yield target, node.value


def written(node: ast.AST) -> str:
    """The node as source text; nothing for an expression that is nested too deeply to be printed."""
    try:
        return ast.unparse(node)
    except RecursionError:
        return ""
