"""Shapes that a Keras model declares: with the samples counted in, without channels, with channels at the other end."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.edit import Edit, merged
from bugloss.core.network.layer import LayerFamily, family_of
from bugloss.observe.crash.crashed_file import CrashedFile, Made
from bugloss.observe.crash.fixes.rewriting import after, pass_argument, rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, method_of

_FEW_CHANNELS = 4  # of an image; more entries are rows
_FED = ("fit", "evaluate", "predict", "train_on_batch", "predict_on_batch", "test_on_batch")
_AXES = {"1": 2, "2": 3, "3": 4}  # of a sample, by the dimensions of a convolution


def channels_first(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A convolution whose declared input has its few channels in front is stated to take them there."""
    for made in file.layers():
        shape = made.given.get("input_shape")
        sizes = [file.number(made.module, one) for one in shape.elts] if isinstance(shape, ast.Tuple) else []
        known = [size for size in sizes if size is not None]
        in_front = len(known) == len(sizes) > 2 and known[0] <= _FEW_CHANNELS < min(known[1:])
        said = {"data_format", "dim_ordering"} & set(made.given)
        if in_front and not said and family_of(made.kind) is LayerFamily.CONVOLUTION:
            name, value = ("dim_ordering", '"th"') if _is_keras_1(made) else ("data_format", '"channels_first"')
            return pass_argument(made.module, made.call, name, value)
    return None


def _is_keras_1(made: Made) -> bool:
    """Whether a layer is written for Keras 1, which took rows and columns of the window one by one."""
    names = {item.arg for item in made.call.keywords}
    return made.kind.startswith("Convolution") and (len(made.call.args) > 2 or bool(names & {"nb_filter", "subsample"}))


def shape_of_a_sample(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A model that was declared with the shape of all data gets that of one sample, and the channels that it needs."""
    groups = match.groupdict()
    wanted = read_shape(groups.get("wanted") or groups.get("declared") or groups.get("named") or "")
    whole = wanted[1:] if wanted[:1] == (None,) else wanted
    data = next((one for one in scene.operands if one.shape == tuple(whole) and len(one.shape) > 1), None)
    if data is None:
        return None
    for module in file.modules:
        for node in module.nodes[ast.Attribute]:
            passed = isinstance(module.parents.get(node), ast.Call | ast.keyword)
            if isinstance(node, ast.Attribute) and node.attr == "shape" and passed:
                sample = rewrite(module, node, f"{module.source.segment(node)}[1:]")
                lacking = _axes_taken(file) - (len(data.shape) - 1)
                return merged([sample, *_with_channel(file)]) if lacking == 1 else sample
    return None


def missing_channels(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Data without channels get an axis for them, in the arrays and in the declared shape."""
    groups = match.groupdict()
    wanted, got = groups.get("wanted") or groups.get("axes"), groups.get("got")
    given = len(read_shape(groups.get("array") or "")) if got is None else int(got)
    if wanted != str(given + 1) or _axes_taken(file) != given:
        return None
    edits = [*_with_channel(file), *_declared_with_channel(file)]
    return merged(edits) if edits else None


def _axes_taken(file: CrashedFile) -> int:
    """The axes of a sample that the first convolution or recurrent layer takes; 0 where there is none."""
    for made in file.layers():
        window = re.search(r"Conv(?:olution)?(\d)D", made.kind)
        if window is not None:
            return _AXES[window[1]]
        if family_of(made.kind) is LayerFamily.RECURRENT:
            return 2
        if family_of(made.kind) is LayerFamily.DENSE:
            return 0
    return 0


def _with_channel(file: CrashedFile) -> Iterator[Edit]:
    """One more axis for everything that the model is fed, where it is made if that is known."""
    for module in file.modules:
        for call in module.called(*_FED):
            data = call.args[0] if call.args and method_of(call) in _FED else None
            if data is not None:
                yield after(*_made(file, module, data), "[..., None]")


def _made(file: CrashedFile, module: SourceModule, node: ast.expr) -> tuple[SourceModule, ast.expr]:
    end = file.steps_back(module, node)[-1]
    return (end.module, end.node) if isinstance(end.node, ast.expr) and not end.wanted else (module, node)


def _declared_with_channel(file: CrashedFile) -> Iterator[Edit]:
    for module in file.modules:
        for call in module.called("Input", "InputLayer", *{made.kind for made in file.layers()}):
            shape = keyword_of(call, "input_shape") or keyword_of(call, "shape")
            if isinstance(shape, ast.Tuple) and shape.elts:
                inner = ", ".join(module.source.segment(one) for one in shape.elts)
                yield rewrite(module, shape, f"({inner}, 1)")
