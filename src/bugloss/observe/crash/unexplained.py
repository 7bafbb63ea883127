"""Crashes that no family knows: what the line calls, what it was given, and where that came from."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from bugloss.core.cause import Cause, Location
from bugloss.core.edit import Edit
from bugloss.core.failure.frames import is_users
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.table import edits_for
from bugloss.observe.crash.scene import Scene
from bugloss.source.text.syntax import walk

_OWN, _FOREIGN = 0.7, 0.35  # a check of the program's own says what it wants; a library's line is all that is known
_STATED = 0.7  # a library's message that says itself what to write
_ANY = re.compile("")
_MOST_OPERANDS = 4


def own_check(scene: Scene) -> Cause | None:
    """The program's own ``raise`` or ``assert``: its condition, and where the values in it come from."""
    file, place = scene.program, scene.place
    innermost = scene.exception.frames[-1] if scene.exception.frames else None
    if file is None or place is None or innermost is None or not is_users(innermost) or scene.raised_at is not None:
        return None
    statement = file.module.statement(place.line)
    if not isinstance(statement, ast.Raise | ast.Assert):
        return None
    test = _condition(file, statement)
    asked = (
        f" because `{ast.unparse(test)}` {'does not hold' if isinstance(statement, ast.Assert) else 'holds'}"
        if test
        else ""
    )
    said = f": {scene.text.strip().splitlines()[0]}" if scene.text.strip() else ""
    tested = _named_in(file, test) if test is not None else None
    edits = _edits("own-check-failed", scene)
    return Cause(
        "own-check-failed",
        FixPattern.API_CONTRACT,
        _OWN,
        f"The program itself stops in line {place.line}{asked}{said[:200]}.",
        _change(tested, edits),
        tuple(_places(scene, tested)),
        tuple(_seen(scene)),
        edits=edits,
    )


def _change(tested: tuple[str, Location] | None, edits: Sequence[Edit]) -> str:
    if edits:
        return _sentence(edits[0])
    if tested is not None:
        return f"Change the value of {tested[0]} in line {tested[1].line}."
    return "Change what is tested here, or the test."


def _edits(cause: str, scene: Scene) -> tuple[Edit, ...]:
    match = _ANY.match("")
    return edits_for(cause, scene, match) if match is not None else ()


def _sentence(edit: Edit) -> str:
    return f"{edit.text[:1].upper()}{edit.text[1:]}."


def _condition(file: CrashedFile, statement: ast.Raise | ast.Assert) -> ast.expr | None:
    if isinstance(statement, ast.Assert):
        return statement.test
    around = file.module.enclosing(statement, ast.If)
    return around.test if isinstance(around, ast.If) else None


def _named_in(file: CrashedFile, test: ast.expr) -> tuple[str, Location] | None:
    """The first variable of a condition that was made elsewhere."""
    for node in walk(test):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            made = file.steps_back(file.module, node)[-1].place
            if (made.path, made.line) != (file.module.path, node.lineno):
                return node.id, Location(made.path, made.line, 0.8, None, f"{node.id} gets its value here")
    return None


def _places(scene: Scene, tested: tuple[str, Location] | None) -> Iterator[Location]:
    if tested is not None:
        yield tested[1]
    if scene.place is not None:
        yield Location(scene.place.path, scene.place.line, 0.6, None, "the program stopped here")


def unexplained(scene: Scene) -> tuple[Cause, ...]:
    """What is known of a crash whose message says nothing to us; nothing where the program cannot be read."""
    file, place = scene.program, scene.place
    if file is None or place is None:
        return ()
    call = _failing_call(scene, file)
    called = f"{ast.unparse(call.func)}(…)" if call is not None else "This line"
    first = scene.text.strip().split("\n", 1)[0][:200]
    origins = [
        Location(made.path, made.line, 0.45, None, f"{name} gets its value here")
        for name, made in file.origins(place.line).items()
    ]
    shows = Location(place.path, place.line, 0.6, None, "the program stopped here")
    named = (
        f" The values that it gets: {', '.join(one.name for one in scene.operands[:_MOST_OPERANDS])}."
        if scene.operands
        else ""
    )
    edits = _edits("refused-call", scene)
    return (
        Cause(
            "refused-call",
            FixPattern.API_CONTRACT,
            _STATED if edits else _FOREIGN,
            f"{called} raised {scene.kind}{f': {first}' if first else ''}.",
            _sentence(edits[0])
            if edits
            else f"Compare what {called} is given in line {place.line} with what it takes.{named}",
            (shows, *origins[:1]),
            (*_signature(scene, file, call), *_seen(scene)),
            edits=edits,
        ),
    )


def _failing_call(scene: Scene, file: CrashedFile) -> ast.Call | None:
    """The call of the line through which the library was entered: by the function below, else the outermost."""
    calls = file.module.calls_on(scene.place.line) if scene.place else []
    functions = {frame.function for frame in scene.frames if not is_users(frame)}
    entered = [call for call in calls if ast.unparse(call.func).rsplit(".", 1)[-1] in functions]
    return entered[0] if entered else (calls[-1] if calls else None)


def _signature(scene: Scene, file: CrashedFile, call: ast.Call | None) -> Iterator[str]:
    """What a function of a library takes, and what of the call does not fit."""
    name = file.module.names.qualified(call.func) if call is not None else None
    taken = scene.signature(name) if name else ()
    if call is None or not taken:
        return
    yield f"{name} takes ({', '.join(taken[:12])})."
    unknown = [item.arg for item in call.keywords if item.arg and item.arg not in taken and "kwargs" not in taken]
    if unknown:
        yield f"It takes no {', '.join(unknown)}."
    if len(call.args) > len(taken):
        yield f"It takes {len(taken)} arguments and got {len(call.args)} by position."


def _seen(scene: Scene) -> Iterator[str]:
    for one in scene.operands[:_MOST_OPERANDS]:
        device = f" on {one.device}" if one.device and one.device != "cpu" else ""
        values = f", {one.low:g} to {one.high:g}" if one.low is not None and one.high is not None else ""
        yield f"{one.name} is {one.dtype} of shape {tuple(one.shape)}{device}{values}."
