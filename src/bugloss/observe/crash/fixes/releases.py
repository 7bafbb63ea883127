"""Calls that the installed libraries take in another form: removed methods, functions and shapes of TensorFlow."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping

from bugloss.core.edit import Edit, merged, quoted
from bugloss.core.network.layer import LayerFamily, family_of
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import keras_name, rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape
from bugloss.source.editing import replace_span
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, method_of, walk

# Methods that were removed, the method that took their place, and what follows it.
_METHODS: Mapping[str, tuple[str, str]] = {
    "fit_generator": ("fit", ""),
    "evaluate_generator": ("evaluate", ""),
    "predict_generator": ("predict", ""),
    "predict_proba": ("predict", ""),
    "predict_classes": ("predict", ".argmax(axis=-1)"),
    "as_matrix": ("to_numpy", ""),
}
# Functions of TensorFlow that keras.ops has under another name.
_OPERATIONS = {
    "concat": "concatenate", "pow": "power", "range": "arange", "gather": "take", "clip_by_value": "clip",
    "tensordot": "tensordot",
}  # fmt: skip
# Functions of NumPy that TensorFlow has; keras.ops has them under their own names.
_OF_TENSORFLOW: Mapping[str, str] = {
    "mean": "reduce_mean", "sum": "reduce_sum", "max": "reduce_max", "min": "reduce_min", "prod": "reduce_prod",
    "std": "math.reduce_std", "var": "math.reduce_variance", "log": "math.log", "concatenate": "concat",
    **{name: name for name in (
        "abs", "exp", "sqrt", "square", "maximum", "minimum", "where", "stack", "sin", "cos", "tanh", "reshape",
        "transpose", "expand_dims", "squeeze", "ones_like", "zeros_like", "argmax", "sign", "round", "matmul",
    )},
}  # fmt: skip
_OF_OPERATIONS = {
    "mean", "sum", "max", "min", "prod", "concat", "reshape", "squeeze", "expand_dims", "transpose", "matmul", "stack",
    "abs", "exp", "log", "sqrt", "square", "pow", "maximum", "minimum", "where", "cast", "shape", "tile", "argmax",
    "gather", "clip_by_value", "tensordot", "rsqrt", "sin", "cos", "floor", "round", "sign", "softplus", "gelu", "silu",
    "zeros_like", "ones_like", "logical_and", "logical_or", "logical_not", "equal", "not_equal", "greater", "less",
    "greater_equal", "less_equal", "repeat", "meshgrid", "cumsum", "one_hot", "log_softmax", "leaky_relu", "elu",
    "relu", "sigmoid", "tanh", "softmax", "add", "multiply", "subtract", "divide", "range", "split", "norm", "einsum",
}  # fmt: skip


def renamed_method(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A method under the name that it has now."""
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in _METHODS:
            continue
        new, suffix = _METHODS[call.func.attr]
        text = module.source.segment(call)[len(module.source.segment(call.func)) :]
        result = f"{module.source.segment(call.func.value)}.{new}{text}"
        if suffix and _has_one_output(file):
            return rewrite(module, call, f'({result} > 0.5).astype("int32")')
        return rewrite(module, call, f"{result}{suffix}")
    return None


def _has_one_output(file: CrashedFile) -> bool:
    dense = [made for made in file.layers() if family_of(made.kind) is LayerFamily.DENSE]
    return bool(dense) and dense[-1].sizes.get("units") == 1


