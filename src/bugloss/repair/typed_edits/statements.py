"""Statements in the wrong place or that change a value in place: moved, or written without doing so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.edit import Edit, Span, quoted
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.in_place import is_tracked, overwritings, without
from bugloss.observe.crash.fixes.rewriting import rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash.shapes import read_shape
from bugloss.repair.typed_edits.contract import TypedEdit, places
from bugloss.source.editing import delete_statement, insert_before, replace_node, replace_span
from bugloss.source.origins.bindings import FUNCTIONS
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import loads, method_of, stored, walk

_SURE, _GUESS = 0.26, 0.14
_IN_PLACE = re.compile(r"in-?place")
_GRAPH = re.compile(r"backward through the graph a second time|freed")
_TAPE = re.compile(r"[Nn]o gradients provided|None.*gradient|gradients? .*None")
_FIRST_CALL = re.compile(
    r"non-first call|create variables on|only supports singleton|tf\.function.*variable", re.DOTALL
)
_UNINITIALIZED = re.compile(r"uninitialized|not been initialized|does not exist|FailedPrecondition", re.IGNORECASE)
_LOOPS = ast.For | ast.AsyncFor | ast.While
_SYMBOLIC = re.compile(r"SymbolicTensor|symbolic `?tf\.Tensor|in user code")
_UNTRACKED = re.compile(r"does not require grad")
_WITHOUT_GRADIENT = {"no_grad", "inference_mode"}
_EVALUATES = re.compile(r"eval|valid|test|predict|accuracy|score")


def statement_edits(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """The edits of each kind that the message is about."""
    for about, edits in (
        (_IN_PLACE, _out_of_place),
        (_GRAPH, _detached),
        (_TAPE, _into_tape),
        (_UNTRACKED, _tracked),
        (_SYMBOLIC, _run_at_once),
        (_FIRST_CALL, _compiled_once_each),
        (_UNINITIALIZED, _before_initializer),
    ):
        if about.search(scene.text):
            yield from edits(scene, file)


def _out_of_place(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """Each statement that overwrites a computed tensor, those first whose tensor has the shape of the message."""
    shapes = [read_shape(one) for one in re.findall(r"\[[\d, ]+\]", scene.text)]
    named = {one.name for one in scene.operands if tuple(one.shape) in {tuple(shape) for shape in shapes}}
    found = [one for module in file.modules for one in overwritings(module) if is_tracked(one)]
    found = [one for one in found if one.module.enclosing(one.node, *FUNCTIONS) is not None] or found
    for one in sorted(found, key=lambda one: (one.name not in named, _is_count(one.node))):
        edit = without(one)
        if edit is not None:
            reason = f"Line {one.node.lineno} overwrites a value that the backward pass may need."
            yield TypedEdit(edit, FixPattern.API_CONTRACT, _GUESS if _is_count(one.node) else _SURE, reason)


def _is_count(node: ast.AST) -> bool:
    """Whether a sum is one of numbers: ``total += loss.item()``, ``steps += 1``."""
    value = getattr(node, "value", None)
    numbers = {"item", "size", "numel", "len", "sum", "float", "int"}
    return isinstance(value, ast.Constant) or any(
        isinstance(part, ast.Call) and method_of(part) in numbers for part in walk(value or node)
    )


def _detached(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """A state that is carried over is cut off: where it is copied, and where a step of the loop begins."""
    reason = "A state that is carried over holds the graph of the steps before."
    for module in file.modules:
        copied = [call for call in module.called("clone") if not call.args and isinstance(call.func, ast.Attribute)]
        for call in copied:
            text = module.source.segment(call)
            yield TypedEdit(replace_node(module, call, f"{text[: -len('clone()')]}detach()"), *_api(_SURE), reason)
    for place in places(scene, file):
        loop = place.module.enclosing(place.statement, ast.For, ast.AsyncFor, ast.While)
        if not isinstance(loop, _LOOPS):
            continue
        for name in _carried(loop):
            parts = [one for one in scene.operands if re.fullmatch(rf"{re.escape(name)}\[\d+\]", one.name)]
            cut = f"tuple(part.detach() for part in {name})" if parts else f"{name}.detach()"
            if _is_set_before(place.module, loop, name):
                yield TypedEdit(insert_before(place.module, loop.body[0], f"{name} = {cut}"), *_api(_SURE), reason)
            yield TypedEdit(_after_all(place.module, loop.body[-1], f"{name} = {cut}"), *_api(_SURE), reason)


def _api(sure: float) -> tuple[FixPattern, float]:
    return FixPattern.API_CONTRACT, sure


def _after_all(module: SourceModule, statement: ast.stmt, text: str) -> Edit:
    inserted = insert_before(module, statement, text)
    span = module.span(statement)
    indentation = module.source.lines[span.line - 1][: span.column]
    change = type(inserted.changes[0])(module.path, span.end, "", f"\n{indentation}{text}")
    return Edit(f"insert {quoted(text)} after line {span.end_line}", (change,))


def _carried(loop: ast.AST) -> list[str]:
    """Names that a loop passes to a call and gets back from it."""
    found: list[str] = []
    for node in walk(loop):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            bound = {name for target in node.targets for name in stored(target)}
            passed = {one.id for part in node.value.args for one in walk(part) if isinstance(one, ast.Name)}
            passed |= {one.id for item in node.value.keywords for one in walk(item.value) if isinstance(one, ast.Name)}
            found += sorted(bound & passed)
    return list(dict.fromkeys(found))


def _is_set_before(module: SourceModule, loop: ast.stmt, name: str) -> bool:
    """Whether the name is a tensor when the loop begins, and not None."""
    made = module.assigned_before(name, loop)
    return made is not None and not (isinstance(made.value, ast.Constant) and made.value.value is None)


def _into_tape(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """What is computed right before a tape is computed inside."""
    entered = {frame.function.rsplit(".", 1)[-1] for frame in scene.frames} | set(re.findall(r", in (\w+)", scene.text))
    for module in file.modules:
        for block in sorted(module.nodes[ast.With], key=lambda one: not _is_in(module, one, entered)):
            if not isinstance(block, ast.With) or not any(
                isinstance(item.context_expr, ast.Call) and method_of(item.context_expr) == "GradientTape"
                for item in block.items
            ):
                continue
            for statement in _feeding(module, block):
                text = module.source.segment(statement)
                inserted = insert_before(module, block.body[0], text).changes
                words = f"move {quoted(text)} from line {statement.lineno} into the tape in line {block.lineno}"
                edit = Edit(words, (*delete_statement(module, statement).changes, *inserted))
                reason = "A tape gives gradients of what is computed inside it."
                yield TypedEdit(edit, *_api(_SURE), reason)


def _is_in(module: SourceModule, node: ast.AST, functions: set[str]) -> bool:
    return getattr(module.enclosing(node, ast.FunctionDef), "name", "") in functions


def _feeding(module: SourceModule, block: ast.With) -> list[ast.Assign]:
    """Results of calls that the block reads, made above it in the same list of statements."""
    above = getattr(module.parents.get(block), "body", [])
    read = {name for statement in block.body for name in loads(statement)}
    found = [one for one in above if isinstance(one, ast.Assign) and one.lineno < block.lineno]
    called = [one for one in found if isinstance(one.value, ast.Call)]
    return [one for one in reversed(called) if {name for target in one.targets for name in stored(target)} & read]


def _compiled_once_each(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """A compiled step that several optimizers share is compiled for each of them, where the optimizer is made."""
    for module in file.modules:
        for function in module.nodes[ast.FunctionDef]:
            marks = [one for one in getattr(function, "decorator_list", ()) if "function" in ast.unparse(one)]
            if not isinstance(function, ast.FunctionDef) or len(marks) != 1:
                continue
            calls = [one for one in module.called(function.name) if isinstance(one.func, ast.Name)]
            for call in calls:
                yield from _compiled_at(module, function, marks[0], call)


def _compiled_at(
    module: SourceModule, function: ast.FunctionDef, mark: ast.expr, call: ast.Call
) -> Iterator[TypedEdit]:
    passed = {one.id for one in call.args if isinstance(one, ast.Name)}
    made = [
        one
        for name in passed
        for one in module.assignments.get(name, ())
        if isinstance(one.value, ast.Call) and "optimizer" in name.lower() + ast.unparse(one.value.func).lower()
    ]
    same = [one for one in made if module.enclosing(one, *FUNCTIONS) is module.enclosing(call, *FUNCTIONS)]
    if not same or module.enclosing(call, *FUNCTIONS) is function:
        return
    step, compiled = f"compiled_{function.name}", module.source.segment(mark)
    name = f"{step} = {compiled}({function.name})"
    line = module.span(mark).line
    removed = replace_span(module, Span(line, 0, line + 1, 0), "")
    inserted = _after_all(module, same[-1], name)
    called = rewrite(module, call.func, step)
    changes = (*inserted.changes, removed, *called.changes)
    words = f"compile `{function.name}` for each optimizer: insert {quoted(name)} after line {same[-1].lineno}"
    reason = "A compiled function may make variables in its first call only; each optimizer makes its own."
    yield TypedEdit(Edit(words, changes), *_api(_SURE), reason)


def _before_initializer(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """What makes variables after the initializer was run is made before; local variables are initialized, too."""
    reason = "The initializer knows the variables that were made before it."
    for module in file.modules:
        for call in module.called("global_variables_initializer", "initialize_all_variables"):
            root = module.source.segment(call.func).rsplit(".", 1)[0]
            text = module.source.segment(call)
            if not module.called("local_variables_initializer"):
                yield TypedEdit(
                    rewrite(module, call, f"[{text}, {root}.local_variables_initializer()]"), *_api(_GUESS), reason
                )
            statement = module.enclosing(call, ast.stmt)
            opened = module.enclosing(call, ast.With)
            anchor = opened if isinstance(opened, ast.With) and "Session" in ast.unparse(opened.items[0]) else statement
            for later in module.called("minimize", "apply_gradients", "Variable", "get_variable"):
                made = module.enclosing(later, ast.stmt)
                if not isinstance(made, ast.Assign) or not isinstance(anchor, ast.stmt) or made.lineno < call.lineno:
                    continue
                if module.enclosing(made, *FUNCTIONS) is module.enclosing(anchor, *FUNCTIONS):
                    yield TypedEdit(_moved_up(module, made, anchor), *_api(_SURE), reason)


def _moved_up(module: SourceModule, statement: ast.stmt, anchor: ast.stmt) -> Edit:
    text = module.source.segment(statement)
    inserted = insert_before(module, anchor, text).changes
    words = f"move {quoted(text)} from line {statement.lineno} to before line {anchor.lineno}"
    return Edit(words, (*delete_statement(module, statement).changes, *inserted))


def _tracked(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """What is computed under ``no_grad`` and used for a loss is computed outside of it."""
    reason = "Nothing that is computed here has a gradient."
    for module in file.modules:
        for block in (one for one in module.nodes[ast.With] if isinstance(one, ast.With)):
            around = module.enclosing(block, *FUNCTIONS)
            calls = [item.context_expr for item in block.items if isinstance(item.context_expr, ast.Call)]
            without = len(block.items) == 1 and any(method_of(call) in _WITHOUT_GRADIENT for call in calls)
            if not without or _EVALUATES.search(getattr(around, "name", "")):
                continue
            made = {name for one in block.body if isinstance(one, ast.Assign) for name in stored(one.targets[0])}
            after = [one for one in walk(around or module.tree) if getattr(one, "lineno", 0) > (block.end_lineno or 0)]
            if made & {one.id for one in after if isinstance(one, ast.Name)}:
                yield TypedEdit(_unwrapped(module, block), *_api(_SURE), reason)


def _unwrapped(module: SourceModule, block: ast.With) -> Edit:
    """The statements of a block without the block."""
    span, first = module.span(block), block.body[0]
    lines = module.source.lines[first.lineno - 1 : block.end_lineno]
    deeper = first.col_offset - block.col_offset
    text = "\n".join(line[deeper:] if not line[:deeper].strip() else line for line in lines).lstrip()
    words = f"take line {first.lineno} out of {quoted(module.source.segment(block.items[0].context_expr))}"
    return Edit(words, (replace_span(module, span, text),))


def _run_at_once(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """A function that needs the values of its tensors is not compiled."""
    for module in file.modules:
        for function in (one for one in module.nodes[ast.FunctionDef] if isinstance(one, ast.FunctionDef)):
            entered = re.search(rf", in {function.name}\b", scene.text) is not None
            for mark in function.decorator_list if entered or _holds(function, scene) else ():
                if (module.names.qualified(getattr(mark, "func", mark)) or "") == "tensorflow.function":
                    line = module.span(mark).line
                    change = replace_span(module, Span(line, 0, line + 1, 0), "")
                    words = f"remove {quoted('@' + module.source.segment(mark))} in line {line}"
                    reason = "In a compiled function tensors have no values yet."
                    yield TypedEdit(Edit(words, (change,)), *_api(_GUESS), reason, ("the function runs slower",))


def _holds(function: ast.FunctionDef, scene: Scene) -> bool:
    line = scene.place.line if scene.place else 0
    return function.lineno <= line <= (function.end_lineno or 0)
