"""What a graph of TensorFlow 1 keeps: scopes that are built twice, queues, checkpoints, restored placeholders."""

from __future__ import annotations

import ast
import re

from bugloss.core.edit import Edit
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.families.checkpoints import deleting_saver
from bugloss.observe.crash.fixes.rewriting import operand_text, pass_argument, rewrite
from bugloss.observe.crash.fixes.sessions import fed_in, run_calls
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape
from bugloss.source.editing import insert_after
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, receiver_of


def shared_scope(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A network that is built again shares its variables: by the parameter that is there for it, else by its scope."""
    if "already exists" not in scene.text:
        return None
    scope = (match.groupdict().get("name") or "").split("/")[0]
    for module in file.modules:
        for call in module.called("variable_scope"):
            first = call.args[0] if call.args else None
            if not isinstance(first, ast.Constant) or first.value != scope or not isinstance(call.func, ast.Attribute):
                continue
            given = keyword_of(call, "reuse")
            if isinstance(given, ast.Name):
                return _asked_to_reuse(file, module, call, given.id)
            return pass_argument(module, call, "reuse", f"{module.source.segment(call.func.value)}.AUTO_REUSE")
    return None


def _asked_to_reuse(file: CrashedFile, module: SourceModule, scope: ast.Call, name: str) -> Edit | None:
    """``reuse=True`` in the last call of the function that opens the scope: the first one makes the variables."""
    function = module.enclosing(scope, ast.FunctionDef)
    calls = [(one, call) for one in file.modules for call in one.called(getattr(function, "name", ""))]
    for one, call in reversed(calls[1:]):
        if keyword_of(call, name) is None:
            return pass_argument(one, call, name, "True")
    return None


def queues_started(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The threads that fill the input queues are started once the variables have values."""
    module = file.module
    for call in run_calls(scene, file):
        session = receiver_of(call)
        root = next((short for short, full in module.names.imported.items() if full == "tensorflow"), "")
        for run in module.called("run"):
            starts = run.args and "initializer" in ast.unparse(run.args[0])
            statement = module.enclosing(run, ast.stmt)
            if starts and session is not None and root and isinstance(statement, ast.stmt):
                return insert_after(module, statement, f"{root}.train.start_queue_runners(sess={ast.unparse(session)})")
    return None


def all_checkpoints(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A saver keeps the last five checkpoints; with ``max_to_keep=None`` it keeps them all."""
    found = deleting_saver(file)
    return pass_argument(*found, "max_to_keep", "None") if found is not None else None


def restored_placeholder(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """After ``import_meta_graph`` a placeholder is taken from the graph; a new one is not what the model reads."""
    name = match.groupdict().get("name") or ""
    for module in file.modules:
        restored = [call.lineno for call in module.called("import_meta_graph", "import_graph_def")]
        for call in module.called("placeholder"):
            given = keyword_of(call, "name") or (call.args[2] if len(call.args) > 2 else None)
            is_same = isinstance(given, ast.Constant) and given.value == name
            if is_same and restored and min(restored) < call.lineno and isinstance(call.func, ast.Attribute):
                root = module.source.segment(call.func.value)
                return rewrite(module, call, f'{root}.get_default_graph().get_tensor_by_name("{name}:0")')
    return None


def one_hot_fed(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Class labels that are fed to a placeholder of one-hot rows become such rows."""
    groups = match.groupdict()
    given, wanted = read_shape(groups.get("given") or ""), read_shape(groups.get("wanted") or "")
    classes = wanted[-1] if len(wanted) == 2 else None
    numpy = next((short for short, full in file.module.names.imported.items() if full == "numpy"), "")
    if classes is None or classes < 2 or not numpy or not (len(given) == 1 or (len(given) == 2 and given[1] == 1)):
        return None
    name = scene.name_of(given)
    operand = scene.operand(given)
    is_classes = operand is not None and "int" in operand.dtype and (operand.high is None or operand.high < classes)
    for call in run_calls(scene, file) if is_classes else ():
        for _, value in fed_in(call):
            if ast.unparse(value) == name:
                flat = f"{operand_text(file.module, value)}.ravel()" if len(given) == 2 else ast.unparse(value)
                return rewrite(file.module, value, f"{numpy}.eye({classes})[{flat}]")
    return None
