"""A value that the backward pass needs was overwritten: the statement that did it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.core.edit import Edit, quoted
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.source.editing import insert_before, replace_node
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import dotted, keyword_of, method_of, receiver_of, walk

_OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@", ast.FloorDiv: "//",
    ast.Mod: "%",
}  # fmt: skip
# Methods whose last letter does not mean "in place" to autograd.
_HARMLESS = {"requires_grad_", "detach_", "retain_grad_", "share_memory_"}
_FILLING = re.compile(r"\binit\.|\.data\.|no_grad")


@dataclass(frozen=True, slots=True)
class Overwriting:
    """A statement or call that changes a tensor in place, and the name of the tensor where it has one."""

    module: SourceModule
    node: ast.stmt | ast.expr
    name: str


def restored(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Makes a new tensor instead of changing the one that is needed."""
    origin = (match.groupdict().get("origin") or "").lower()
    found = [one for module in file.modules for one in overwritings(module) if is_tracked(one)]
    made_so = [one for one in found if _made_by(one, re.sub(r"backward\d*$", "", origin))]
    chosen = made_so or found
    return without(chosen[-1] if made_so else chosen[0]) if made_so or len(chosen) == 1 else None


def overwritings(module: SourceModule) -> Iterator[Overwriting]:
    for node in (*module.nodes[ast.AugAssign], *module.nodes[ast.Assign]):
        targets = [node.target] if isinstance(node, ast.AugAssign) else getattr(node, "targets", [])
        for target in targets:
            base = target.value if isinstance(target, ast.Subscript) else target
            if isinstance(node, ast.AugAssign | ast.Assign) and (isinstance(node, ast.AugAssign) or base is not target):
                yield Overwriting(module, node, dotted(base))
    for node in module.nodes[ast.Call]:
        if isinstance(node, ast.Call):
            method, receiver = method_of(node), receiver_of(node)
            inplace = keyword_of(node, "inplace")
            if isinstance(inplace, ast.Constant) and inplace.value is True:
                yield Overwriting(module, node, dotted(node.args[0]) if node.args else "")
            elif (
                method.endswith("_") and not method.endswith("__") and method not in _HARMLESS and receiver is not None
            ):
                yield Overwriting(module, node, dotted(receiver))


def is_tracked(one: Overwriting) -> bool:
    """Whether the tensor can be one of a forward pass: it was computed, not counted or filled with first values."""
    if _FILLING.search(one.module.source.segment(one.node)):
        return False
    made = one.module.assigned_before(one.name, one.node)
    return not (made is not None and isinstance(made.value, ast.Constant))


def _made_by(one: Overwriting, operation: str) -> bool:
    """Whether the name was computed by an operation: ``sigmoid`` of ``SigmoidBackward0``."""
    made = one.module.assigned_before(one.name, one.node)
    if made is None or not operation:
        return False
    words = [method_of(node).lower().strip("_") for node in walk(made.value) if isinstance(node, ast.Call)]
    called = [word.replace("_", "") for word in words]
    symbols = {ast.Mult: "mul", ast.Add: "add", ast.Div: "div", ast.Sub: "sub", ast.Pow: "pow", ast.MatMult: "mm"}
    operators = [symbols.get(type(node.op), "") for node in walk(made.value) if isinstance(node, ast.BinOp)]
    return operation in called[:1] or operation in operators[:1] or (bool(called) and called[0].endswith(operation))


def without(one: Overwriting) -> Edit | None:
    """The same computation into a new tensor."""
    module, node = one.module, one.node
    if isinstance(node, ast.AugAssign) and not isinstance(node.target, ast.Subscript):
        target, value = module.source.segment(node.target), module.source.segment(node.value)
        simple = isinstance(node.value, ast.Name | ast.Call | ast.Attribute | ast.Constant | ast.Subscript)
        text = f"{target} = {target} {_OPERATORS.get(type(node.op), '+')} {value if simple else f'({value})'}"
        return Edit(f"write {quoted(text)} in line {node.lineno}", replace_node(module, node, text).changes)
    if isinstance(node, ast.AugAssign | ast.Assign) and one.name:
        return insert_before(module, node, f"{one.name} = {one.name}.clone()")
    if isinstance(node, ast.Call):
        inplace = keyword_of(node, "inplace")
        return rewrite(module, inplace, "False") if inplace is not None else _out_of_place(module, node, one.name)
    return None


def _out_of_place(module: SourceModule, call: ast.Call, name: str) -> Edit | None:
    """``x.add_(y)`` becomes ``x = x.add(y)``."""
    text = module.source.segment(call)
    function = module.source.segment(call.func)
    new = f"{function[:-1]}{text[len(function) :]}"
    is_statement = isinstance(module.parents.get(call), ast.Expr)
    return (
        rewrite(module, call, f"{name} = {new}" if is_statement and name else new) if name or not is_statement else None
    )
