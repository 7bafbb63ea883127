"""Layers that are missing before another one, or that are of the wrong kind for what reaches them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.edit import Edit
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.crashed_file import CrashedFile, Made
from bugloss.observe.crash.fixes.rewriting import pass_argument, rewrite, sibling_name
from bugloss.observe.crash.fixes.sizes import layer_in_front
from bugloss.observe.crash.scene import Scene
from bugloss.repair.typed_edits.clash import shapes_in
from bugloss.repair.typed_edits.contract import TypedEdit, places
from bugloss.source.editing import replace_node
from bugloss.source.origins.bindings import FUNCTIONS

_SURE, _GUESS = 0.28, 0.1
_DENSE = ("Linear", "Dense", "LazyLinear")
_RECURRENT = ("LSTM", "GRU", "SimpleRNN", "RNN")
_MOST = 10
_AXES = re.compile(
    r"expected (?:min_|max_)?ndim=(?P<ndim>\d).*?found (?:min_|max_)?ndim=(?P<found>\d)|"
    r"expected (?P<wanted>\d)D(?: or \dD)? input \(got (?P<got>\d)D"
)
_NORMALIZED = re.compile(r"expected \dD")  # the words of batch normalization; convolutions say more
_DIGIT = re.compile(r"(?P<name>[A-Za-z]+)(?P<axes>[123])(?P<end>[dD])$")


def layer_edits(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """What is put in front of a layer, given to it, or written for it, so that it takes what reaches it."""
    found = [*_for_axes(scene, file), *_flattened(scene, file), *_windows(scene, file)]
    yield from sorted(found, key=lambda one: -one.likelihood)[:_MOST]


def _near(scene: Scene, file: CrashedFile) -> list[Made]:
    """The layers that the crash may be about: of the lines on the call stack, else all of the file."""
    lines = {
        (place.module.path, line)
        for place in places(scene, file)
        for line in range(place.statement.lineno, (place.statement.end_lineno or 0) + 1)
    }
    called = {ast.unparse(call.func) for place in places(scene, file) for call in place.calls()}
    layers = file.layers()
    return [one for one in layers if (one.path, one.line) in lines or called & _names_of(one)] or list(layers)


def _names_of(made: Made) -> set[str]:
    """What a layer is called, or the block that it is a part of."""
    statement = made.module.enclosing(made.call, ast.Assign)
    blocks = statement.targets if isinstance(statement, ast.Assign) else []
    return {made.name, *(ast.unparse(target) for target in blocks)} - {""}


def _for_axes(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """A layer that takes another number of axes: the next one of its family, or a layer between."""
    said = _AXES.search(scene.text)
    if said is None:
        return
    wanted, got = int(said["ndim"] or said["wanted"]), int(said["found"] or said["got"])
    reason = f"The layer takes {wanted} axes and gets {got}."
    for made in _all_near(scene, file):
        kind = _DIGIT.match(made.kind)
        name = f"{kind['name']}{max(got - 2, 1)}{kind['end']}" if kind and int(kind["axes"]) == wanted - 2 else ""
        if name and name != made.kind and (made.kind.startswith("BatchNorm") or not _NORMALIZED.match(scene.text)):
            yield TypedEdit(_other_kind(made, name), FixPattern.NEURAL_CONNECTION, _SURE, reason)
    for made in _near(scene, file):
        if got > wanted == 2 and made.kind in _DENSE:
            yield from _in_front(made, "Flatten", reason, _SURE)
        if got == 2 and wanted == 3 and made.kind in _RECURRENT:
            yield from _repeated(scene, made, reason)


def _all_near(scene: Scene, file: CrashedFile) -> list[Made]:
    near = _near(scene, file)
    return [*near, *(one for one in file.layers() if one not in near)]


def _other_kind(made: Made, name: str) -> Edit:
    func = made.call.func
    if isinstance(func, ast.Attribute):
        text = made.module.source.segment(func)
        return rewrite(made.module, func, f"{text[: -len(func.attr)]}{name}")
    return rewrite(made.module, func, name)


def _in_front(made: Made, name: str, reason: str, sure: float) -> Iterator[TypedEdit]:
    edit = layer_in_front(made, name)
    if edit is not None:
        yield TypedEdit(edit, FixPattern.ADD_LAYER, sure, reason)


def _repeated(scene: Scene, made: Made, reason: str) -> Iterator[TypedEdit]:
    """One vector for a layer that reads steps is repeated for each step, as many as the model's input has."""
    steps = _steps_of_input(made)
    name = sibling_name(made.module, made.call, "RepeatVector")
    edit = layer_in_front(made, "RepeatVector")
    if not steps or not name or edit is None:
        return
    *others, last = edit.changes
    changes = tuple(
        type(change)(
            change.path, change.span, change.old, change.new.replace("RepeatVector()", f"RepeatVector({steps})")
        )
        for change in (*others, last)
    )
    text = edit.text.replace("RepeatVector()", f"RepeatVector({steps})")
    yield TypedEdit(Edit(text, changes), FixPattern.DATA_DIMENSION, _SURE, reason)


