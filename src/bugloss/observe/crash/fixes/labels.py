"""Labels and outputs that do not fit: the range of labels, the width of the output layer, the loss."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from bugloss.core.edit import Edit
from bugloss.core.network.layer import LayerFamily, family_of
from bugloss.observe.crash.crashed_file import CrashedFile, Made
from bugloss.observe.crash.fixes.rewriting import after, node_called, pass_argument, rewrite
from bugloss.observe.crash.fixes.sizes import layer_in_front, resize
from bugloss.observe.crash.fixes.tensors import target_node
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of

_SPARSE = {
    "categorical_crossentropy": "sparse_categorical_crossentropy",
    "CategoricalCrossentropy": "SparseCategoricalCrossentropy",
}
_DENSE = {sparse: dense for dense, sparse in _SPARSE.items()}


def shifted(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Labels that start at 1 lose 1 where they are made; else the output layer gets a unit for the largest label."""
    node = _labels(scene, file)
    operand = next((one for one in scene.operands if node is not None and one.name == ast.unparse(node)), None)
    if node is None or operand is None or operand.low is None or operand.high is None:
        return None
    place = _made(file, node)
    if operand.low == 1:
        return _less_one(*place)
    if (operand.low, operand.high) == (-1, 1):
        return rewrite(*place, f"({place[0].source.segment(place[1])} + 1) // 2")
    head = _output_layer(file)
    name = "units" if head is not None and "units" in head.given else "out_features"
    return resize(file, head, name, int(operand.high) + 1) if operand.low >= 0 else None


def _made(file: CrashedFile, node: ast.expr) -> tuple[SourceModule, ast.expr]:
    """The expression that makes a whole value, where the program shows it; else the one that uses it."""
    end = file.steps_back(file.module, node)[-1]
    return (end.module, end.node) if isinstance(end.node, ast.expr) and not end.wanted else (file.module, node)


def _labels(scene: Scene, file: CrashedFile) -> ast.expr | None:
    """The labels of a loss or of ``fit``."""
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        given = keyword_of(call, "y")
        if given is not None:
            return given
        if isinstance(call.func, ast.Attribute) and call.func.attr in {"fit", "evaluate", "train_on_batch"}:
            return call.args[1] if len(call.args) > 1 else None
    return target_node(scene, file)


def _less_one(module: SourceModule, node: ast.expr) -> Edit:
    """An expression less one; a sum that ends in one loses it."""
    ends_in_one = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and isinstance(node.right, ast.Constant)
    if ends_in_one and isinstance(node, ast.BinOp) and getattr(node.right, "value", None) == 1:
        return rewrite(module, node, module.source.segment(node.left))
    text = module.source.segment(node)
    whole = f"({text})" if isinstance(node, ast.BinOp | ast.IfExp | ast.Compare | ast.BoolOp) else text
    return rewrite(module, node, f"{whole} - 1")


def _output_layer(file: CrashedFile) -> Made | None:
    """The last dense layer that the program makes."""
    dense = [made for made in file.layers() if family_of(made.kind) is LayerFamily.DENSE]
    return dense[-1] if dense else None


