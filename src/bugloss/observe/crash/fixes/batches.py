"""A last batch of one sample, class labels that start at one, graphs that an optimizer's step has made stale."""

from __future__ import annotations

import ast
import re

from bugloss.core.edit import Edit, merged, quoted
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import rewrite
from bugloss.observe.crash.fixes.tensors import convert_node
from bugloss.observe.crash.scene import Scene
from bugloss.source.editing import insert_before, replace_node
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, loads, method_of, receiver_of, stored, walk

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_SCALAR = re.compile(r"(?:Size\(\[\]\)|\[\](?!\w)|\(\)|0-?d(?:im)?\b|scalar|zero-dim)")
_ENCODERS = ("to_categorical", "one_hot")
_SMALL_INTEGERS = {"int32", "int16", "int8", "uint8"}


def squeezed_once(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``squeeze()`` without an axis drops the batch axis, too, when one sample is left: the last axis is meant."""
    found = [
        (module, call)
        for module in file.modules
        for call in module.called("squeeze")
        if not call.keywords and len(call.args) == (1 if _is_function(module, call) else 0)
    ]
    if not _SCALAR.search(scene.text) or len(found) != 1:
        return None
    module, call = found[0]
    axis = "axis" if _is_array(module) else "dim"
    inner = module.source.segment(call)[:-1].rstrip()
    return rewrite(module, call, f"{inner}, {axis}=-1)" if call.args else f"{inner}-1)")


def _is_function(module: SourceModule, call: ast.Call) -> bool:
    return bool(module.names.qualified(call.func))


def _is_array(module: SourceModule) -> bool:
    return "torch" not in module.names.roots


def encoded_from_zero(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Class labels from 1 to the number of classes lose 1 where they become one-hot rows."""
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        if method_of(call) not in _ENCODERS or not call.args:
            continue
        labels, text = call.args[0], module.source.segment(call.args[0])
        given = keyword_of(call, "num_classes") or (call.args[1] if len(call.args) > 1 else None)
        classes = file.number(module, given) if given is not None else None
        operand = next((one for one in scene.operands if one.name == text), None)
        size = match.groupdict().get("size")
        classes = classes if classes is not None else int(size) if size else None
        if operand is not None and (operand.low, operand.high) == (1, classes):
            return rewrite(module, labels, f"{text} - 1")
    return None


def whole_indices(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Ids of the line in shorter integers, where an embedding takes int64 only."""
    line = scene.place.text if scene.place else ""
    module = file.module
    statement = module.statement(scene.place.line) if scene.place else None
    short = {one.name for one in scene.operands if one.dtype in _SMALL_INTEGERS and one.name in line}
    nodes = [
        node
        for node in (walk(statement) if statement is not None else ())
        if isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) in short
    ]
    given = {id(argument) for call in module.calls_on(scene.place.line if scene.place else 0) for argument in call.args}
    edits = [edit for node in nodes if id(node) in given and (edit := convert_node(file, node, "int64")) is not None]
    return merged(edits) if edits else None


def computed_again(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """What a network computed before a loop is computed in it: each step of the optimizer changes the weights."""
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        loop, loss = module.enclosing(call, *_LOOPS), receiver_of(call)
        if method_of(call) != "backward" or not isinstance(loop, _LOOPS) or not isinstance(loss, ast.Name):
            continue
        steps = any(isinstance(node, ast.Call) and method_of(node) == "step" for node in walk(loop))
        inside = [one for one in module.assignments.get(loss.id, ()) if loop.lineno < one.lineno < call.lineno]
        for name in sorted(loads(inside[-1].value)) if steps and inside else ():
            made = _made_before(module, name, loop)
            if made is not None:
                text = module.source.segment(made)
                edit = insert_before(module, loop.body[0], text)
                words = f"compute {quoted(text)} again in the loop, before line {loop.body[0].lineno}"
                return Edit(words, edit.changes)
    return None


def _made_before(module: SourceModule, name: str, loop: ast.stmt) -> ast.Assign | None:
    """The line before a loop, in the same function, that computes a value with an object of the program."""
    function = module.enclosing(loop, ast.FunctionDef)
    last = module.assigned_before(name, loop)
    if last is None or module.enclosing(last, ast.FunctionDef) is not function or _is_made_in(module, name, loop):
        return None
    value = last.value
    if not isinstance(value, ast.Call) or not value.args or module.names.qualified(value.func) is not None:
        return None
    return last if isinstance(value.func, ast.Name | ast.Attribute) else None


def _is_made_in(module: SourceModule, name: str, loop: ast.stmt) -> bool:
    targets = [node for node in walk(loop) if isinstance(node, ast.Assign)]
    return any(name in stored(target) for node in targets for target in node.targets)


def buffer_of_module(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A tensor that a module keeps as a plain attribute is not converted with the module: a buffer is."""
    if not any(module.called("half", "bfloat16", "double", "to") for module in file.modules):
        return None
    statement = file.module.statement(scene.place.line) if scene.place else None
    function = file.module.enclosing(statement, ast.FunctionDef) if statement is not None else None
    used = {ast.unparse(node) for node in walk(function) if isinstance(node, ast.Attribute)} if function else set()
    for name in sorted(used):
        for made in file.module.assignments.get(name, ()):
            target, value = made.targets[0], made.value
            around = file.module.enclosing(made, ast.FunctionDef)
            if not isinstance(target, ast.Attribute) or getattr(around, "name", "") != "__init__":
                continue
            if isinstance(value, ast.Call) and _gives_tensor(file, value):
                owner, text = file.module.source.segment(target.value), file.module.source.segment(value)
                new = f'{owner}.register_buffer("{target.attr}", {text}, persistent=False)'
                return replace_node(file.module, made, new)
    return None


def _gives_tensor(file: CrashedFile, value: ast.Call) -> bool:
    """Whether a call makes a tensor: a function of ``torch``, or one of the program's own that returns one."""
    qualified = file.module.names.qualified(value.func) or ""
    if re.match(r"torch\.(?!nn\b|device|load)\w+$", qualified):
        return True
    name = method_of(value)
    functions = [one for module in file.modules for one in module.nodes[ast.FunctionDef]]
    own = [one for one in functions if isinstance(one, ast.FunctionDef) and one.name == name]
    returned = [node.value for one in own for node in walk(one) if isinstance(node, ast.Return)]
    return any(node is not None and "torch." in ast.unparse(node) for node in returned)
