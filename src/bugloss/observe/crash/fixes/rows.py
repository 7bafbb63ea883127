"""Rows that do not make a tensor: lists, numbers, text, objects, rows of different lengths."""

from __future__ import annotations

import ast
import re

from bugloss.core.edit import Edit, merged
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import after, keras_name, pass_argument, rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape
from bugloss.source.editing import replace_node, swap_nodes
from bugloss.source.text.syntax import keyword_of, method_of, walk

_JOINING = {"concat", "cat", "stack", "concatenate", "hstack", "vstack"}
_TEXT = ("<U", "U", "str", "object", "string", "|S", "|O")


def listed(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A list that a layer gets becomes a tensor of real numbers; ids of an embedding stay whole."""
    module = file.module
    given = match.groupdict().get("type") or match.groupdict().get("given") or ""
    if given != "list" or "torch" not in module.names.imported:
        return None
    dtype = "" if "embedding" in scene.text else ", dtype=torch.float32"
    for call in module.calls_on(scene.place.line) if scene.place else ():
        for node in call.args:
            end = file.steps_back(module, node)[-1]
            if isinstance(node, ast.Name) and isinstance(end.node, ast.List | ast.ListComp) and not end.wanted:
                return rewrite(module, node, f"torch.tensor({node.id}{dtype})")
    return None


def joined_numbers(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``torch.stack`` of plain numbers is ``torch.tensor``."""
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        is_joining = (module.names.qualified(call.func) or "").startswith("torch.") and method_of(call) in _JOINING
        if is_joining and re.search(r"got (?:float|int)\b", scene.text) and isinstance(call.func, ast.Attribute):
            return rewrite(module, call.func, f"{ast.unparse(call.func.value)}.tensor")
    return None


def axis_last(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``concat(1, tensors)`` passes the axis where the tensors belong."""
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        is_number = bool(call.args) and isinstance(call.args[0], ast.Constant) and type(call.args[0].value) is int
        if method_of(call) in _JOINING and len(call.args) == 2 and is_number:
            return swap_nodes(module, call.args[0], call.args[1])
    return None


def differing_axis(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Tensors are joined along the only axis in which they differ."""
    shapes = [read_shape(one) for one in re.findall(r"\([^()]*\)", match.groupdict().get("shapes") or "")]
    if len(shapes) < 2 or len({len(shape) for shape in shapes}) != 1:
        return None
    differing = [axis for axis, sizes in enumerate(zip(*shapes, strict=True)) if len(set(sizes)) > 1]
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        given = keyword_of(call, "axis")
        if given is not None and len(differing) == 1:
            return rewrite(module, given, "-1" if differing[0] == len(shapes[0]) - 1 else str(differing[0]))
    return None


def along_features(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``torch.cat`` without an axis joins batches; tensors of other widths are joined along their features."""
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        is_cat = (module.names.qualified(call.func) or "") in {"torch.cat", "torch.concat", "torch.concatenate"}
        if is_cat and len(call.args) == 1 and not call.keywords and "except in dimension 0" in scene.text:
            return pass_argument(module, call, "dim", "-1")
    return None


def as_arrays(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Lists that ``fit`` and ``predict`` get become arrays."""
    module = file.module
    numpy = next((short for short, full in module.names.imported.items() if full == "numpy"), "")
    make = f"{numpy}.array" if numpy else f"{keras_name(module)}.ops.array" if keras_name(module) else ""
    for call in module.calls_on(scene.place.line) if scene.place else ():
        if method_of(call) not in {"fit", "predict", "evaluate"} or not make:
            continue
        ends = [(node, file.steps_back(module, node)[-1]) for node in call.args]
        lists = [node for node, end in ends if isinstance(end.node, ast.List | ast.ListComp) and not end.wanted]
        if lists:
            return merged([replace_node(module, one, f"{make}({module.source.segment(one)})") for one in lists])
    return None


def one_sample(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A single sample that ``predict`` gets is a batch of one."""
    groups = match.groupdict()
    wanted = read_shape(groups.get("declared") or groups.get("named") or "")
    given = read_shape(groups.get("found") or groups.get("got") or "")
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        if method_of(call) == "predict" and call.args and given and tuple(wanted[1:]) == tuple(given):
            return after(module, call.args[0], "[None]")
    return None


def variable(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A constant that an optimizer updates is a variable."""
    module = file.module
    constants = [call for call in module.called("constant") if isinstance(call.func, ast.Attribute)]
    names = {
        node.id
        for call in module.calls_on(scene.place.line if scene.place else 0)
        for node in walk(call)
        if isinstance(node, ast.Name)
    }
    for call in constants:
        parent = module.parents.get(call)
        if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name) and parent.targets[0].id in names:
            root = module.source.segment(call.func.value) if isinstance(call.func, ast.Attribute) else ""
            return rewrite(module, call.func, f"{root}.Variable")
    return None


def padded(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``np.array`` of rows of different lengths: they are padded by Keras."""
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        is_array = (module.names.qualified(call.func) or "") in {"numpy.array", "numpy.asarray"}
        keras = keras_name(module)
        if is_array and call.args and keras:
            return rewrite(module, call, f"{keras}.utils.pad_sequences({module.source.segment(call.args[0])})")
    return None


def padded_stack(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``torch.stack`` of rows of different lengths: they are padded to the longest."""
    groups = match.groupdict()
    first, second = read_shape(groups.get("first") or ""), read_shape(groups.get("second") or "")
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        is_stack = (module.names.qualified(call.func) or "") == "torch.stack" and len(call.args) == 1
        if is_stack and not call.keywords and first[1:] == second[1:] and "torch" in module.names.imported:
            rows = module.source.segment(call.args[0])
            return rewrite(module, call, f"torch.nn.utils.rnn.pad_sequence({rows}, batch_first=True)")
    return None


def numeric(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Numbers that are kept as objects or as text are kept as numbers."""
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        if (module.names.qualified(call.func) or "") not in {"torch.tensor", "torch.from_numpy", "torch.as_tensor"}:
            continue
        for node in call.args[:1]:
            end = file.steps_back(module, node)[-1]
            kind = keyword_of(end.node, "dtype") if isinstance(end.node, ast.Call) else None
            if kind is not None and ast.unparse(kind) in {"object", "str", "np.object_", "'object'"}:
                return rewrite(end.module, kind, '"float32"')
            return after(module, node, '.astype("float32")')
    return None


def class_names(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Names of classes become class indices where the labels are made."""
    module = file.module
    texts = {one.name for one in scene.operands if one.dtype.startswith(_TEXT)}
    numpy = next((short for short, full in module.names.imported.items() if full == "numpy"), "")
    for call in module.calls_on(scene.place.line) if scene.place else ():
        labels = keyword_of(call, "y") or (call.args[1] if len(call.args) > 1 else None)
        if method_of(call) != "fit" or labels is None or not numpy or ast.unparse(labels) not in texts:
            continue
        end = file.steps_back(module, labels)[-1]
        place = (end.module, end.node) if isinstance(end.node, ast.Call) and not end.wanted else (module, labels)
        return rewrite(*place, f"{numpy}.unique({place[0].source.segment(place[1])}, return_inverse=True)[1]")
    return None
