"""What libraries want said: custom classes of a saved model, moved names, copies of arrays, folders, the graph mode."""

from __future__ import annotations

import ast
import re

from bugloss.core.edit import Edit, merged, quoted
from bugloss.core.failure.message import missing_module
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import after, pass_argument, rewrite
from bugloss.observe.crash.renamed import IMPORTED_NAMES, MODULES
from bugloss.observe.crash.scene import Scene
from bugloss.source.editing import insert_after, insert_before, remove_argument, replace_node
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import dotted, keyword_of, method_of, receiver_of

_UNKNOWN = re.compile(
    r"(?:Unknown (?:layer|loss function|loss|metric(?: function)?|activation(?: function)?|object|optimizer|"
    r"initializer)|Could not locate (?:class|function)|Could not deserialize class):? [`'\"]?(?P<name>[A-Za-z_]\w*)"
)
_NOT_THERE = re.compile(
    r"cannot import name '(?P<name>\w+)' from (?:partially initialized module )?'(?P<module>[\w.]+)'"
)
_BOTH = re.compile(r"both [`'\"](?P<first>\w+)[`'\"] and [`'\"](?P<second>\w+)[`'\"]")
_USED_TWICE = re.compile(
    r"[Nn]ame [`'\"](?P<name>[\w/-]+)[`'\"] (?:(?:is|was) used (?:twice|\d+ times|more than once)|is already the name)"
)
_WRITING = {"save", "save_weights", "savez", "savez_compressed", "savetxt", "to_csv", "savefig", "save_model"}