def against_output(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Labels and outputs of different shapes: a layer that flattens, another loss, or other units."""
    target, output = _shapes(match)
    if not target or not output:
        return None
    return for_shapes(file, target, output)


def for_shapes(file: CrashedFile, target: Sequence[int | None], output: Sequence[int | None]) -> Edit | None:
    """The edit that lets a Keras model with such an output learn such labels."""
    head = _output_layer(file)
    columns = target[-1] if len(target) > 1 else 1
    if len(target) > 1 and tuple(target) == tuple(output[:-1]) and (sparse := _loss(file, _SPARSE)) is not None:
        return sparse  # one class for each step or pixel
    if len(output) > len(target) and len(output) > 2:
        return layer_in_front(head, "Flatten") if head is not None else None
    if columns == 1 and (output[-1] or 0) > 1:
        return _loss(file, _SPARSE)
    if len(target) == len(output) and columns and output[-1] != columns:
        return resize(file, head, "units", columns)
    return None


def _loss(file: CrashedFile, renamed: dict[str, str]) -> Edit | None:
    """The loss of ``compile`` under its other name."""
    for module in file.modules:
        for call in module.called("compile"):
            given = keyword_of(call, "loss") or (call.args[1] if len(call.args) > 1 else None)
            if isinstance(given, ast.Constant) and given.value in renamed:
                return rewrite(module, given, f'"{renamed[str(given.value)]}"')
            made = given.func if isinstance(given, ast.Call) else given
            if isinstance(made, ast.Attribute) and made.attr in renamed and given is not None:
                return rewrite(module, made, f"{module.source.segment(made.value)}.{renamed[made.attr]}")
    return None


def _shapes(match: re.Match[str]) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    """The shapes of labels and outputs in whichever wording gave them."""
    groups = match.groupdict()
    if groups.get("axes"):
        array = read_shape(groups["array"])
        return array, (None,) * int(groups["axes"])
    if groups.get("layer") and groups.get("wanted"):
        return (None, *read_shape(groups["given"])), (None, *read_shape(groups["wanted"]))
    given = [value for value in groups.values() if value is not None]
    if len(given) < 2:
        return (), ()
    target, output = read_shape(given[0]), read_shape(given[1])
    return (output, target) if groups.get("logits") is not None else (target, output)


def channels_moved(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Images whose channels are at the other end than a Keras model declares."""
    groups = match.groupdict()
    wanted, given = read_shape(groups.get("wanted") or ""), read_shape(groups.get("given") or "")
    last, first = (*given[1:], *given[:1]), (*given[-1:], *given[:-1])
    if len(given) != 3 or wanted == given or wanted not in (last, first):
        return None
    name = scene.name_of((None, *given))
    node = node_called(file, scene.place.line, name) if scene.place and name else None
    axes = "0, 2, 3, 1" if wanted == last else "0, 3, 1, 2"
    return after(*_made(file, node), f".transpose({axes})") if node is not None else None


def declared_width(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The shape that a Keras model declares for its input, at the axis that differs."""
    groups = match.groupdict()
    wanted, got = groups.get("value") or groups.get("wanted"), _last_size(groups)
    if not wanted or not wanted.isdigit() or got is None:
        return None
    for module in file.modules:
        for call in module.called("Input", "InputLayer", "Dense", "Conv1D", "Conv2D", "LSTM", "GRU"):
            shape = keyword_of(call, "shape") or keyword_of(call, "input_shape") or _first_tuple(call)
            if isinstance(shape, ast.Tuple) and shape.elts and file.number(module, shape.elts[-1]) == int(wanted):
                return _resized_axis(file, module, shape.elts[-1], got)
    return None


def _last_size(groups: dict[str, str | None]) -> int | None:
    shape = read_shape(groups.get("shape") or groups.get("given") or "")
    return shape[-1] if shape else None


def _first_tuple(call: ast.Call) -> ast.expr | None:
    is_input = isinstance(call.func, ast.Name | ast.Attribute) and ast.unparse(call.func).endswith("Input")
    return call.args[0] if is_input and call.args else None


def _resized_axis(file: CrashedFile, module: SourceModule, node: ast.expr, size: int) -> Edit:
    end = file.steps_back(module, node)[-1]
    if isinstance(end.node, ast.Constant) and end.certain and not end.wanted:
        return rewrite(end.module, end.node, str(size))
    return rewrite(module, node, str(size))


def sequences(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A recurrent layer that gives its last state only, before another one: it is to return the sequence."""
    groups = match.groupdict()
    name = groups.get("layer") or groups.get("old") or scene.layer
    recurrent = [made for made in file.layers() if family_of(made.kind) is LayerFamily.RECURRENT]
    numbered = re.fullmatch(r"(?P<kind>[a-z_]+?)(?:_(?P<number>\d+))?", name or "")
    later = [at for at, made in enumerate(recurrent) if at and numbered and made.kind.lower() == numbered["kind"]]
    for at in later:
        before = recurrent[at - 1]
        given = before.given.get("return_sequences")
        if not isinstance(given, ast.Constant) or not given.value:
            return pass_argument(before.module, before.call, "return_sequences", "True")
    return None


def same_samples(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The cut that one of two arrays had is made in the other, too."""
    line = scene.place.line if scene.place else 0
    arrays = [
        one
        for one in scene.operands
        if one.shape and one.line == line and one.name in (scene.place.text if scene.place else "")
    ]
    for cut in arrays:
        node = node_called(file, line, cut.name)
        end = file.steps_back(file.module, node)[-1] if node is not None else None
        made = end.node if end is not None and not end.wanted else None
        if not isinstance(made, ast.Subscript) or not isinstance(made.slice, ast.Slice):
            continue
        whole = next((one for one in arrays if one.shape[0] != cut.shape[0]), None)
        other = node_called(file, line, whole.name) if whole is not None else None
        if other is not None and end is not None:
            return after(file.module, other, f"[{end.module.source.segment(made.slice)}]")
    return None
