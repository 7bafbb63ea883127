"""Data types and devices: a value is converted to those of what it meets, where it is used or where it was made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.edit import Edit
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import after, rewrite
from bugloss.observe.crash.fixes.tensors import converted, short_type
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash_event import Operand
from bugloss.repair.typed_edits.contract import CrashPlace, TypedEdit, places
from bugloss.source.text.module import SourceModule

_SURE, _GUESS = 0.24, 0.12
_ABOUT_TYPES = re.compile(
    r"dtype|scalar ?type|type (?:Float|Double|Long|Half|Int|BFloat16)|float16|bfloat16|float32|float64|int64|int32|"
    r"data ?type|"
    r"\b(?:Double|Long|Half|Float|Byte|Int)(?:Tensor)?\b",
    re.IGNORECASE,
)
_ABOUT_DEVICES = re.compile(r"\bdevice\b|\bcuda\b|\bmeta\b", re.IGNORECASE)
_METHODS = {
    "float32": ".float()", "int64": ".long()", "float16": ".half()", "bfloat16": ".bfloat16()", "float64": ".double()",
}  # fmt: skip
_UNREADABLE = re.compile(r"unsupported ScalarType (?P<kind>\w+)")


def type_edits(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """Conversions of the values on the crashing line and on those that called it."""
    if _ABOUT_TYPES.search(scene.text):
        yield from _readable(scene, file)
        for place in places(scene, file):
            tensors = list(place.tensors())
            for node, operand in tensors:
                others = [(other, one) for other, one in tensors if one.dtype != operand.dtype]
                yield from _to_types_of(place, node, operand, others)
                yield from _usual(scene, file, place, node, operand)


def _readable(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """NumPy has no such type: the tensor is converted before it becomes an array."""
    said = _UNREADABLE.search(scene.text)
    for place in places(scene, file)[:1] if said is not None else ():
        for call in place.calls():
            if isinstance(call.func, ast.Attribute) and call.func.attr == "numpy" and not call.args:
                edit = after(place.module, call.func.value, ".float()")
                yield TypedEdit(edit, FixPattern.DATA_TYPE, _SURE, f"NumPy has no type {said['kind'] if said else ''}.")


def _to_types_of(
    place: CrashPlace, node: ast.expr, operand: Operand, others: list[tuple[ast.expr, Operand]]
) -> Iterator[TypedEdit]:
    """The type of another tensor of the line; what holds no samples of the batch is converted first."""
    for other, one in others:
        if operand.dtype.startswith("<") or not (_is_real(operand) and _is_real(one)):
            continue
        text = place.module.source.segment(other)
        edit = cast(place.module, node, f"{text}.dtype")
        sure = _SURE if len(operand.shape) < len(one.shape) or operand.dtype == "float64" else _GUESS
        reason = f"{operand.name} is {operand.dtype}, {one.name} is {one.dtype}."
        if edit is not None:
            yield TypedEdit(edit, FixPattern.DATA_TYPE, sure * place.near, reason)


def _is_real(operand: Operand) -> bool:
    return operand.dtype.startswith(("float", "bfloat"))


def _usual(scene: Scene, file: CrashedFile, place: CrashPlace, node: ast.expr, operand: Operand) -> Iterator[TypedEdit]:
    """Single precision for numbers, int64 for what counts, where the value is made and where it is used."""
    reason = f"{operand.name} is of type {operand.dtype} in line {place.statement.lineno}."
    named = [short_type(one) for one in re.findall(r"\b(?:Half|BFloat16|bfloat16|Double)\b", scene.text)]
    asked = next((one for one in named if one != operand.dtype and operand.dtype == "float32"), "")
    wanted = asked or ("float32" if operand.dtype != "float32" else "int64")
    end = file.steps_back(place.module, node)[-1]
    made = converted(end.module, end.node, wanted) if not end.wanted else None
    for edit in (made, cast(place.module, node, wanted)):
        if edit is not None:
            yield TypedEdit(edit, FixPattern.DATA_TYPE, _GUESS * place.near, reason)


def cast(module: SourceModule, node: ast.expr, wanted: str) -> Edit | None:
    """A conversion as the library of the file writes it; ``wanted`` is the name of a type, or an expression for one."""
    is_name = "." not in wanted
    if "torch" in module.names.roots:
        return after(module, node, _METHODS.get(wanted, f".to({wanted})"))
    alias = next((short for short, long in module.names.imported.items() if long == "tensorflow"), "")
    keras = next((short for short, long in module.names.imported.items() if long == "keras"), "")
    text = module.source.segment(node)
    if alias:
        return rewrite(module, node, f"{alias}.cast({text}, {f'{alias}.{wanted}' if is_name else wanted})")
    if keras:
        name = f'"{wanted}"' if is_name else wanted
        return rewrite(module, node, f"{keras}.ops.cast({text}, {name})")
    return after(module, node, f'.astype("{wanted}")') if is_name and "numpy" in module.names.roots else None


def device_edits(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """Each value of the line that may be elsewhere is moved to where the others are."""
    if not _ABOUT_DEVICES.search(scene.text) or "torch" not in file.module.names.roots:
        return
    for place in places(scene, file):
        tensors = [node for node, operand in place.tensors() if operand.device]
        for reference in tensors[:2]:
            text = place.module.source.segment(reference)
            for node in _movable(place, reference):
                edit = after(place.module, node, f".to({text}.device)")
                reason = f"`{text}` is on the device of the model in line {place.statement.lineno}."
                yield TypedEdit(edit, FixPattern.DEVICE, _SURE * place.near, reason)


def _movable(place: CrashPlace, reference: ast.expr) -> list[ast.expr]:
    """Operands of the line beside the reference: results of functions first, then names."""
    inside: list[ast.expr] = []
    for node in place.nodes():
        if isinstance(node, ast.BinOp):
            inside += [node.left, node.right]
        if isinstance(node, ast.Call) and not isinstance(node.func, ast.Name):
            inside += [one for one in node.args if not isinstance(one, ast.Starred)]
    known = ast.unparse(reference)
    others = [one for one in inside if ast.unparse(one) != known]
    names: list[ast.expr] = [one for one in others if isinstance(one, ast.Name | ast.Attribute)]
    calls: list[ast.expr] = [one for one in others if isinstance(one, ast.Call)]
    own = [one for one in calls if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)]
    return [*own, *(one for one in calls if one not in own), *names][:4]
