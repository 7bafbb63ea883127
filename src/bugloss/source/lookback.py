"""Looks back through a computation: what a value was made of, whether gradients flow, whether a test guards it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.network.layer import has_weights
from bugloss.source.program import Program
from bugloss.source.text.syntax import walk, written
from bugloss.source.values.values import Layer, Operation, Tensor, Value

# Context managers and decorators under which nothing is recorded for gradients.
_WITHOUT_GRADIENT = {"no_grad", "inference_mode", "set_grad_enabled", "stop_recording"}
_DETACHING = ("detach", "detach_", "data", "numpy", "stop_gradient", "item", "argmax", "argmin")
FARTHEST = 40


def short(name: str | None) -> str:
    """The last part of a canonical name: ``torch.nn.functional.softmax`` is ``softmax``."""
    return "" if name is None else name.rsplit(".", 1)[-1].rsplit(" ", 1)[-1]


def made_by(value: Value, *names: str) -> bool:
    """Whether the value is a tensor that came straight out of one of these functions, methods or layers."""
    return isinstance(value, Tensor) and short(value.made_by).lower() in names


def source_of(value: Value, position: int = 0) -> Value | None:
    """An operand of the operation that made the value."""
    if isinstance(value, Tensor) and position < len(value.inputs):
        return value.inputs[position]
    return None


def ancestry(value: Value) -> Iterator[Tensor]:
    """The value and everything it was computed from, nearest first, as far as it was followed."""
    waiting: list[Value] = [value]
    seen: set[int] = set()
    while waiting and len(seen) < FARTHEST:
        current = waiting.pop(0)
        if isinstance(current, Tensor) and id(current) not in seen:
            seen.add(id(current))
            yield current
            waiting.extend(current.inputs)


def needs_gradient(value: Value) -> bool:
    """Whether a PyTorch tensor surely carries gradients: parameters made it and nothing cut it off."""
    waiting: list[Value] = [value]
    for _ in range(FARTHEST):
        if not waiting:
            return False
        current = waiting.pop()
        if not isinstance(current, Tensor) or short(current.made_by) in _DETACHING:
            continue
        if "parameter" in current.facts:
            return True
        layer = current.inputs[1] if len(current.inputs) > 1 else None
        if isinstance(layer, Layer) and layer.framework == "torch" and has_weights(layer.name, "torch"):
            return True
        waiting.extend(current.inputs)
    return False


def without_gradient(program: Program, operation: Operation) -> bool:
    """Whether the operation stands under ``no_grad`` or in a function decorated so."""
    if _WITHOUT_GRADIENT & {*operation.inside}:
        return True
    function = program.enclosing(operation.node, ast.FunctionDef, ast.AsyncFunctionDef)
    while isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for decorator in function.decorator_list:
            if any(word in written(decorator) for word in _WITHOUT_GRADIENT):
                return True
        function = program.enclosing(function, ast.FunctionDef, ast.AsyncFunctionDef)
    return False


def names_in(node: ast.AST) -> set[str]:
    """Variables that an expression mentions; modules such as ``torch`` in ``torch.log`` count too."""
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def guarded(program: Program, node: ast.AST, about: ast.AST) -> bool:
    """Whether a test around the node (or a ``where``) looks at the same variables: then the danger may be ruled out."""
    names = names_in(about) - set(program.names.imported)
    current = program.parents.get(node)
    while current is not None and not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
        if isinstance(current, (ast.If, ast.While, ast.IfExp)) and names & names_in(current.test):
            return True
        if isinstance(current, ast.Call) and _called(current) in {"where", "nan_to_num", "select", "nansum", "nanmean"}:
            return True
        current = program.parents.get(current)
    return isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef)) and _tested_before(current, node, names)


def _tested_before(function: ast.FunctionDef | ast.AsyncFunctionDef, node: ast.AST, names: set[str]) -> bool:
    """``assert x > 0`` or ``if x == 0: return`` earlier in the same function."""
    line = getattr(node, "lineno", 0)
    for statement in function.body:
        if statement.lineno >= line:
            return False
        if isinstance(statement, (ast.Assert, ast.If)) and names & names_in(statement.test):
            return True
    return False


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def first_argument(node: ast.expr) -> ast.expr | None:
    """The expression an operation works on: the first argument, or what a method is called on."""
    if not isinstance(node, ast.Call):
        return None
    if node.args:
        return node.args[0]
    return node.func.value if isinstance(node.func, ast.Attribute) else None


def operand_node(operation: Operation) -> ast.expr | None:
    """The expression of the tensor an operation works on: a method's receiver, else the first argument."""
    node = operation.node
    if isinstance(node, ast.Call) and isinstance(operation.receiver, Tensor) and isinstance(node.func, ast.Attribute):
        return node.func.value
    return first_argument(node)


def operand(operation: Operation) -> Value:
    """The value an operation works on: a method's receiver, else the first argument."""
    return operation.receiver if isinstance(operation.receiver, Tensor) else operation.argument(0, "input")
