"""Tensors of another type or with other axes than an operation takes: converted where they were made."""

from __future__ import annotations

import ast
import re

from bugloss.core.edit import Edit, merged
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import after, node_called, operand_text, rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape
from bugloss.observe.crash_event import Operand
from bugloss.source.editing import replace_node
from bugloss.source.origins.sought import Sought
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, method_of, receiver_of, walk

_METHODS = {"float32": "float", "float64": "double", "int64": "long", "int32": "int", "bool": "bool", "float16": "half"}
_CASTS = {"float", "double", "long", "int", "half", "bool", "byte", "short"}
_WRITTEN = {
    "Double": "float64", "Float": "float32", "Half": "float16", "Long": "int64", "Int": "int32", "Byte": "uint8",
    "Char": "int8", "Bool": "bool", "double": "float64", "float": "float32", "long": "int64", "int": "int32",
    "unsigned char": "uint8", "long int": "int64", "signed char": "int8", "long long": "int64", "BFloat16": "bfloat16",
}  # fmt: skip
# Calls that make an array or tensor anew and take the type of its values.
_CREATING = {
    "torch": {"tensor", "zeros", "ones", "full", "rand", "randn", "arange", "empty", "linspace", "as_tensor", "eye"},
    "numpy": {"array", "zeros", "ones", "full", "arange", "empty", "linspace", "asarray", "eye", "loadtxt"},
    "tensorflow": {"constant", "zeros", "ones", "fill", "range", "convert_to_tensor", "eye"},
}
_ARGUMENT = re.compile(
    r"Input '(?P<argument>\w+)' of '(?P<operation>\w+)' Op has type \w+ that does not match type (?P<wanted>\w+)"
)
_POSITIONS = {"a": 0, "x": 0, "b": 1, "y": 1}
_FEW_CHANNELS = 4  # of an image; a first axis that is longer is a batch


def short_type(name: str) -> str:
    """``float64`` for ``torch.DoubleTensor``, ``Double`` and ``double``."""
    bare = name.rsplit(".", 1)[-1].removesuffix("Tensor")
    return _WRITTEN.get(bare, bare)


def converted(module: SourceModule, node: ast.AST, dtype: str) -> Edit | None:
    """The expression that makes a tensor, changed to make one of that type; None where its text does not tell how."""
    if not isinstance(node, ast.Call):
        return None
    method, receiver = method_of(node), receiver_of(node)
    qualified = module.names.qualified(node.func) or ""
    library = qualified.split(".")[0]
    if method in _CASTS and receiver is not None and not node.args and not qualified:
        return rewrite(module, node, f"{operand_text(module, receiver)}.{_METHODS.get(dtype, dtype)}()")
    if method == "astype" and node.args:
        return rewrite(module, node.args[0], f'"{dtype}"')
    given = keyword_of(node, "dtype")
    if given is not None:
        return rewrite(module, given, f'"{dtype}"' if isinstance(given, ast.Constant) else _type_beside(given, dtype))
    if qualified == "torch.from_numpy":
        return after(module, node, f".{_METHODS.get(dtype, dtype)}()")
    if method in _CREATING.get(library, ()):
        root = _root_text(node.func)
        text = module.source.segment(node)
        return rewrite(module, node, f"{text[:-1].rstrip().rstrip(',')}, dtype={root}.{dtype})") if root else None
    if library == "numpy" or _is_array(module, node):
        return after(module, node, f'.astype("{dtype}")')
    return None


def _is_array(module: SourceModule, node: ast.expr) -> bool:
    """Whether a chain of methods begins with a function of NumPy."""
    while isinstance(node, ast.Call | ast.Attribute | ast.Subscript):
        if (module.names.qualified(node) or "").startswith("numpy."):
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return False


def _root_text(func: ast.expr) -> str:
    return func.value.id if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) else ""


def _type_beside(given: ast.expr, dtype: str) -> str:
    return f"{ast.unparse(given.value)}.{dtype}" if isinstance(given, ast.Attribute) else f'"{dtype}"'


def convert(scene: Scene, file: CrashedFile, name: str, dtype: str) -> Edit | None:
    """Converts a value of the crashing line: where it was made, else where it is used."""
    node = node_called(file, scene.place.line, name) if scene.place else None
    if node is None:
        return None
    return convert_node(file, node, dtype)


def convert_node(file: CrashedFile, node: ast.expr, dtype: str) -> Edit | None:
    """Converts a value where it was made, if the text there tells its type; elements have the type of the whole."""
    end = file.steps_back(file.module, node)[-1]
    is_whole = all(part.key is None for part in end.wanted)
    return (converted(end.module, end.node, dtype) if is_whole else None) or at_use(file, node, dtype)


def at_use(file: CrashedFile, node: ast.expr, dtype: str) -> Edit | None:
    """Converts a value where it is used."""
    module = file.module
    if "torch" in module.names.roots:
        return after(module, node, f".{_METHODS[dtype]}()") if dtype in _METHODS else None
    alias = next((short for short, long in module.names.imported.items() if long == "tensorflow"), "")
    return rewrite(module, node, f"{alias}.cast({module.source.segment(node)}, {alias}.{dtype})") if alias else None


