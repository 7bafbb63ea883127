"""Graphs of TensorFlow: what is made too late, or in the wrong place."""

from __future__ import annotations

import ast
import re

from bugloss.core.edit import Edit, quoted
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape
from bugloss.source.editing import delete_statement, insert_before, move_after
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, loads, method_of, stored, walk

_INITIALIZERS = ("global_variables_initializer", "initialize_all_variables", "tables_initializer")


def initialized_last(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """An initializer that is built before the last variables is built after them."""
    module = file.module
    for call in module.called(*_INITIALIZERS):
        statement = module.enclosing(call, ast.stmt)
        later = [node for node in module.called("minimize", "apply_gradients", "Variable") if node.lineno > call.lineno]
        block = module.parents.get(statement) if statement is not None else None
        made = [module.enclosing(node, ast.stmt) for node in later]
        last = next((node for node in reversed(made) if node is not None and module.parents.get(node) is block), None)
        if isinstance(statement, ast.stmt) and isinstance(last, ast.stmt) and _waits(module, statement, last):
            return move_after(module, statement, last)
    return None


def _waits(module: SourceModule, statement: ast.stmt, last: ast.stmt) -> bool:
    """Whether nothing between two statements uses what the first one makes."""
    names = {name for target in getattr(statement, "targets", ()) for name in stored(target)}
    uses = [node.lineno for node in module.nodes[ast.Name] if isinstance(node, ast.Name) and node.id in names]
    return bool(names) and all(line == statement.lineno or line > last.lineno for line in uses)


def made_outside(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A variable or layer that a compiled function makes is made before the function."""
    module = file.module
    statement = module.statement(scene.place.line) if scene.place else None
    function = module.enclosing(statement, ast.FunctionDef) if statement is not None else None
    if not isinstance(statement, ast.Assign) or not isinstance(function, ast.FunctionDef):
        return None
    parameters = {argument.arg for argument in (*function.args.posonlyargs, *function.args.args)}
    if loads(statement) & parameters:
        return None
    first = function.decorator_list[0] if function.decorator_list else function
    text = module.source.segment(statement)
    at = module.span(function).start if first is function else module.span(first).start
    above = insert_before(module, function, text).changes[0]
    column = max(at.column - 1, 0) if first is not function else at.column
    moved = type(above)(above.path, type(at)(at.line, column, at.line, column), "", above.new)
    words = f"move {quoted(text)} from line {statement.lineno} out of {function.name}, before line {at.line}"
    return Edit(words, (delete_statement(module, statement).changes[0], moved))


def last_axis(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``input_shape[1]`` in ``build`` becomes ``input_shape[-1]``; else the size that is written into a weight."""
    groups = match.groupdict()
    left = read_shape(groups.get("left") or groups.get("first") or "")
    right = read_shape(groups.get("right") or groups.get("second") or "")
    if len(left) < 2 or len(right) < 2 or left[-1] is None or right[-2] is None:
        return None
    for call in file.module.called("add_weight"):
        for node in walk(call):
            if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and _is_shape(node.value):
                return rewrite(file.module, node, f"{ast.unparse(node.value)}[-1]")
    return _written_size(scene, file, right[-2], left[-1])


def _is_shape(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id.endswith("shape")


def _written_size(scene: Scene, file: CrashedFile, wrong: int, right: int) -> Edit | None:
    """The only number of that size in what made the second operand of a product."""
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        if method_of(call) != "matmul" or len(call.args) != 2:
            continue
        end = file.steps_back(file.module, call.args[1])[-1]
        numbers = [
            node
            for node in (walk(end.node) if isinstance(end.node, ast.expr) and not end.wanted else ())
            if isinstance(node, ast.Constant) and node.value == wrong
        ]
        if len(numbers) == 1:
            return rewrite(end.module, numbers[0], str(right))
    return None


def resampled(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Tensors of a skip connection that differ by a row: the upsampled one gets the size of the other."""
    names = [one for one in scene.operands if len(one.shape) == 4 and scene.place and one.name in scene.place.text]
    pairs = [(one, two) for one in names for two in names if one.shape[2:] != two.shape[2:]]
    for target, small in pairs:
        for step in _makers(scene, file, small.name):
            layer = next((made for made in file.layers() if made.name and made.name == ast.unparse(step.func)), None)
            kind = layer.kind if layer is not None else method_of(step)
            inner = file.module.source.segment(step.args[0]) if step.args else ""
            if kind.startswith("ConvTranspose"):
                return rewrite(
                    file.module, step, f"{ast.unparse(step.func)}({inner}, output_size={target.name}.shape[2:])"
                )
            if kind in {"Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d"}:
                call = f"torch.nn.functional.interpolate({inner}, size={target.name}.shape[2:])"
                return rewrite(file.module, step, call)
            if kind == "interpolate" and keyword_of(step, "scale_factor") is not None:
                item = next(one for one in step.keywords if one.arg == "scale_factor")
                return rewrite(file.module, item, f"size={target.name}.shape[2:]")
    return None


def _makers(scene: Scene, file: CrashedFile, name: str) -> list[ast.Call]:
    """The calls in the assignment that made a variable of the crashing line."""
    statement = file.module.statement(scene.place.line) if scene.place else None
    made = file.module.assigned_before(name, statement) if statement is not None else None
    return [node for node in walk(made.value) if isinstance(node, ast.Call)] if made is not None else []
