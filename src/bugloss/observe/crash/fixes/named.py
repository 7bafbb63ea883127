"""What a message itself proposes: the name to use instead, the names that arguments must be passed by."""

from __future__ import annotations

import ast
import re

from bugloss.core.edit import Edit, Span, quoted
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.source.editing import insert_after, remove_argument, replace_node, replace_span
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of

_PATH = re.compile(r"\b(?:[a-z_]\w*\.)+[A-Za-z_]\w*")
_PLACED = re.compile(r"\b(\w+)=\.\.\.")
_REFUSED = re.compile(
    r"(?<!\w)(\w{1,80}+)[`'\"]? (?:argument )?(?:is|has been|was) (?:deprecated|removed|not supported)"
)
# Losses of TensorFlow took their arguments by position before 1.0, in this order.
_ONCE = ("logits", "labels")


def path_in_message(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A class or function that the message names by another path is taken from there."""
    module = file.module
    paths = [path.replace("tf.", "tensorflow.", 1) if path.startswith("tf.") else path for path in _paths(scene.text)]
    for call in module.calls_on(scene.place.line) if scene.place else ():
        written = module.names.qualified(call.func)
        for path in paths:
            owner, _, name = path.rpartition(".")
            if written is not None and name == method_of(call) and path != written:
                edit = _taken_from(module, call, written, owner, name)
                if edit is not None:
                    return edit
    return None


def _paths(text: str) -> list[str]:
    return [path.rstrip(".") for path in _PATH.findall(text)]


def _taken_from(module: SourceModule, call: ast.Call, written: str, owner: str, name: str) -> Edit | None:
    known = written.rpartition(".")[0]
    if isinstance(call.func, ast.Attribute):
        inside = owner.removeprefix(f"{known}.")
        beside = owner.startswith(f"{known}.")
        return (
            rewrite(module, call.func, f"{module.source.segment(call.func.value)}.{inside}.{name}") if beside else None
        )
    for node in module.nodes[ast.ImportFrom]:
        if isinstance(node, ast.ImportFrom) and any((one.asname or one.name) == name for one in node.names):
            text = f"from {owner} import {name}"
            return replace_node(module, node, text) if len(node.names) == 1 else insert_after(module, node, text)
    return None


def without_refused(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """An argument that the message refuses by its name is left out."""
    refused = set(_REFUSED.findall(scene.text))
    for call in file.module.calls_on(scene.place.line) if scene.place else ():
        given = next((item for item in call.keywords if item.arg in refused), None)
        if given is not None:
            return remove_argument(file.module, call, given)
    return None


def named_arguments(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Arguments by position, passed by the names that the message lists."""
    module, names = file.module, _PLACED.findall(scene.text)
    for call in module.calls_on(scene.place.line) if scene.place else ():
        placed = call.args
        if not placed or method_of(call) not in scene.text or any(isinstance(one, ast.Starred) for one in placed):
            continue
        order = [name for name in _ONCE if name in names] if set(names) == set(_ONCE) else names
        free = [name for name in order if name not in {item.arg for item in call.keywords}]
        if len(free) >= len(placed):
            texts = [f"{name}={module.source.segment(one)}" for name, one in zip(free, placed, strict=False)]
            first, last = module.span(placed[0]), module.span(placed[-1])
            span = Span(first.line, first.column, last.end_line, last.end_column)
            words = f"pass {quoted(', '.join(texts))} by name in line {call.lineno}"
            return Edit(words, (replace_span(module, span, ", ".join(texts)),))
    return None


def fitted_itself(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``fit`` in a line of its own where its result was taken for the model."""
    for module in file.modules:
        for call in module.called("fit", "fit_generator"):
            statement, model = module.enclosing(call, ast.stmt), call.func
            used = module.enclosing(call, ast.ListComp, ast.GeneratorExp, ast.Lambda) is None
            if not isinstance(model, ast.Attribute) or not isinstance(model.value, ast.Name) or not used:
                continue
            if isinstance(statement, ast.stmt) and not isinstance(module.parents.get(call), ast.Expr):
                return _before(module, call, statement, model.value.id)
    return None


def _before(module: SourceModule, call: ast.Call, statement: ast.stmt, model: str) -> Edit:
    """The call in the line before its statement, which keeps what it was called on."""
    at, inner = module.span(statement), module.span(call)
    text = module.source.segment(call)
    indentation = module.source.lines[at.line - 1][: at.column]
    rest = module.source.segment(statement)
    span = Span(at.line, at.column, inner.end_line, inner.end_column)
    front = rest[: len(rest) - len(_tail(module, at, inner))]
    words = f"call {quoted(text)} in a line of its own before line {at.line}, and use {quoted(model)} there"
    kept = front[: len(front) - len(text)]
    return Edit(words, (replace_span(module, span, f"{text}\n{indentation}{kept}{model}"),))


def _tail(module: SourceModule, at: Span, inner: Span) -> str:
    """What a statement says after an expression of it."""
    lines = list(module.source.lines[inner.end_line - 1 : at.end_line])
    lines[-1] = lines[-1][: at.end_column]
    lines[0] = lines[0][inner.end_column :]
    return "\n".join(lines)
