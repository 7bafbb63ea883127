"""Tensors that ``torch`` makes out of nothing, and whether anything puts them on a device."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from bugloss.source.text.syntax import FunctionNode, children, dotted, keyword_of, method_of, spreads, stored, walk_here

if TYPE_CHECKING:
    from bugloss.source.program import Program

CREATORS = {
    "zeros", "ones", "full", "empty", "rand", "randn", "randint", "arange", "linspace", "eye", "tensor", "randperm",
    "normal",
}  # fmt: skip
_KEEPS_A_TENSOR = {
    "float", "double", "half", "long", "int", "bool", "view", "reshape", "unsqueeze", "squeeze", "repeat", "t",
    "permute", "transpose", "uniform_", "normal_", "fill_", "expand", "clone", "requires_grad_",
}  # fmt: skip
_ABOUT = {"shape", "size", "device", "dtype", "ndim", "dim", "numel"}
_PLACES = {"to", "cuda", "type_as", "cpu", "tolist", "item", "numpy", "pin_memory"}


def fresh_tensor(program: Program, value: ast.expr) -> str | None:
    """The creator (``zeros``) behind ``torch.zeros(3).float()`` when no device is named; None for anything else."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _KEEPS_A_TENSOR:
        if program.names.qualified(value.func) is not None:
            break
        value = value.func.value
    if not isinstance(value, ast.Call):
        return None
    module, _, short = (program.names.qualified(value.func) or "").rpartition(".")
    if module != "torch" or short not in CREATORS or spreads(value) or keyword_of(value, "device"):
        return None
    if keyword_of(value, "generator") is not None or (short == "tensor" and not _is_literal_list(value)):
        return None
    return short


def moves_networks(program: Program) -> bool:
    """Whether the file puts anything on another device."""
    return program.mentions((".cuda(", ".to(device", ".to(self.device", '"cuda', "'cuda", ".to(args.device"))


def placed_later(program: Program, function: FunctionNode, call: ast.Call) -> bool:
    """Whether a new tensor is moved, used as an index only, or turned into plain numbers."""
    node: ast.AST = call
    parent = program.parents.get(node)
    while isinstance(parent, (ast.Attribute, ast.Call, ast.BinOp, ast.UnaryOp)):
        if isinstance(parent, ast.Attribute) and parent.attr in _PLACES:
            return True
        if isinstance(parent, ast.Call) and method_of(parent) in _PLACES:
            return True
        node, parent = parent, program.parents.get(parent)
    if isinstance(parent, (ast.Subscript, ast.Slice, ast.Return, ast.Raise, ast.Assert)):
        return True
    if isinstance(parent, ast.Assign):
        names = [target.id for target in parent.targets if isinstance(target, ast.Name)]
        return not names or _placed_by_name(program, function, names[0])
    return False


def _placed_by_name(program: Program, function: FunctionNode, name: str) -> bool:
    """Whether a variable is moved anywhere in the function, or nothing but an index."""
    uses = [node for node in walk_here(function.body) if isinstance(node, ast.Name) and node.id == name]
    reads = [node for node in uses if isinstance(node.ctx, ast.Load)]
    for node in reads:
        parent = program.parents.get(node)
        if isinstance(parent, ast.Attribute) and parent.attr in _PLACES:
            return True
    return all(isinstance(program.parents.get(node), (ast.Subscript, ast.Tuple)) for node in reads)


def meets_input(program: Program, function: FunctionNode, call: ast.Call) -> bool:
    """Whether a new tensor is combined with what the function was given, or goes into one of its layers."""
    given = _from_input(function)
    operands: list[ast.AST] = [call]
    statement = program.enclosing(call, ast.stmt)
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        name = statement.targets[0].id
        given = given - {name}
        operands += [node for node in walk_here(function.body) if isinstance(node, ast.Name) and node.id == name]
    return any(_is_combined(program, node, given) for node in operands)


def _from_input(function: FunctionNode) -> set[str]:
    """Names of forward's arguments, and of what a layer or an argument's value was assigned to, walked once in order.

    Other methods may be given plain numbers, so their arguments do not count.
    """
    names = {argument.arg for argument in function.args.args[1:]} if function.name == "forward" else set()
    for node in function.body:
        if isinstance(node, ast.Assign) and (_tensors(node.value) & names or _calls_a_layer(node.value)):
            names |= {name for target in node.targets for name in stored(target)}
    return names


def _tensors(value: ast.AST) -> set[str]:
    """Names in an expression that stand for tensors: not those of which only the size or device is read."""
    found: set[str] = set()
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Attribute) and node.attr in _ABOUT:
            continue
        if isinstance(node, ast.Call) and method_of(node) in {"len", "isinstance"}:
            continue
        if isinstance(node, ast.Name):
            found.add(node.id)
        waiting += children(node)
    return found


def _calls_a_layer(value: ast.AST) -> bool:
    return isinstance(value, ast.Call) and dotted(value.func).startswith("self.")


def _is_combined(program: Program, node: ast.AST, given: set[str]) -> bool:
    """Climbs from a tensor to the first operator or call that takes it as an operand."""
    parent = program.parents.get(node)
    while parent is not None and not isinstance(parent, ast.stmt):
        if isinstance(parent, (ast.Compare, ast.Subscript)):
            return False
        if isinstance(parent, ast.BinOp):
            other = parent.right if parent.left is node else parent.left
            return bool(_tensors(other) & given)
        if isinstance(parent, ast.Call) and parent.func is not node:
            if _calls_a_layer(parent):
                return True
            others = [part for part in (parent.func, *parent.args) if part is not node]
            return any(_tensors(part) & given for part in others)
        node, parent = parent, program.parents.get(parent)
    return False


def _is_literal_list(call: ast.Call) -> bool:
    return bool(call.args) and isinstance(call.args[0], (ast.List, ast.Tuple)) and bool(call.args[0].elts)
