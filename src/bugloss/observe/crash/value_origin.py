"""Where the values of a crashing line were made: back through assignments, parameters and returned values."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Function = ast.FunctionDef | ast.AsyncFunctionDef
_DEEPEST = 5


@dataclass(frozen=True, slots=True)
class Origin:
    """The line on which a name got its value."""

    name: str
    line: int


def origins(tree: ast.Module, line: int, names: Sequence[str] = ()) -> list[Origin]:
    """Where the values used on a line come from; of these names, or of all that the line uses."""
    module = _Module(tree)
    used = list(dict.fromkeys(_used(module.statement(line))))
    wanted = [name for name in names if name in used] or used
    found = ((name, module.origin(name, line, module.function(line))) for name in wanted)
    return [Origin(name, origin.line) for name, origin in found if origin is not None and origin.line != line]


class _Module:
    """A syntax tree with what is looked up in it."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._functions = {node.name: node for node in ast.walk(tree) if isinstance(node, Function)}

    def statement(self, line: int) -> ast.stmt | None:
        """The smallest statement that stands on a line."""
        found = [
            node
            for node in ast.walk(self._tree)
            if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
        ]
        return min(found, key=lambda node: (node.end_lineno or node.lineno) - node.lineno, default=None)

    def function(self, line: int) -> Function | None:
        """The innermost function around a line."""
        around = [node for node in self._functions.values() if node.lineno <= line <= (node.end_lineno or node.lineno)]
        return max(around, key=lambda node: node.lineno, default=None)

    def origin(self, name: str, before: int, scope: Function | None, depth: int = 0) -> Origin | None:
        """The last assignment to a name before a line, followed to where the value was made."""
        if depth > _DEEPEST:
            return None
        if "." in name:
            return self._attribute(name)
        assigned = _last_assignment(scope or self._tree, name, before)
        if assigned is not None:
            return self._followed(name, assigned, scope, depth)
        if scope is not None and name in _parameters(scope):
            return self._from_caller(name, scope, depth)
        if scope is not None:
            assigned = _last_assignment(self._tree, name, before=10**9)
            return self._followed(name, assigned, None, depth) if assigned is not None else None
        return None

    def _attribute(self, name: str) -> Origin | None:
        """An attribute of the object itself: any assignment to it in the file."""
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Assign) and any(ast.unparse(target) == name for target in node.targets):
                return Origin(name, node.lineno)
        return None

    def _followed(self, name: str, assigned: ast.stmt, scope: Function | None, depth: int) -> Origin:
        """Through another name, or into the function of this file that gave the value."""
        here = Origin(name, assigned.lineno)
        value = getattr(assigned, "value", None)
        if isinstance(value, ast.Name) and value.id != name:
            return self.origin(value.id, assigned.lineno, scope, depth + 1) or here
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in self._functions:
            maker = self._functions[value.func.id]
            return self._returned(maker, _position(assigned, name), depth) or here
        return here

    def _returned(self, maker: Function, position: int | None, depth: int) -> Origin | None:
        for node in ast.walk(maker):
            if not isinstance(node, ast.Return) or node.value is None:
                continue
            value = node.value
            if position is not None and isinstance(value, ast.Tuple) and position < len(value.elts):
                value = value.elts[position]
            if isinstance(value, ast.Name):
                return self.origin(value.id, node.lineno, maker, depth + 1) or Origin(value.id, node.lineno)
            return Origin("", node.lineno)
        return None

    def _from_caller(self, name: str, scope: Function, depth: int) -> Origin | None:
        """What the one call of a function passes for a parameter."""
        calls = [
            node
            for node in ast.walk(self._tree)
            if isinstance(node, ast.Call) and _last_name(node.func) in {scope.name, _owner(scope, self._tree)}
        ]
        for call in calls:
            value = _argument(call, name, scope)
            if isinstance(value, ast.Name):
                return self.origin(value.id, call.lineno, self.function(call.lineno), depth + 1)
            if value is not None:
                return Origin(name, value.lineno)
        return None


def _used(statement: ast.stmt | None) -> Iterator[str]:
    """The variables that a statement reads, attributes of ``self`` as one name; not the functions that it calls."""
    if statement is None:
        return
    nodes = [node for part in _read_parts(statement) for node in ast.walk(part)]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        if id(node) in called:
            continue
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            yield f"self.{node.attr}"
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id != "self":
            yield node.id


def _read_parts(statement: ast.stmt) -> list[ast.AST]:
    """A whole plain statement; of a loop or a condition only its head."""
    if isinstance(statement, ast.For | ast.AsyncFor):
        return [statement.iter]
    if isinstance(statement, ast.If | ast.While):
        return [statement.test]
    if isinstance(statement, ast.With | ast.AsyncWith):
        return [item.context_expr for item in statement.items]
    return [] if hasattr(statement, "body") else [statement]


def _last_assignment(scope: ast.AST, name: str, before: int) -> ast.stmt | None:
    inside = [node for node in ast.walk(scope) if isinstance(node, ast.Assign | ast.AnnAssign) and node.lineno < before]
    own = [node for node in inside if any(_binds(target, name) for target in _targets(node))]
    return max(own, key=lambda node: node.lineno, default=None)


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _binds(target: ast.expr, name: str) -> bool:
    if isinstance(target, ast.Tuple | ast.List):
        return any(_binds(item, name) for item in target.elts)
    return isinstance(target, ast.Name) and target.id == name


def _position(assigned: ast.stmt, name: str) -> int | None:
    """Which of several values an unpacking assignment gives to a name."""
    for target in assigned.targets if isinstance(assigned, ast.Assign) else ():
        if isinstance(target, ast.Tuple):
            return next((index for index, item in enumerate(target.elts) if _binds(item, name)), None)
    return None


def _parameters(function: Function) -> list[str]:
    given = function.args
    return [argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def _argument(call: ast.Call, name: str, function: Function) -> ast.expr | None:
    keyword = next((item.value for item in call.keywords if item.arg == name), None)
    positions = [parameter for parameter in _parameters(function) if parameter != "self"]
    index = positions.index(name) if name in positions else len(call.args)
    return keyword or (call.args[index] if index < len(call.args) else None)


def _owner(function: Function, tree: ast.Module) -> str:
    """The class whose constructor a function is."""
    if function.name != "__init__":
        return function.name
    classes = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and function in node.body)
    return next((node.name for node in classes), function.name)


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
