"""Reads the messages that a Python file raises, as templates: ``Expected {wanted} axes, got {len(shape)}``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_PERCENT = re.compile(r"%(?:\((?P<name>\w+)\))?[-+ #0]*\d*(?:\.\d+)?[sdrfgixeu]")
_FIELD = re.compile(r"\{(?P<name>[\w.\[\]]*)(?:![rsa])?(?::[^{}]*)?\}")
_CHECKS = {"_check", "_check_value", "_check_type", "_check_index", "check", "torch_check"}
_CHECKED = {"_check_value": "ValueError", "_check_type": "TypeError", "_check_index": "IndexError"}
_LONGEST_NAME = 40
_SHORTEST = 12  # characters of a message that are literal; below, nothing is said
Scope = Mapping[str, ast.expr]


@dataclass(frozen=True, slots=True, order=True)
class RaisedMessage:
    """A message that a line raises."""

    exception: str
    template: str
    function: str
    line: int


def messages_of(tree: ast.Module) -> Iterator[RaisedMessage]:
    """Every message of a file that can be read from its text."""
    constants = dict(_assigned(tree.body))
    yield from _of_body(tree.body, "", constants)


def _of_body(body: list[ast.stmt], within: str, scope: Scope) -> Iterator[RaisedMessage]:
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{within}.{statement.name}" if within else statement.name
            yield from _of_body(statement.body, name, {**scope, **dict(_assigned(list(_inside(statement.body))))})
            continue
        for node in _inside([statement]):
            yield from _of_node(node, within, scope)


def _inside(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Every node that belongs to a body and to no function or class inside it."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop(0)
        yield node
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                waiting.append(child)


def _assigned(nodes: list[ast.AST] | list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value


def _of_node(node: ast.AST, within: str, scope: Scope) -> Iterator[RaisedMessage]:
    found: tuple[str, ast.expr] | None = None
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
        name = _last_word(node.exc.func)
        # Exceptions of TensorFlow begin with a node and an operation.
        arguments = [argument for argument in node.exc.args if not isinstance(argument, ast.Constant) or argument.value]
        found = (name, arguments[-1] if name.endswith("Error") and len(arguments) > 1 else node.exc.args[0])
    elif isinstance(node, ast.Assert) and node.msg is not None:
        found = ("AssertionError", node.msg)
    elif isinstance(node, ast.Call) and _last_word(node.func) in _CHECKS and len(node.args) > 1:
        given = node.args[-1]
        found = (
            _CHECKED.get(_last_word(node.func), "RuntimeError"),
            given.body if isinstance(given, ast.Lambda) else given,
        )
    if found is not None:
        template = " ".join(_template(found[1], scope, 0).split())
        if len(re.sub(r"\{[^{}]*\}", "", template)) >= _SHORTEST:
            yield RaisedMessage(found[0], template, within, getattr(node, "lineno", 0))


def _last_word(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _template(node: ast.expr, scope: Scope, depth: int) -> str:
    """A text with its parts that are computed as ``{what}``."""
    if depth > 8:
        return "{}"
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.replace("{", "(").replace("}", ")")
    if isinstance(node, ast.JoinedStr):
        return "".join(
            _template(part, scope, depth + 1)
            if isinstance(part, ast.Constant)
            else _named(getattr(part, "value", part))
            for part in node.values
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _template(node.left, scope, depth + 1) + _template(node.right, scope, depth + 1)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return _percent(node, scope, depth)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return _formatted(node, scope, depth)
    if isinstance(node, ast.Name) and node.id in scope and not isinstance(scope[node.id], ast.Name):
        return _template(scope[node.id], {}, depth + 1)
    return _named(node)


def _named(node: ast.AST) -> str:
    text = re.sub(r"[{}\s]+", " ", ast.unparse(node)).strip()
    return f"{{{text[:_LONGEST_NAME]}}}"


def _percent(node: ast.BinOp, scope: Scope, depth: int) -> str:
    parts = list(node.right.elts) if isinstance(node.right, ast.Tuple) else [node.right]

    def filled(found: re.Match[str]) -> str:
        return f"{{{found['name']}}}" if found["name"] else (_named(parts.pop(0)) if parts else "{}")

    return _PERCENT.sub(filled, _template(node.left, scope, depth + 1)).replace("%%", "%")


def _formatted(node: ast.Call, scope: Scope, depth: int) -> str:
    assert isinstance(node.func, ast.Attribute)
    if not isinstance(node.func.value, ast.Constant | ast.BinOp | ast.Name):
        return "{}"
    parts, named = list(node.args), {item.arg: item.value for item in node.keywords if item.arg}

    def filled(found: re.Match[str]) -> str:
        name = found["name"]
        if name in named:
            return _named(named[name])
        if name.isdigit() and int(name) < len(node.args):
            return _named(node.args[int(name)])
        return _named(parts.pop(0)) if parts and not name else f"{{{name}}}"

    return _FIELD.sub(filled, _with_fields(node.func.value, scope, depth + 1))


def _with_fields(node: ast.expr, scope: Scope, depth: int) -> str:
    """The text that ``format`` is called on, with its own braces."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _with_fields(node.left, scope, depth) + _with_fields(node.right, scope, depth)
    if isinstance(node, ast.Name) and node.id in scope and depth < 8:
        return _with_fields(scope[node.id], {}, depth + 1)
    return "{}"
