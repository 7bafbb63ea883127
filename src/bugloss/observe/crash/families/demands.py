"""Messages that no other family knows, read by their form: what was demanded, what came, what is not there.

These patterns come last. They say what the message says of the call that raised it, name the argument that is meant
and where its value comes from.
"""

from __future__ import annotations

import ast
import re

from bugloss.core.cause import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, Example, Pattern, Story
from bugloss.observe.crash.demand import Demand, read_demand
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash_event import Operand
from bugloss.source.text.syntax import keyword_of

_SURE_OF_ARGUMENT = 0.7


def tell_demand(scene: Scene, advice: str = "") -> Story:
    """A demand with where its argument comes from; ``advice`` is said where the message gives none of its own."""
    demand = read_demand(scene.text)
    return _story(scene, demand, _explanation(demand), advice)


def _explanation(demand: Demand) -> str:
    if not demand.wanted:
        return demand.sentence
    came = f"; it got {demand.got}" if demand.got else ""
    return f"{demand.subject} must {demand.wanted}{came}" if demand.subject else f"Expected: {demand.wanted}{came}"


def _demanded(scene: Scene, match: re.Match[str]) -> Story:
    """… must be …, got …"""
    return tell_demand(scene)


def _said(scene: Scene, match: re.Match[str]) -> Story:
    """What is not possible, not known or not there, in the message's own words."""
    demand = read_demand(scene.text)
    return _story(scene, demand, demand.sentence)


def _story(scene: Scene, demand: Demand, explanation: str, advice: str = "") -> Story:
    call, given = _argument_on(scene, demand.argument)
    evidence = [f"Expected: {demand.wanted}."] if demand.wanted else []
    evidence += [f"Received: {demand.got}."] if demand.got else []
    evidence += [f"{demand.argument} is given as {ast.unparse(given)}."] if given is not None else []
    evidence += [f"{one.name} is {one.dtype} of shape {tuple(one.shape)}." for one in _on_line(scene)[:2]]
    return Story(
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
    text = re.sub(r" +([,;.])(?=\s|$)", r"\1", re.sub(r"(?<=\s)\(\)", "", text))
    return f"{_begin(text)}." if not text.endswith(("?", "…")) else _begin(text)


PATTERNS = (
    Pattern(
        "unknown-option",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("nknown", "nvalid", "nrecognized", "nsupported", "ould not interpret", "not a valid", "nexpected", "No such",
         "not recognized", "not understood", "llegal"),
        r"(?:[Uu]nknown|[Ii]nvalid|[Uu]nrecognized|[Uu]nsupported|[Uu]nexpected|[Ii]llegal|No such) \w+|[Cc]ould not interpret"
        r"|not a valid|not recognized|not understood",
        _said,
        (
            Example("Unknown interpolation mode: cubik. Expected one of 'nearest', 'bilinear'.", ("'bilinear'",), "ValueError"),
            Example(
                "Invalid value for argument `pooling`. Received: pooling=mean",
                ("Received: pooling=mean",), "ValueError",
                program='model = Net(pooling="mean")\n',
            ),
        ),
        confidence=0.55,
        general=True,
    ),
    Pattern(
        "refused-argument",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("must", "should", "need", "ha", "only", "xpect", "equire", "accepts"),
        r"\b(?:must|should|needs? to|ha(?:s|ve) to|can only|may only|[Ee]xpect(?:ed|s|ing)|[Rr]equires?|[Nn]eeds|[Oo]nly"
        r"|accepts only)\b",
        _demanded,
        (
            Example(
                "Argument `units` must be a positive integer. Received: units=-3",
                ("must be a positive integer", "it got units=-3", "units is given as WIDTH - 8"),
                "ValueError",
                program="layer = Dense(units=WIDTH - 8)\n",
            ),
            Example("Expected 2 arrays, but got 3", ("Expected: 2 arrays", "it got 3"), "ValueError"),
            Example("`axis` should be one of 0, 1. Please pass `axis=1`.", ("Please pass `axis=1`",), "ValueError"),
        ),
        confidence=0.6,
        general=True,
    ),
    Pattern(
        "shapes-do-not-agree",
        CrashKind.SHAPE,
        FixPattern.DATA_DIMENSION,
        ("atch", "ncompatible", "iffer", "equal", "xceeds", "broadcast", "too large", "too small", "larger than",
         "out of range", "out of bounds", "nconsistent"),
        r"[Mm]ismatch|(?:not|n't) (?:\w+ )?match|[Ii]ncompatible|differ|(?:not|n't|un)[- ]?(?:be )?equal|exceeds|broadcast"
        r"|too (?:large|small)|larger than|out of (?:range|bounds)|[Ii]nconsistent",
        _said,
        (Example("key shape (4, 8) does not match value shape (4, 6)", ("does not match",)),),
        confidence=0.5,
        general=True,
    ),
    Pattern(
        "missing-part",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("issing", "not found", "ot find", "does not exist", "doesn't exist", "not provided", "not specified", "no ", "No ",
         "not exist", "empty", "is None", "not been", "not initialized", "not set", "ot specify", "not contain", "ot locate"),
        r"[Mm]issing|not (?:be )?found|not? find|(?:not|n't) exist|not (?:provided|specified|set|initialized|been)|\b[Nn]o \w+"
        r"|empty|is None|ot specify|not contain|ot locate",
        _said,
        (
            Example("No loss to compute. Provide a `loss` argument in `compile()`.", ("No loss to compute",), "ValueError"),
            Example("The variable has not been created yet.", ("not been created",), "ValueError"),
        ),
        confidence=0.5,
        general=True,
    ),
    Pattern(
        "unsupported-use",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("annot", "an't", "an not", "ot support", "ot implement", "n't support", "n't implement", "not allowed", "ould not",
         "nable to", "not possible", "not permitted", "ot available", "mpossible", "ot compatible", "ailed", "not be ",
         "already", "more than once", "uplicate", "not a ", "not an ", "ot defined", "ncorrect", "disallow", "reserved",
         "immutable", "eprecated", "removed", "ill-defined", "ambiguous", "supported", "onflict", "not define"),
        r"[Cc]annot|[Cc]an(?:'t| not)|(?:not|n't) (?:yet |currently |be )?(?:support|implement|allow|possible|permit|available|"
        r"compatible|define)|[Cc]ould(?: not|n't)|[Uu]nable to|[Ii]mpossible|[Ff]ailed|not be |already|more than once|[Dd]uplicate"
        r"|not an? |[Ii]ncorrect|disallow|reserved|immutable|[Dd]eprecated|removed|ill-defined|ambiguous|supported|[Cc]onflict",
        _said,
        (
            Example("Cannot do hardtanh on an unsigned type with negative limits", ("hardtanh",)),
            Example("Sparse gradients are not supported by this optimizer", ("not supported",)),
        ),
        confidence=0.45,
        general=True,
    ),
)  # fmt: skip

FAMILY = CrashFamily("demands", PATTERNS)
