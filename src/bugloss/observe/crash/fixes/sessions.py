"""Sessions of TensorFlow 1: what is fed and fetched, the graph of a session, variables that are shared or local."""

from __future__ import annotations

import ast
import math
import re

from bugloss.core.edit import Edit, quoted
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import operand_text, pass_argument, rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape
from bugloss.source.editing import insert_after, insert_before, replace_span
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, loads, method_of, receiver_of, stored, walk

_SCOPES = ("variable_scope",)


def run_calls(scene: Scene, file: CrashedFile) -> list[ast.Call]:
    """The calls of ``session.run`` on the crashing line."""
    calls = file.module.calls_on(scene.place.line) if scene.place else []
    return [call for call in calls if method_of(call) == "run" and call.args]


def kept_apart(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``loss = session.run(loss)`` in a loop overwrites the tensor: the value gets a name of its own."""
    module = file.module
    for call in run_calls(scene, file):
        statement = module.enclosing(call, ast.stmt)
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        for name in sorted({one for target in targets for one in stored(target)} & loads(call.args[0])):
            return _renamed(module, statement, name) if isinstance(statement, ast.Assign) else None
    return None


def _renamed(module: SourceModule, statement: ast.Assign, name: str) -> Edit:
    """The target of an assignment under another name, and what reads it afterwards in the same block."""
    block = getattr(module.parents.get(statement), "body", [statement])
    later = block[block.index(statement) + 1 :] if statement in block else []
    new = f"{name}_value"
    nodes = [node for part in (*statement.targets, *later) for node in walk(part)]
    changes = [
        replace_span(module, module.span(one), new) for one in nodes if isinstance(one, ast.Name) if one.id == name
    ]
    return Edit(f"keep the value as {quoted(new)} in line {statement.lineno}: {name} is the tensor", tuple(changes))


def fed_values(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A tensor that is fed is computed first."""
    for call in run_calls(scene, file):
        for _, value in fed_in(call):
            end = file.steps_back(file.module, value)[-1]
            made = end.module.names.qualified(end.node.func) if isinstance(end.node, ast.Call) else None
            session = receiver_of(call)
            if (made or "").startswith("tensorflow.") and session is not None:
                return rewrite(file.module, value, f"{ast.unparse(session)}.run({file.module.source.segment(value)})")
    return None


def fed_in(call: ast.Call) -> list[tuple[ast.expr, ast.expr]]:
    """Placeholders and what they are fed, where the call writes them down."""
    feed = keyword_of(call, "feed_dict") or (call.args[1] if len(call.args) > 1 else None)
    pairs = zip(feed.keys, feed.values, strict=True) if isinstance(feed, ast.Dict) else ()
    return [(key, value) for key, value in pairs if key is not None]


def fed_shape(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """What is fed gets the shape of its placeholder, where the sizes of a sample agree."""
    groups = match.groupdict()
    given, wanted = read_shape(groups.get("given") or ""), read_shape(groups.get("wanted") or "")
    sample = [size for size in wanted[1:] if size is not None]
    if not given or len(sample) != len(wanted) - 1 or math.prod(size or 0 for size in given[1:]) != math.prod(sample):
        return None
    name = scene.name_of(given)
    for call in run_calls(scene, file):
        for _, value in fed_in(call):
            if name and ast.unparse(value) == name:
                sizes = ", ".join(map(str, (-1, *sample)))
                return rewrite(file.module, value, f"{operand_text(file.module, value)}.reshape({sizes})")
    return None


def own_graph(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A session of the only graph that the program makes."""
    module = file.module
    graphs = [
        node.targets[0].id
        for node in module.nodes[ast.Assign]
        if isinstance(node, ast.Assign) and method_of(node.value) == "Graph" and isinstance(node.targets[0], ast.Name)
    ]
    for call in module.called("Session", "InteractiveSession"):
        if len(graphs) == 1 and keyword_of(call, "graph") is None:
            return pass_argument(module, call, "graph", graphs[0])
    return None


def reused_scope(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The scope of a variable that several calls share."""
    module = file.module
    statement = module.statement(scene.place.line) if scene.place else None
    block = module.enclosing(statement, ast.With) if statement is not None else None
    if "already exists" not in scene.text or not isinstance(block, ast.With):
        return None
    for item in block.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and method_of(call) in _SCOPES and isinstance(call.func, ast.Attribute):
            return pass_argument(module, call, "reuse", f"{ast.unparse(call.func.value)}.AUTO_REUSE")
    return None


def local_too(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Metrics count in local variables, which have an initializer of their own."""
    module = file.module
    metrics = [one for one in module.nodes[ast.Call] if "tensorflow.metrics." in _qualified(module, one)]
    if not metrics or module.called("local_variables_initializer"):
        return None
    for call in module.called("global_variables_initializer"):
        if isinstance(call.func, ast.Attribute):
            root = ast.unparse(call.func.value)
            text = module.source.segment(call)
            return rewrite(module, call, f"[{text}, {root}.local_variables_initializer()]")
    return None


def initialized(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A program that never initializes its variables does so where it opens its session."""
    module = file.module
    if any(one.called("global_variables_initializer", "initialize_all_variables") for one in file.modules):
        return None
    for call in module.called("Session", "InteractiveSession"):
        root = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
        statement = module.enclosing(call, ast.stmt)
        if not root:
            continue
        if isinstance(statement, ast.With) and statement.items[0].optional_vars is not None:
            name = ast.unparse(statement.items[0].optional_vars)
            return insert_before(module, statement.body[0], f"{name}.run({root}.global_variables_initializer())")
        if isinstance(statement, ast.Assign):
            name = ast.unparse(statement.targets[0])
            return insert_after(module, statement, f"{name}.run({root}.global_variables_initializer())")
    return None


def _qualified(module: SourceModule, node: ast.AST) -> str:
    return (module.names.qualified(node.func) or "") if isinstance(node, ast.Call) else ""


def class_indices(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """One-hot labels become class indices where a sparse cross-entropy of TensorFlow takes them."""
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        labels = keyword_of(call, "labels")
        root = ast.unparse(call.func).split(".")[0]
        if method_of(call).startswith("sparse_softmax") and labels is not None:
            return rewrite(module, labels, f"{root}.argmax({module.source.segment(labels)}, axis=-1)")
    return None
