"""TensorFlow 1 against 2: sessions that are gone, initializers that nothing runs, cells that take a list of steps."""

from __future__ import annotations

import ast
import re

from bugloss.core.edit import Edit, Span, quoted
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import operand_text, rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.source.editing import replace_span
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, receiver_of, walk

_INITIALIZERS = ("global_variables_initializer", "local_variables_initializer", "initialize_all_variables")
_SPLITTING = {"split", "unstack", "unpack"}  # make a list of steps
_OF_LISTS = {"dynamic_rnn": "static_rnn"}


def initializer_run(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """An initializer that is a statement of its own is run, in the session that the function uses."""
    for module in file.modules:
        for call in module.called(*_INITIALIZERS):
            if isinstance(module.parents.get(call), ast.Expr):
                session, text = _session_beside(module, call), module.source.segment(call)
                return rewrite(module, call, f"{session}.run({text})" if session else f"{text}.run()")
    return None


def _session_beside(module: SourceModule, node: ast.AST) -> str:
    """What ``run`` is called on in the function around a node."""
    function = module.enclosing(node, ast.FunctionDef) or module.source.tree
    calls = [one for one in walk(function) if isinstance(one, ast.Call) and method_of(one) == "run" and one.args]
    owners = [receiver for call in calls if (receiver := receiver_of(call)) is not None]
    return owners[0].id if owners and isinstance(owners[0], ast.Name) else ""


def eager_value(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A session that only computes values gives way to the values themselves: ``x.numpy()``."""
    module = file.module
    statement = module.statement(scene.place.line) if scene.place else None
    if not isinstance(statement, ast.With) or len(statement.items) != 1 or "Session" not in scene.text:
        return None
    name = statement.items[0].optional_vars
    uses = [node for part in statement.body for node in walk(part) if isinstance(node, ast.Name)]
    runs = [_run_of(module, node) for node in uses if isinstance(name, ast.Name) and node.id == name.id]
    known = [run for run in runs if run is not None]
    return _without_session(module, statement, known) if known and len(known) == len(runs) else None


def _run_of(module: SourceModule, session: ast.Name) -> ast.Call | None:
    """The call ``session.run(x)`` of one value, in one line."""
    method = module.parents.get(session)
    call = module.parents.get(method) if method is not None else None
    if not isinstance(call, ast.Call) or call.func is not method or method_of(call) != "run":
        return None
    plain = len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.List | ast.Tuple | ast.Dict)
    return call if plain and call.lineno == call.end_lineno else None


def _without_session(module: SourceModule, block: ast.With, runs: list[ast.Call]) -> Edit:
    """The body of a block, one level out, with its runs as values."""
    body, whole = module.span(block.body[0]), module.span(block)
    lines = list(module.source.lines[body.line - 1 : whole.end_line])
    lines[-1] = lines[-1][: whole.end_column]
    for call in sorted(runs, key=lambda one: (-one.lineno, -one.col_offset)):
        at, value = module.span(call), f"{operand_text(module, call.args[0])}.numpy()"
        line = lines[at.line - body.line]
        lines[at.line - body.line] = line[: at.column] + value + line[at.end_column :]
    step = body.column - whole.column
    texts = [line[step:] if not line[:step].strip() else line for line in lines]
    words = f"compute {quoted(module.source.segment(runs[0].args[0]))} without a session in line {whole.line}"
    span = Span(whole.line, 0, whole.end_line, whole.end_column)
    return Edit(words, (replace_span(module, span, "\n".join(texts)),))


def steps_in_list(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A list of steps goes to the function that takes lists."""
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        other = _OF_LISTS.get(method_of(call))
        if other is None or len(call.args) < 2 or not isinstance(call.func, ast.Attribute):
            continue
        made = file.steps_back(module, call.args[1])[-1].node
        if isinstance(made, ast.List | ast.ListComp) or method_of(made) in _SPLITTING:
            return rewrite(module, call.func, f"{module.source.segment(call.func.value)}.{other}")
    return None
