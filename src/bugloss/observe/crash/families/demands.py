"""Demands that no other family knows, read by their form: what was expected, what came, and which argument is meant."""

from __future__ import annotations

import ast
import re

from bugloss.core.cause import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern
from bugloss.observe.crash.demand import Demand, read_demand
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash_event import Operand
from bugloss.source.text.syntax import keyword_of

_SURE_OF_ARGUMENT = 0.7


def tell_demand(scene: Scene, advice: str = "") -> CrashText:
    """A demand with where its argument comes from; ``advice`` is said where the message gives none of its own."""
    demand = read_demand(scene.text)
    return _story(scene, demand, _explanation(demand), advice)


def _explanation(demand: Demand) -> str:
    if not demand.wanted:
        return demand.sentence
    came = f"; it got {demand.got}" if demand.got else ""
    said = f"{demand.subject} {demand.verb}" if demand.subject else "Expected:"
    return f"{said} {demand.wanted}{came}"


def _demanded(scene: Scene, match: re.Match[str]) -> CrashText:
    """… must be …, got …"""
    return tell_demand(scene)


def _story(scene: Scene, demand: Demand, explanation: str, advice: str = "") -> CrashText:
    call, given = _argument_on(scene, demand.argument)
    evidence = [f"Expected: {demand.wanted}."] if demand.wanted else []
    evidence += [f"Received: {demand.got}."] if demand.got else []
    evidence += [f"{demand.argument} is given as {ast.unparse(given)}."] if given is not None else []
    evidence += [f"{one.name} is {one.dtype} of shape {tuple(one.shape)}." for one in _on_line(scene)[:2]]
    return CrashText(
        _end(explanation),
        _advice(demand, call, given, advice),
        tuple(evidence),
        _origin(scene, demand.argument, given),
        suspects=(ast.unparse(given),) if isinstance(given, ast.Name) else (),
    )


def _on_line(scene: Scene) -> list[Operand]:
    line = scene.place.text if scene.place else ""
    return [one for one in scene.operands if one.name and one.name in line]


def _advice(demand: Demand, call: str, given: ast.expr | None, known: str) -> str:
    if demand.advice:
        return _end(demand.advice)
    where = f" in {call}" if call else ""
    if demand.choices:
        return f"Use one of {', '.join(map(repr, demand.choices[:8]))}{where}."
    if known:
        return known
    if demand.argument and demand.wanted:
        now = f" instead of {ast.unparse(given)}" if given is not None else ""
        return f"Give {demand.argument}{where} a value that meets this{now}."
    return f"Change what is given{where or ' to the call on this line'}, or the line that made it."


def _argument_on(scene: Scene, name: str) -> tuple[str, ast.expr | None]:
    """The call of the crashing line that passes an argument, and what it passes."""
    file = scene.program
    for call in file.module.calls_on(scene.place.line) if file is not None and scene.place and name else ():
        given = keyword_of(call, name)
        if given is None and file is not None:
            positions = list(scene.signature(file.module.names.qualified(call.func) or ""))
            at = positions.index(name) if name in positions else len(call.args)
            given = call.args[at] if at < len(call.args) else None
        if given is not None:
            return f"{ast.unparse(call.func)}(…)", given
    return "", None


def _origin(scene: Scene, name: str, given: ast.expr | None) -> tuple[Location, ...]:
    file = scene.program
    if file is None or given is None:
        return ()
    made = file.steps_back(file.module, given)[-1].place
    return (Location(made.path, made.line, _SURE_OF_ARGUMENT, None, f"{name} gets its value here"),)


def _begin(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" if not text.startswith("`") else text


def _end(text: str) -> str:
    text = " ".join(text.replace("⟨", "<").replace("⟩", ">").split()).rstrip(" .:;,")
    text = re.sub(r"(?<! ) ++([,;.])(?=\s|$)", r"\1", re.sub(r"(?<=\s)\(\)", "", text))
    return f"{_begin(text)}." if not text.endswith(("?", "…")) else _begin(text)


PATTERNS = (
    Pattern(
        "refused-argument",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("must", "should", "need", "has to", "have to", "only", "xpect", "equire", "accepts"),
        r"\b(?:must|should|needs? to|ha(?:s|ve) to|can only|may only|[Ee]xpect(?:ed|s|ing)|[Rr]equires?|[Nn]eeds"
        r"|[Oo]nly)\b",
        _demanded,
        (
            Example(
                "`blur` must look like 3x3. Received: blur=3 by 3",
                ("`blur` must look like 3x3; it got blur=3 by 3", "blur is given as WINDOW + ' by 3'"),
                "ValueError",
                program="image = soften(image, blur=WINDOW + ' by 3')\n",
            ),
            Example("Expected the moon, but got the sun", ("Expected: the moon", "it got the sun"), "ValueError"),
        ),
        confidence=0.6,
        general=True,
    ),
)

FAMILY = CrashFamily("demands", PATTERNS)
