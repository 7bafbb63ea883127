"""Where values of a program come from, as rooms ask it: by expression, by line, as a number."""

from __future__ import annotations

import ast
import operator
from collections.abc import Collection, Iterator, Sequence

from bugloss.source.origins.parts import Wanted
from bugloss.source.origins.place import ValueOrigin
from bugloss.source.origins.sought import Sought
from bugloss.source.origins.trace import Line, Tracer
from bugloss.source.project import Project
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import chain_text, walk

_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_LARGEST = 10**12
_DEEPEST = 20
_MOST_USED = 40  # values of one line that are followed


def origin_of(
    project: Project, module: SourceModule, node: ast.expr, wanted: Wanted = (), via: Collection[Line] = ()
) -> ValueOrigin:
    """From an expression back to what made its value, or a part of it.

    ``via`` are lines that are known to have been on the call stack.
    """
    return _origin(Tracer(project, via).follow(Sought(module, node, wanted)))


def steps_back(
    project: Project, module: SourceModule, node: ast.expr, wanted: Wanted = (), via: Collection[Line] = ()
) -> list[Sought]:
    """The same way as nodes: the expression first, what made its value last."""
    return _places(Tracer(project, via).follow(Sought(module, node, wanted)))


def made_node(project: Project, module: SourceModule, node: ast.expr) -> tuple[SourceModule, ast.AST]:
    """The literal or call that made a value, with the file it is in: for whoever edits it."""
    made = steps_back(project, module, node)[-1]
    return made.module, made.node


def origins_on(
    project: Project, path: str, line: int, names: Sequence[str] = (), via: Collection[Line] = ()
) -> dict[str, ValueOrigin]:
    """Where the values that a line uses come from: of these names, or of all; what was made on the line is left out."""
    module = project.module(path)
    if module is None:
        return {}
    used = list(_used(module.statement(line)))
    suspected = [node for node in used if {_root(node), chain_text(node)} & set(names)]
    found: dict[str, ValueOrigin] = {}
    for node in (suspected or used)[:_MOST_USED]:
        chain = Tracer(project, via).follow(Sought(module, node))
        origin, name = _origin(chain), (chain_text(node) if not chain[-1].wanted else "") or _root(node)
        if len(origin.places) > 1 and (origin.made.path, origin.made.line) != (path, line):
            found.setdefault(name, origin)
    return found


def number_of(project: Project, module: SourceModule, node: ast.expr) -> int | None:
    """A whole number that is certain from the text alone: literals, constants, parameters, sums, products."""
    return _number(Tracer(project), Sought(module, node), 0)


def _number(tracer: Tracer, sought: Sought, depth: int) -> int | None:
    end = tracer.follow(sought)[-1]
    node = end.node
    if end.wanted or not end.certain or depth > _DEEPEST:
        return None
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left = _number(tracer, end.part(node.left, ()), depth + 1)
        right = None if left is None else _number(tracer, end.part(node.right, ()), depth + 1)
        return None if left is None or right is None else _compute(type(node.op), left, right)
    return None


def _compute(kind: type[ast.operator], left: int, right: int) -> int | None:
    try:
        result: int = _OPERATORS[kind](left, right)
    except ZeroDivisionError:
        return None
    return result if abs(result) < _LARGEST else None


def _origin(chain: Sequence[Sought]) -> ValueOrigin:
    steps = _places(chain)
    return ValueOrigin(tuple(dict.fromkeys(one.place for one in steps)), steps[-1].certain)


def _places(chain: Sequence[Sought]) -> list[Sought]:
    """The places of a chain; steps into parts of an expression that led nowhere are not places."""
    last = len(chain)
    while last > 1 and chain[last - 1].inside:
        last -= 1
    return [one for one in chain[:last] if not one.inside]


def _used(statement: ast.stmt | None) -> Iterator[ast.expr]:
    """The values that a statement reads: names with their attributes and elements; not the functions that it calls."""
    nodes = [node for part in _read_parts(statement) for node in walk(part)]
    called = {node.func for node in nodes if isinstance(node, ast.Call)}
    inner: set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, ast.Attribute | ast.Subscript) and node not in called and node not in inner and _root(node):
            inner |= {node.value, *_links(node.value)}
            yield node
        elif isinstance(node, ast.Name) and node not in called | inner and _is_read(node):
            yield node


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load) and name.id != "self"


def _links(node: ast.expr) -> Iterator[ast.expr]:
    """What precedes the dots and brackets of a chain."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
        yield node


def _root(node: ast.expr) -> str:
    """The variable that a chain of attributes and elements starts with, ``self.x`` as one; empty for other chains."""
    *_, first = (node, *_links(node))
    if not isinstance(first, ast.Name):
        return ""
    if first.id != "self":
        return first.id
    second = next((link for link in (node, *_links(node)) if getattr(link, "value", None) is first), None)
    return f"self.{second.attr}" if isinstance(second, ast.Attribute) else ""


def _read_parts(statement: ast.stmt | None) -> list[ast.AST]:
    """A whole plain statement; of a loop or a condition only its head."""
    if statement is None:
        return []
    if isinstance(statement, ast.For | ast.AsyncFor):
        return [statement.iter]
    if isinstance(statement, ast.If | ast.While):
        return [statement.test]
    if isinstance(statement, ast.With | ast.AsyncWith):
        return [item.context_expr for item in statement.items]
    return [] if hasattr(statement, "body") else [statement]