def custom_objects(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A model that was saved with a class or function of the program is loaded with it."""
    said = _UNKNOWN.search(scene.text)
    module = file.module
    defined = {getattr(one, "name", "") for one in (*module.nodes[ast.ClassDef], *module.nodes[ast.FunctionDef])}
    for call in module.calls_on(scene.place.line) if scene.place and said is not None else ():
        name = said["name"] if said is not None else ""
        is_loading = method_of(call) in {"load_model", "model_from_json", "model_from_config", "from_config"}
        if is_loading and keyword_of(call, "custom_objects") is None and name in defined | set(module.names.imported):
            return pass_argument(module, call, "custom_objects", f'{{"{name}": {name}}}')
    return None


def moved_name(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A name or module that has moved is imported from where it is now."""
    statement = file.module.statement(scene.place.line) if scene.place else None
    if not isinstance(statement, ast.ImportFrom) or statement.module is None or statement.level:
        return None
    missing = _NOT_THERE.search(scene.text)
    if missing_module(scene.text):
        return _from_module(file.module, statement, MODULES.get(statement.module, ""))
    return _from_elsewhere(file.module, statement, missing["name"]) if missing is not None else None


def _from_module(module: SourceModule, statement: ast.ImportFrom, now: str) -> Edit | None:
    if not re.fullmatch(r"[\w.]+", now):
        return None
    return replace_node(module, statement, f"from {now} import {_names(statement.names)}")


def _from_elsewhere(module: SourceModule, statement: ast.ImportFrom, name: str) -> Edit | None:
    now = IMPORTED_NAMES.get(name, "")
    alias = next((one for one in statement.names if one.name == name), None)
    if alias is None or not re.fullmatch(r"[\w.]+", now):
        return None
    owner, _, new = now.rpartition(".")
    here = alias.asname or name
    reads = (one.value for one in module.nodes[ast.Attribute] if isinstance(one, ast.Attribute))
    if any(isinstance(one, ast.Name) and one.id == here for one in reads):
        return None  # it is used as a module; one of its members does not take its place
    line = f"from {owner or statement.module} import {new}{'' if new == here else f' as {here}'}"
    others = [one for one in statement.names if one is not alias]
    if not others:
        return replace_node(module, statement, line)
    return replace_node(module, statement, f"from {statement.module} import {_names(others)}\n{line}")


def _names(names: list[ast.alias]) -> str:
    return ", ".join(ast.unparse(one) for one in names)


def copied(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """An array that is read backwards is copied before it becomes a tensor."""
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        qualified = file.module.names.qualified(call.func) or ""
        if qualified in {"torch.from_numpy", "torch.as_tensor", "torch.tensor"} and call.args:
            return after(file.module, call.args[0], ".copy()")
    return None


def numbers_written(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Numbers of NumPy and tensors of one value are written to JSON as plain numbers."""
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        named = re.search(r"type (?:float|int|bfloat)\d+|type (?:Tensor|EagerTensor)", scene.text)
        if (file.module.names.qualified(call.func) or "") in {"json.dump", "json.dumps"} and named:
            return pass_argument(file.module, call, "default", "float")
    return None


def graph_mode(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A program for graphs turns eager execution off before it builds one."""
    module = file.module
    for node in module.nodes[ast.Import]:
        for alias in node.names if isinstance(node, ast.Import) else ():
            if alias.name in {"tensorflow", "tensorflow.compat.v1"} and isinstance(node, ast.stmt):
                name = alias.asname or "tensorflow"
                root = name if alias.name.endswith("v1") else f"{name}.compat.v1"
                return insert_after(module, node, f"{root}.disable_eager_execution()")
    return None


def one_of_two(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Of two arguments that exclude each other the second one of the message is left out."""
    said = _BOTH.search(scene.text)
    for call in file.module.calls_on(scene.place.line) if scene.place and said is not None else ():
        given = {item.arg: item for item in call.keywords}
        if said is not None and said["first"] in given and said["second"] in given:
            return remove_argument(file.module, call, given[said["second"]])
    return None


def other_name(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The second of two layers with one name gets another."""
    said = _USED_TWICE.search(scene.text)
    for module in file.modules if said is not None else ():
        named = [
            given
            for call in module.nodes[ast.Call]
            if isinstance(call, ast.Call)
            if isinstance(given := keyword_of(call, "name"), ast.Constant) and said is not None
            if given.value == said["name"]
        ]
        named.sort(key=lambda one: (one.lineno, one.col_offset))
        if len(named) > 1:
            edits = [rewrite(module, one, f'"{one.value!s}_{at}"') for at, one in enumerate(named[1:], 2)]
            return merged(edits)
    return None


def without_gradient_mode(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Tensors of inference mode cannot be used in training later; those of ``no_grad`` can."""
    for module in file.modules:
        calls = [call for call in module.called("inference_mode") if isinstance(call.func, ast.Attribute)]
        edits = [
            replace_node(module, call.func, f"{module.source.segment(call.func.value)}.no_grad")
            for call in calls
            if isinstance(call.func, ast.Attribute)
        ]
        if edits:
            return merged(edits)
    return None


def scaled_backward(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The loss goes through the scaler before its backward pass."""
    for module in file.modules:
        scalers = [
            dotted(node.targets[0])
            for node in module.nodes[ast.Assign]
            if isinstance(node, ast.Assign) and method_of(node.value) == "GradScaler"
        ]
        for call in module.called("backward") if len(scalers) == 1 else ():
            loss = receiver_of(call)
            if isinstance(loss, ast.Name | ast.Attribute):
                return rewrite(module, loss, f"{scalers[0]}.scale({module.source.segment(loss)})")
    return None


def folder_made(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The folder of a file that is written is made before."""
    module = file.module
    statement = module.statement(scene.place.line) if scene.place else None
    for call in module.calls_on(scene.place.line) if scene.place else ():
        path = _written_to(call)
        if path is None or not isinstance(statement, ast.stmt):
            continue
        made = f'os.makedirs(os.path.dirname({module.source.segment(path)}) or ".", exist_ok=True)'
        edit = insert_before(module, statement, made)
        imports = [node for node in module.nodes[ast.Import] if isinstance(node, ast.Import)]
        if module.names.imported.get("os") == "os":
            return edit
        return merged([edit, insert_before(module, imports[0], "import os")]) if imports else None
    return None


def _written_to(call: ast.Call) -> ast.expr | None:
    """The path that a call writes to."""
    if method_of(call) == "open" and len(call.args) > 1:
        mode = call.args[1]
        return call.args[0] if isinstance(mode, ast.Constant) and str(mode.value)[:1] in {"w", "a", "x"} else None
    if method_of(call) not in _WRITING or not call.args:
        return None
    return call.args[1] if dotted(call.func) == "torch.save" and len(call.args) > 1 else call.args[0]


def with_logits(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Logits go to the loss that applies the sigmoid itself."""
    if any(module.called("sigmoid", "Sigmoid", "softmax", "Softmax") for module in file.modules):
        return None
    for module in file.modules:
        for call in module.called("BCELoss"):
            if isinstance(call.func, ast.Attribute):
                text = f"{module.source.segment(call.func.value)}.BCEWithLogitsLoss"
                edit = replace_node(module, call.func, text)
                return Edit(f"write {quoted(text)} instead of {quoted('BCELoss')} in line {call.lineno}", edit.changes)
    return None