def _steps_of_input(made: Made) -> str:
    """The first size of the input that the same function declares, as it is written."""
    function = made.module.enclosing(made.call, *FUNCTIONS)
    for call in made.module.called("Input", "InputLayer"):
        if made.module.enclosing(call, *FUNCTIONS) is not function:
            continue
        given = [*call.args, *(item.value for item in call.keywords if item.arg == "shape")]
        shape = given[0] if given else None
        if isinstance(shape, ast.Tuple | ast.List) and len(shape.elts) > 1:
            return made.module.source.segment(shape.elts[0])
    return ""


def _flattened(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """An output with more axes than the labels call for: the last dense layer gets flat samples."""
    shapes = [operand.shape for place in places(scene, file) for _, operand in place.tensors()]
    shapes += [tuple(size or 0 for size in shape) for shape in shapes_in(scene.text)]
    if not any(len(shape) > 2 for shape in shapes) and "shape" not in scene.text:
        return
    dense = [made for made in file.layers() if made.kind in _DENSE]
    maps = [made.line for made in file.layers() if made.kind.startswith(("Conv", "MaxPool", "AveragePool", "AvgPool"))]
    after_maps = [made for made in dense if maps and made.line > max(maps)] or dense
    for made in dict.fromkeys((made.line, made.call.col_offset) for made in (*after_maps[:1], *dense[-1:])):
        found = next(one for one in dense if (one.line, one.call.col_offset) == made)
        sure = _SURE if maps and found is after_maps[0] else _GUESS
        yield from _in_front(found, "Flatten", "A dense layer changes the last axis only.", sure)


def _windows(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """Maps that differ by a pixel or two: kernels of even size, and borders that are cut off."""
    maps = [shape for shape in shapes_in(scene.text) if len(shape) >= 4]
    operands = [operand.shape for place in places(scene, file)[:1] for _, operand in place.tensors()]
    if not maps and not any(len(shape) >= 4 for shape in operands):
        return
    for made in file.layers():
        kernel, node = made.sizes.get("kernel_size"), made.given.get("kernel_size")
        if kernel is None or node is None:
            continue
        reason = f"The maps that meet differ in size; this window is {kernel} wide."
        end = file.steps_back(made.module, node)[-1]
        written = end.node if isinstance(end.node, ast.Constant) else node
        if kernel % 2 == 0 and made.given.get("stride") is None and made.given.get("strides") is None:
            yield TypedEdit(
                replace_node(end.module if written is end.node else made.module, written, str(kernel - 1)),
                FixPattern.LAYER_DIMENSION, _SURE, reason,
            )  # fmt: skip
        padded = _padded(made, kernel)
        if padded is not None:
            yield TypedEdit(padded, FixPattern.LAYER_DIMENSION, _GUESS, reason)


def _padded(made: Made, kernel: int) -> Edit | None:
    if "padding" in made.given or kernel == 1:
        return None
    value = '"same"' if made.kind.endswith("D") else str(kernel // 2)
    return pass_argument(made.module, made.call, "padding", value)