def of_keras(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``tf.reduce_mean(x)`` of a symbolic tensor is ``keras.ops.mean(x)``; so is every other call of the function."""
    return _in_whole_function(scene, file, _as_operation)


def _in_whole_function(
    scene: Scene, file: CrashedFile, rewritten: Callable[[SourceModule, ast.Call], Edit | None]
) -> Edit | None:
    """The edit of every call in the function that crashed, that of the line first; None where the line has none."""
    module = file.module
    statement = module.statement(scene.place.line) if scene.place else None
    around = module.enclosing(statement, ast.FunctionDef, ast.Lambda) if statement is not None else None
    calls = [node for node in walk(around or statement or ast.Pass()) if isinstance(node, ast.Call)]
    edits = [edit for call in calls if (edit := rewritten(module, call)) is not None]
    on_line = [edit for edit in edits if scene.place is not None and edit.line == scene.place.line]
    return merged([*on_line, *(edit for edit in edits if edit not in on_line)]) if on_line else None


def _as_operation(module: SourceModule, call: ast.Call) -> Edit | None:
    qualified = module.names.qualified(call.func) or ""
    name = method_of(call).removeprefix("reduce_")
    keras = keras_name(module)
    if not qualified.startswith("tensorflow.") or ".keras." in qualified or name not in _OF_OPERATIONS or not keras:
        return None
    text = f"{keras}.ops.{_OPERATIONS.get(name, name)}"
    words = f"write {quoted(text)} instead of {quoted(module.source.segment(call.func))} in line {call.lineno}"
    return Edit(words, (replace_span(module, module.span(call.func), text),))


def of_framework(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``np.mean(x)`` of a tensor that has no value yet is the framework's function; so are others of the function."""
    return _in_whole_function(scene, file, _without_numpy)


def _without_numpy(module: SourceModule, call: ast.Call) -> Edit | None:
    """A function of NumPy as TensorFlow has it, or ``keras.ops`` where the program imports no TensorFlow."""
    qualified, name = module.names.qualified(call.func) or "", method_of(call)
    roots = {full: short for short, full in module.names.imported.items()}
    if qualified != f"numpy.{name}":
        return None
    if "tensorflow" in roots:
        text = f"{roots['tensorflow']}.{_OF_TENSORFLOW.get(name, '')}"
    else:
        text = f"{roots['keras']}.ops.{name}" if "keras" in roots else "."
    if text.endswith(".") or name not in _OF_TENSORFLOW:
        return None
    words = f"write {quoted(text)} instead of {quoted(module.source.segment(call.func))} in line {call.lineno}"
    return Edit(words, (replace_span(module, module.span(call.func), text),))


def scattered_update(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``x[i] = value`` of a tensor becomes an update that makes a new one."""
    module = file.module
    statement = module.statement(scene.place.line) if scene.place else None
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    alias = next((short for short, full in module.names.imported.items() if full == "tensorflow"), "")
    if not isinstance(statement, ast.Assign) or not isinstance(target, ast.Subscript) or not alias:
        return None
    if not isinstance(target.value, ast.Name) or isinstance(target.slice, ast.Slice | ast.Tuple):
        return None
    name, index = target.value.id, module.source.segment(target.slice)
    value = module.source.segment(statement.value)
    return rewrite(module, statement, f"{name} = {alias}.tensor_scatter_nd_update({name}, [[{index}]], [{value}])")


def described_shape(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The shape that a data set of a generator declares, where its generator yields another one."""
    given, declared = read_shape(match["given"]), read_shape(match["declared"])
    if len(given) != len(declared):
        return None
    for module in file.modules:
        for call in module.called("TensorSpec", "TensorShape"):
            shape = keyword_of(call, "shape") or (call.args[0] if call.args else None)
            axes = shape.elts if isinstance(shape, ast.Tuple | ast.List) else []
            if [file.number(module, axis) for axis in axes] != list(declared):
                continue
            for axis, wanted, size in zip(axes, declared, given, strict=True):
                if wanted != size and wanted is not None and size is not None:
                    text = module.source.segment(axis)
                    by = size - wanted
                    sum_of = f"{text} {'+' if by > 0 else '-'} {abs(by)}"
                    return rewrite(module, axis, str(size) if isinstance(axis, ast.Constant) else sum_of)
    return None


def optimizer_state(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Optimizers of Keras gave their state as arrays until 2.10; their variables hold it since."""
    module = file.module
    crashed = [call for call in (module.calls_on(scene.place.line) if scene.place else ()) if _is_of_state(call)]
    owners = {_last_word(call) for call in crashed}
    if not re.search(r"has no attribute '[gs]et_weights'", scene.text) or not owners:
        return None
    calls = [call for call in module.called("get_weights", "set_weights") if _last_word(call) in owners]
    edits = [_with_variables(module, call) for call in (*crashed, *calls)]
    found = [edit for edit in edits if edit is not None]
    return merged(found) if found else None


def _is_of_state(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in {"get_weights", "set_weights"}


def _last_word(call: ast.Call) -> str:
    """``optimizer`` of ``self.optimizer.get_weights()``."""
    return ast.unparse(call.func).split(".")[-2] if isinstance(call.func, ast.Attribute) else ""


def _with_variables(module: SourceModule, call: ast.Call) -> Edit | None:
    owner = module.source.segment(call.func).rpartition(".")[0]
    if method_of(call) == "get_weights":
        return rewrite(module, call, f"[variable.numpy() for variable in {owner}.variables]")
    statement = module.parents.get(call)
    if not isinstance(statement, ast.Expr) or len(call.args) != 1:
        return None
    indentation = " " * (statement.col_offset + 4)
    pairs = f"zip({owner}.variables, {module.source.segment(call.args[0])})"
    text = f"for variable, weight in {pairs}:\n{indentation}variable.assign(weight)"
    return rewrite(module, statement, text)
