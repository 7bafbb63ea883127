"""Layers made for another size than reaches them: the size where it is written, or a layer that is missing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.edit import Edit, quoted
from bugloss.core.network.layer import LayerFamily, family_of
from bugloss.observe.crash.crashed_file import CrashedFile, Made
from bugloss.observe.crash.fixes.rewriting import after, pass_argument, rewrite, sibling_name
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape
from bugloss.source.editing import insert_before, replace_node
from bugloss.source.origins.bindings import FUNCTIONS, binding_of
from bugloss.source.origins.sought import Function
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, walk

_GIVES = ("out_features", "out_channels", "units", "filters", "embedding_dim")
_CONVOLUTIONS = ("Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d")


def resize(file: CrashedFile, made: Made | None, argument: str, size: int) -> Edit | None:
    """Makes a layer for another size, where that size is written."""
    node = made.given.get(argument) if made is not None else None
    if made is None or node is None:
        return None
    name = _known_as(file, made, argument, size)
    if name:
        return rewrite(made.module, node, name)
    source = _written_once(file, made, node)
    if source is not None:
        module, literal = source
        return rewrite(module, literal, str(size))
    return rewrite(made.module, node, str(size))


def like_trained(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Data that the program makes with a number of features get the number that the layer takes."""
    sizes = [int(size) for size in re.findall(r"\d+", match[0])]
    if len(sizes) < 3 or scene.place is None:
        return None
    given, taken = sizes[1], sizes[2]
    path, line = file.stack[0] if file.stack else (file.module.path, scene.place.line)
    module = file.project.module(path) or file.module
    for node in (argument for call in module.calls_on(line) for argument in call.args):
        end = file.steps_back(module, node)[-1]
        parts = walk(end.node) if isinstance(end.node, ast.Call) and not end.wanted else []
        numbers = [one for one in parts if isinstance(one, ast.Constant) and one.value == given]
        if len(numbers) == 1:
            return rewrite(end.module, numbers[0], str(taken))
    return None


def _written_once(file: CrashedFile, made: Made, node: ast.expr) -> tuple[SourceModule, ast.expr] | None:
    """The literal behind a parameter or constant that is used for nothing else."""
    if not isinstance(node, ast.Name) or not _is_used_once(made.module, node):
        return None
    steps = file.steps_back(made.module, node)
    end = steps[-1]
    is_number = isinstance(end.node, ast.Constant) and isinstance(end.node.value, int)
    return (end.module, end.node) if is_number and end.certain and isinstance(end.node, ast.expr) else None


def _is_used_once(module: SourceModule, node: ast.Name) -> bool:
    binding = binding_of(module, node.id, node)
    scope = module.enclosing(binding.node, *FUNCTIONS) if binding and isinstance(binding.node, ast.arg) else module.tree
    names = walk(scope) if scope is not None else []
    return sum(isinstance(one, ast.Name) and one.id == node.id and isinstance(one.ctx, ast.Load) for one in names) == 1


def _known_as(file: CrashedFile, made: Made, argument: str, size: int) -> str:
    """The name that the program has for a size: what the layer before gives, or a parameter of the same function."""
    wrong = ast.unparse(made.given[argument])
    before = _layer_before(file, made)
    for name in _GIVES if before is not None else ():
        node = before.given.get(name) if before is not None else None
        if before is None or node is None or isinstance(node, ast.Constant) or ast.unparse(node) == wrong:
            continue
        known = before.sizes.get(name)
        if known == size or (known is None and family_of(made.kind) is LayerFamily.NORMALIZATION):
            return before.module.source.segment(node)
    return next((name for name, value in _parameters(file, made) if value == size and name != wrong), "")


def _layer_before(file: CrashedFile, made: Made) -> Made | None:
    """The layer with a width of its own that is made just before, in the same function."""
    function = made.module.enclosing(made.call, *FUNCTIONS)
    earlier = [
        one
        for one in file.layers()
        if one.module is made.module
        and (one.call.lineno, one.call.col_offset) < (made.call.lineno, made.call.col_offset)
        and one.module.enclosing(one.call, *FUNCTIONS) is function
        and any(name in one.given for name in _GIVES)
    ]
    return max(earlier, key=lambda one: (one.call.lineno, one.call.col_offset), default=None)


def _parameters(file: CrashedFile, made: Made) -> Iterator[tuple[str, int]]:
    """The parameters of the function that makes a layer, with the numbers that they are for certain."""
    function = made.module.enclosing(made.call, *FUNCTIONS)
    if not isinstance(function, Function):
        return
    names = {argument.arg for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}
    for node in walk(function):
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load):
            names.discard(node.id)
            number = file.number(made.module, node)
            if number is not None:
                yield node.id, number


