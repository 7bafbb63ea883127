"""Arguments and results of calls: in another order, left out, one of several results, a call that is missing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.edit import Edit
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import after, rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash_event import Operand
from bugloss.repair.typed_edits.contract import CrashPlace, TypedEdit, places
from bugloss.source.editing import add_argument, remove_argument, swap_nodes
from bugloss.source.origins.bindings import FUNCTIONS
from bugloss.source.text.syntax import method_of, walk

_SURE, _GUESS = 0.24, 0.08
_MISSING = re.compile(r"missing \d+ required (?:positional|keyword-only) arguments?: (?P<names>.+)")
_TOO_MANY = re.compile(r"takes (?:from \d+ to )?\d+ positional arguments? but \d+ (?:was|were) given")
_NAME = re.compile(r"'(\w+)'")
_TUPLE = re.compile(r"\btuple\b")
_LIST = re.compile(r"'list'|not list|got list|list object|of type list")
_MODULE = re.compile(r"'?(?P<what>method|function|builtin_function_or_method)'? object")
_LABELS_FIRST = 0.32  # class indices before scores: every loss of PyTorch takes them the other way round
_MOST = 12
_MOST_MEANT = 3
_NEXT = 0.8  # each further value is that much less likely
# Words for the same thing in the names of parameters and of variables.
_SAME = (
    {"metrics", "metric", "loss", "losses", "score", "acc", "accuracy", "error", "monitor"},
    {"target", "targets", "label", "labels", "y", "truth"},
    {"input", "inputs", "x", "images", "batch", "features", "data"},
    {"parameters", "params", "weights", "variables"},
)


def argument_edits(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """Other arguments for the calls on the stack, those named in the message first."""
    found: list[TypedEdit] = []
    for place in places(scene, file):
        found += _left_out(scene, place)
        found += _given(scene, place)
        found += _fewer(scene, place)
        found += _of_tuple(scene, file, place)
        found += _of_list(scene, place)
        found += _called(scene, place)
        found += _swapped(place) if place.near == 1 else ()
    yield from sorted(found, key=lambda one: -one.likelihood)[:_MOST]


def _of(place: CrashPlace, edit: Edit, sure: float, reason: str) -> TypedEdit:
    return TypedEdit(edit, FixPattern.API_CONTRACT, sure * place.near, reason)


def _left_out(scene: Scene, place: CrashPlace) -> Iterator[TypedEdit]:
    """An argument that the message names."""
    named = set(re.findall(r"['\"`](\w+)['\"`]", scene.text))
    for call in place.calls():
        for item in call.keywords:
            if item.arg and item.arg in named:
                edit = remove_argument(place.module, call, item)
                yield _of(place, edit, _SURE, f"The message names the argument {item.arg}.")


def _given(scene: Scene, place: CrashPlace) -> Iterator[TypedEdit]:
    """An argument that is missing, where the program has a value of that name."""
    said = _MISSING.search(scene.text)
    function = place.module.enclosing(place.statement, *FUNCTIONS)
    scope = function if function is not None else place.module.tree
    known = {node.id for node in walk(scope) if isinstance(node, ast.Name)}
    own = {ast.unparse(node) for node in walk(scope) if isinstance(node, ast.Attribute)}
    for name in _NAME.findall(said["names"]) if said is not None else ():
        value = name if name in known else f"self.{name}" if f"self.{name}" in own else ""
        values = [value] if value else _meant(place, scope, name)
        for at, one in enumerate(values):
            for call in place.calls():
                edit = add_argument(place.module, call, f"{name}={one}")
                if edit is not None:
                    yield _of(place, edit, _SURE * _NEXT**at, f"The call lacks the argument {name}.")


def _fewer(scene: Scene, place: CrashPlace) -> Iterator[TypedEdit]:
    """One argument less for a function that takes fewer: the last one first."""
    if not _TOO_MANY.search(scene.text) or place.near < 1:
        return
    for call in place.calls():
        for at, node in enumerate(reversed(call.args if len(call.args) > 1 else [])):
            edit = remove_argument(place.module, call, node)
            yield _of(place, edit, _SURE * _NEXT**at, "The function takes fewer arguments.")


def _meant(place: CrashPlace, scope: ast.AST, name: str) -> list[str]:
    """Values that were made before the line in the same function, under a word of the same meaning; the last first."""
    words = next((group for group in _SAME if name.strip("_").lower() in group), set())
    made = [
        one.id
        for node in walk(scope)
        if isinstance(node, ast.Assign) and node.lineno < place.statement.lineno
        for target in node.targets
        for one in walk(target)
        if isinstance(one, ast.Name) and set(one.id.lower().split("_")) & words
    ]
    return sorted(dict.fromkeys(reversed(made)), key=lambda one: not one.startswith("val"))[:_MOST_MEANT]


def _of_tuple(scene: Scene, file: CrashedFile, place: CrashPlace) -> Iterator[TypedEdit]:
    """One of several results: the first where the value is made, or where it is used."""
    if not _TUPLE.search(scene.text):
        return
    for node in place.nodes():
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
            continue
        for assign in _assigning(place, node.id):
            if isinstance(assign.value, ast.Call):
                edit = after(place.module, assign.value, "[0]")
                yield _of(place, edit, _SURE, f"{node.id} is a tuple; its first value is meant.")
        yield _of(place, after(place.module, node, "[0]"), _GUESS, f"{node.id} may be a tuple.")


def _assigning(place: CrashPlace, name: str) -> list[ast.Assign]:
    """The last assignment to a name before the line, in the same function."""
    function = place.module.enclosing(place.statement, *FUNCTIONS)
    found = [
        one
        for one in place.module.assignments.get(name, [])
        if one.lineno <= place.statement.lineno and place.module.enclosing(one, *FUNCTIONS) is function
    ]
    return found[-1:]


def _of_list(scene: Scene, place: CrashPlace) -> Iterator[TypedEdit]:
    """A list where a tensor is needed."""
    if not _LIST.search(scene.text):
        return
    wrapped = "torch.stack({})", "torch.tensor({})"
    if "torch" not in place.module.names.roots:
        wrapped = "np.array({})", "np.asarray({})"
    for call in place.calls():
        is_module = place.module.names.qualified(call.func) is not None
        values = [call.func.value] if isinstance(call.func, ast.Attribute) and not is_module else []
        for node in (*values, *call.args):
            if isinstance(node, ast.Name | ast.Attribute | ast.ListComp | ast.List):
                text = place.module.source.segment(node)
                for form in wrapped[:1] if place.near < 1 else wrapped:
                    edit = rewrite(place.module, node, form.format(text))
                    lacks = node in values and "'list' object has no attribute" in scene.text
                    yield _of(place, edit, _SURE if lacks else _GUESS, "The message is about a list.")


def _called(scene: Scene, place: CrashPlace) -> Iterator[TypedEdit]:
    """A method that is passed on or read from instead of called."""
    if not _MODULE.search(scene.text):
        return
    inner: set[ast.AST] = {call.func for call in place.calls()}
    inner |= {node.value for node in place.nodes() if isinstance(node, ast.Attribute)}
    for node in place.nodes():
        if isinstance(node, ast.Attribute) and node not in inner and isinstance(node.ctx, ast.Load):
            edit = after(place.module, node, "()")
            yield _of(place, edit, _SURE, f"`{ast.unparse(node)}` is a method that is not called.")


def _swapped(place: CrashPlace) -> Iterator[TypedEdit]:
    """Two arguments in the other order."""
    for call in place.calls():
        first, second = (*call.args[:2], None, None)[:2] if len(call.args) in {2, 3} else (None, None)
        if first is None or second is None or method_of(call) in {"range", "print", "isinstance", "zip", "getattr"}:
            continue
        if isinstance(first, ast.Starred) or isinstance(second, ast.Starred) or ast.dump(first) == ast.dump(second):
            continue
        if isinstance(first, ast.Constant) or isinstance(second, ast.Constant):
            continue
        sure = _LABELS_FIRST if _is_labels(place.operand(first)) and _is_scores(place.operand(second)) else _GUESS
        yield _of(place, swap_nodes(place.module, first, second), sure, "The arguments may be in the other order.")


def _is_labels(operand: Operand | None) -> bool:
    return operand is not None and operand.dtype == "int64" and len(operand.shape) == 1


def _is_scores(operand: Operand | None) -> bool:
    return operand is not None and operand.dtype.startswith("float") and len(operand.shape) == 2