def differing(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Two types in one operation: the tensor that is not of the weights' type is converted."""
    types = [short_type(value) for value in match.groupdict().values() if value]
    if len(types) != 2:
        return None
    wanted = "float32" if "float32" in types else types[0]
    wrong = next((one for one in types if one != wanted), "")
    operand = _named(scene, wrong)
    return convert(scene, file, operand.name, wanted) if operand is not None else None


def _named(scene: Scene, dtype: str) -> Operand | None:
    """A tensor of that type which the crashing line names."""
    fitting = [one for one in scene.operands if one.dtype == dtype and not one.name.endswith((".weight", ".bias"))]
    line = scene.place.text if scene.place else ""
    return next((one for one in fitting if one.name in line), None)


def argument_of_operation(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """TensorFlow names the argument and the operation: ``Input 'b' of 'MatMul' Op has type float64``."""
    said = _ARGUMENT.search(scene.text)
    for call in file.module.calls_on(scene.place.line) if scene.place and said is not None else ():
        at = _POSITIONS.get(said["argument"]) if said is not None else None
        same = said is not None and method_of(call).replace("_", "") == said["operation"].lower()
        if same and said is not None and at is not None and at < len(call.args):
            return convert_node(file, call.args[at], short_type(said["wanted"]))
    return None


def target_type(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Class indices are int64."""
    node = target_node(scene, file)
    return convert_node(file, node, "int64") if node is not None else None


def real_target(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A loss of real numbers takes targets of real numbers."""
    groups = match.groupdict()
    wanted = short_type(groups.get("result") or groups.get("expected") or "")
    node = target_node(scene, file)
    return convert_node(file, node, wanted) if node is not None and wanted.startswith("float") else None


def target_node(scene: Scene, file: CrashedFile) -> ast.expr | None:
    """The second operand of the loss that the crashing line computes."""
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        named = next((keyword_of(call, name) for name in ("target", "targets", "labels", "y_true")), None)
        if named is not None:
            return named
        if len(call.args) == 2 and isinstance(call.args[1], ast.Name | ast.Attribute | ast.Subscript):
            return call.args[1]
    return None


def column_target(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A column of class indices becomes flat, one-hot rows become indices."""
    node = target_node(scene, file)
    operand = _operand_of(scene, node)
    if node is None or operand is None or len(operand.shape) != 2:
        return None
    return reshaped(file, node, ".squeeze(1)" if operand.shape[1] == 1 else ".argmax(dim=1)")


def like_output(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A flat target of a loss that compares element by element gets the axis of the output."""
    shapes = [read_shape(one) for one in re.findall(r"\[[\d, ]*\]", scene.text)]
    node = target_node(scene, file)
    if (
        node is None
        or len(shapes) != 2
        or (*shapes[0], 1) != tuple(shapes[1])
        or "torch" not in file.module.names.roots
    ):
        return None
    operand = _operand_of(scene, node)
    is_real = operand is None or operand.dtype.startswith("float")
    return after(file.module, node, ".unsqueeze(1)" if is_real else ".unsqueeze(1).float()")


def _operand_of(scene: Scene, node: ast.expr | None) -> Operand | None:
    text = ast.unparse(node) if node is not None else ""
    return next((one for one in scene.values if one.name == text), None)


def reshaped(file: CrashedFile, node: ast.expr, suffix: str) -> Edit:
    """Changes the axes of a tensor: where the program makes the whole tensor, else where it is used."""
    end = file.steps_back(file.module, node)[-1]
    if isinstance(end.node, ast.expr) and not end.wanted and _is_tensor(end):
        return after(end.module, end.node, suffix)
    return after(file.module, node, suffix)


def _is_tensor(end: Sought) -> bool:
    """Whether an expression is a whole tensor of PyTorch for certain: made by it, or by a method that only it has."""
    node, module = end.node, end.module
    if not isinstance(node, ast.Call) or module.enclosing(node, ast.ClassDef) is not None:
        return False
    return (module.names.qualified(node.func) or "").startswith("torch.") or method_of(node) in _CASTS


def channel_order(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Brings channels that come last to the front."""
    given, takes = read_shape(match["input"]), int(match["takes"])
    name = scene.name_of(given)
    node = node_called(file, scene.place.line, name) if scene.place and name else None
    if node is None or given[-1] != takes or len(given) not in (3, 4):
        return None
    return reshaped(file, node, ".permute(0, 3, 1, 2)" if len(given) == 4 else ".permute(0, 2, 1)")


def batch_first_view(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``x.view(-1, 400)`` that does not fit becomes ``x.view(x.size(0), -1)``."""
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        receiver = receiver_of(call)
        if method_of(call) in {"view", "reshape"} and receiver is not None and len(call.args) == 2:
            text = operand_text(file.module, receiver)
            return rewrite(file.module, call, f"{text}.{method_of(call)}({text}.size(0), -1)")
    return None


def contiguous(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``view`` of scattered memory becomes ``reshape``."""
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        receiver = receiver_of(call)
        if method_of(call) == "view" and receiver is not None:
            rest = file.module.source.segment(call)[len(file.module.source.segment(call.func)) :]
            return rewrite(file.module, call, f"{operand_text(file.module, receiver)}.reshape{rest}")
    return None


def detached(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``x.numpy()`` of a tensor with gradients becomes ``x.detach().numpy()``: each of the line, which does no harm."""
    calls = file.module.calls_on(scene.place.line) if scene.place else []
    made = [
        receiver for call in calls if method_of(call) == "numpy" and not call.args if (receiver := receiver_of(call))
    ]
    if made:
        made.sort(key=lambda node: (node.lineno, node.col_offset))
        return merged([replace_node(file.module, one, f"{operand_text(file.module, one)}.detach()") for one in made])
    for call in calls:
        if (file.module.names.qualified(call.func) or "").startswith("numpy.") and len(call.args) >= 1:
            return after(file.module, call.args[0], ".detach().numpy()")
    return None


def on_host(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``x.numpy()`` of a tensor on an accelerator becomes ``x.cpu().numpy()``."""
    calls = file.module.calls_on(scene.place.line) if scene.place else []
    made = [one for call in calls if method_of(call) == "numpy" and not call.args if (one := receiver_of(call))]
    return merged([after(file.module, one, ".cpu()") for one in made]) if made else None


def missing_axis(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A single sample gets the axis of the batch."""
    groups = match.groupdict()
    given = read_shape(groups.get("size") or groups.get("old") or "")
    wanted = {"1": 3, "2": 4, "3": 5}.get(groups.get("axes") or "", 0) or int(groups.get("rank") or 0)
    name = scene.name_of(given)
    node = node_called(file, scene.place.line, name) if scene.place and name else None
    if node is None or len(given) != wanted - 1:
        return None
    return after(file.module, node, f".unsqueeze({1 if len(given) > 2 and (given[0] or 0) > _FEW_CHANNELS else 0})")


def indices(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Ids of an embedding and indices are int64."""
    line = scene.place.text if scene.place else ""
    ids = [one for one in scene.operands if one.dtype.startswith("float") and not one.name.endswith(("weight", "bias"))]
    named = [one for one in ids if re.search(rf"(?<![\w.]){re.escape(one.name)}(?![\w.])", line)]
    tables = {made.name for made in file.layers() if made.kind.startswith("Embedding")} - {""}
    calls = file.module.calls_on(scene.place.line) if scene.place else []
    looked_up = {ast.unparse(node) for call in calls if ast.unparse(call.func) in tables for node in call.args}
    wanted = [one for one in named if one.name in looked_up] or named[:1]
    edits = [convert(scene, file, name, "int64") for name in dict.fromkeys(one.name for one in wanted)]
    found = [edit for edit in edits if edit is not None]
    return merged(found) if found else None


def from_array(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """An array of NumPy that reaches a layer of PyTorch becomes a tensor."""
    line = scene.place.text if scene.place else ""
    arrays = [one for one in scene.operands if one.name in line and not one.name.endswith((".weight", ".bias"))]
    node = node_called(file, scene.place.line, arrays[0].name) if scene.place and arrays else None
    if node is None or "ndarray" not in scene.text or "torch" not in file.module.names.roots:
        return None
    suffix = ".float()" if arrays[0].dtype == "float64" else ""
    return rewrite(file.module, node, f"torch.from_numpy({file.module.source.segment(node)}){suffix}")


def number_of_scalar(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``loss.data[0]`` of before PyTorch 0.4 is ``loss.item()``."""
    statement = file.module.statement(scene.place.line) if scene.place else None
    for node in walk(statement) if statement is not None else ():
        is_first = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value == 0
        if isinstance(node, ast.Subscript) and is_first and isinstance(node.ctx, ast.Load):
            owner = (
                node.value.value if isinstance(node.value, ast.Attribute) and node.value.attr == "data" else node.value
            )
            return rewrite(file.module, node, f"{file.module.source.segment(owner)}.item()")
    return None


def last_axis_of_all(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """An axis that a tensor does not have, counted from the end."""
    axis = match.groupdict().get("axis") or match.groupdict().get("index") or ""
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        given = [item.value for item in call.keywords if item.arg in {"dim", "axis"}] or call.args[-1:]
        for node in given:
            if isinstance(node, ast.Constant) and type(node.value) is int and str(node.value) == axis:
                return rewrite(file.module, node, "-1")
    return None


def transposed_second(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``a @ b`` of two tensors that agree in their last axis: the second is transposed."""
    module = file.module
    statement = module.statement(scene.place.line) if scene.place else None
    shapes = {one.name: one.shape for one in scene.operands}
    for node in walk(statement) if statement is not None else ():
        if isinstance(node, ast.Call) and method_of(node) in {"bmm", "matmul", "mm"} and len(node.args) == 2:
            left, right = node.args
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            left, right = node.left, node.right
        else:
            continue
        first, second = shapes.get(ast.unparse(left), ()), shapes.get(ast.unparse(right), ())
        if min(len(first), len(second)) > 1 and first[-1] == second[-1] and "torch" in module.names.roots:
            return after(module, right, ".transpose(-2, -1)")
    return None