def dense(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A linear layer: its ``in_features``, or the flattening that is missing before it."""
    rows, columns, takes, gives = (int(match[name]) for name in ("rows", "columns", "takes", "gives"))
    layer = scene.made("Linear", in_features=takes, out_features=gives)
    if layer is None:
        return None
    flattened = scene.flattened(rows, columns, takes)
    return _flatten(scene, file, layer) if flattened else resize(file, layer, "in_features", columns)


def _flatten(scene: Scene, file: CrashedFile, layer: Made) -> Edit | None:
    """Flattens what enters a layer: in the call of the layer, or by a layer before it."""
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        if layer.name and ast.unparse(call.func) == layer.name and len(call.args) == 1:
            return after(file.module, call.args[0], ".flatten(1)")
    return layer_in_front(layer, "Flatten")


def layer_in_front(made: Made, name: str) -> Edit | None:
    """Puts a layer without arguments in front of another: in a list, by ``add``, or around its input."""
    module, parent = made.module, made.module.parents.get(made.call)
    new = sibling_name(module, made.call, name)
    if isinstance(parent, ast.Call) and method_of(parent) == "add" and isinstance(parent.func, ast.Attribute):
        statement = module.enclosing(parent, ast.stmt)
        line = f"{module.source.segment(parent.func.value)}.add({new or name}())"
        if not isinstance(statement, ast.stmt):
            return None
        added = insert_before(module, statement, line)
        return added if new else _with_import(module, made, name, added)
    if not new:
        return None
    if isinstance(parent, ast.Call) and parent.func is made.call and len(parent.args) == 1:
        return rewrite(module, parent.args[0], f"{new}()({module.source.segment(parent.args[0])})")
    if isinstance(parent, ast.List | ast.Tuple) or (isinstance(parent, ast.Call) and made.call in parent.args):
        shown = replace_node(module, made.call, f"{new}(), {module.source.segment(made.call)}")
        return Edit(f"put {quoted(f'{new}()')} before {quoted(made.text)} in line {made.line}", shown.changes)
    return None


def _with_import(module: SourceModule, made: Made, name: str, added: Edit) -> Edit | None:
    """An edit that also imports the class that it uses, from where the layer beside it comes."""
    for node in module.nodes[ast.ImportFrom]:
        if isinstance(node, ast.ImportFrom) and any(alias.name == made.kind for alias in node.names):
            text = module.source.segment(node)
            if not text.endswith(")"):
                return Edit(
                    f"{added.text}, and import {quoted(name)} in line {node.lineno}",
                    (*added.changes, *replace_node(module, node, f"{text}, {name}").changes),
                )
    return None


def channels(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The ``in_channels`` of a convolution."""
    weight = read_shape(match["weight"])
    given, takes, got = read_shape(match["input"]), int(match["takes"]), int(match["got"])
    outputs = weight[1] if match["transposed"] == "1" else weight[0]
    layer = scene.made(*_CONVOLUTIONS, in_channels=takes, out_channels=outputs or 0)
    return None if given[-1] == takes else resize(file, layer, "in_channels", got)


def normalization(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The ``num_features`` of a batch normalization."""
    if "takes" not in match.groupdict() or not match["takes"].isdigit():
        return None
    layer = scene.made("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", num_features=int(match["takes"]))
    return resize(file, layer, "num_features", int(match["got"]))


def recurrent(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The ``input_size`` of a recurrent layer."""
    if "gives" in match.groupdict():
        return None
    layer = scene.made("LSTM", "GRU", "RNN", input_size=int(match["takes"]))
    return resize(file, layer, "input_size", int(match["got"]))


def embedding(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The number of entries of a table, from the largest id that was looked up."""
    layer = scene.made("Embedding")
    if layer is None:
        return None
    name = "num_embeddings" if "num_embeddings" in layer.given else "input_dim"
    groups = match.groupdict()
    weight = next((one for one in scene.operands if one.name.endswith((f"{layer.name}.weight",)) and layer.name), None)
    size = int(groups["size"]) if groups.get("size") else weight.shape[0] if weight else layer.sizes.get(name)
    largest = int(groups["index"]) if groups.get("index") else _largest_id(scene)
    node = layer.given.get(name)
    if node is None or largest is None or size is None or largest < size:
        return None
    module, node = _first_computed(file, layer.module, node, size)
    if isinstance(node, ast.Constant):
        return rewrite(module, node, str(largest + 1))
    return rewrite(module, node, f"{module.source.segment(node)} + {largest + 1 - size}")


def _largest_id(scene: Scene) -> int | None:
    """Of the whole numbers on the line that crashed; of all in its frames where none is there."""
    ids = [one for one in scene.operands if one.high is not None and "int" in one.dtype]
    place = scene.place
    here = [one for one in ids if place is not None and one.line == place.line and one.name in place.text]
    return max((int(one.high) for one in here or ids if one.high is not None), default=None)


def _first_computed(
    file: CrashedFile, module: SourceModule, node: ast.expr, size: int
) -> tuple[SourceModule, ast.expr]:
    """Where a size that is passed on by name is computed or written; of an attribute only a place of that value."""
    for step in file.steps_back(module, node):
        if isinstance(step.node, ast.expr) and not isinstance(step.node, ast.Name | ast.Attribute):
            is_size = not isinstance(node, ast.Attribute) or file.number(step.module, step.node) == size
            return (step.module, step.node) if is_size else (module, node)
    return module, node


def heads(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A number of heads that divides the width: the largest that is not above the one that is written."""
    for made in file.layers():
        wide, many = made.sizes.get("embed_dim") or made.sizes.get("d_model"), None
        name = "num_heads" if "num_heads" in made.given else "nhead"
        many = made.sizes.get(name)
        if wide and many and wide % many and name in made.given:
            fitting = max(number for number in range(1, many + 1) if wide % number == 0)
            return rewrite(made.module, made.given[name], str(fitting))
    return None


def padding(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Padding for the window that no longer fits: of the last layer that can be meant."""
    kernel = read_shape(match.groupdict().get("kernel") or "")
    if not kernel:
        return None
    kind, filters = f"Conv{len(kernel) - 2}D", kernel[-1]
    fitting = [
        made
        for made in file.layers()
        if made.kind == kind and made.sizes.get("filters") == filters and "padding" not in made.given
    ]
    return pass_argument(fitting[-1].module, fitting[-1].call, "padding", '"same"') if fitting else None


def recurrent_or_dense(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The size of whichever layer refused its input."""
    return dense(scene, file, match) if "gives" in match.groupdict() else recurrent(scene, file, match)
