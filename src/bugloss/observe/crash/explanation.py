"""From a crash to its causes: the first pattern that matches the message explains it, with alternatives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from bugloss.core.cause import Cause, Location
from bugloss.core.edit import Edit
from bugloss.core.failed_plugin import FailedPlugin, log_failure
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.raised import RaisedException
from bugloss.observe.crash.catalogue import broken_families, patterns
from bugloss.observe.crash.contract import CrashText, Pattern, Rival
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.known import NOTHING, Known, with_findings
from bugloss.observe.crash.scene import Scene, Source, look_at
from bugloss.observe.crash_event import Crash

_SURE_OF_EDIT = 0.9
_SURE_OF_ORIGIN = 0.45
_MOST_PLACES = 2
_MOST_ORIGINS = 3
_MADE_ELSEWHERE = {CrashKind.SHAPE, CrashKind.DTYPE, CrashKind.DEVICE, CrashKind.INDEX, CrashKind.ARGUMENT}
_SURE_OF_LINE = 0.6  # the line that crashed is not always the line to change


def explain(
    crash: Crash, source: Source, note: Callable[[FailedPlugin], None] = log_failure, known: Known = NOTHING
) -> tuple[Cause, ...]:
    """Why a program crashed and what to change, the likeliest first.

    ``source`` gives the text of a file of the user's program, or None. A pattern that fails is noted and passed over.
    Where no pattern knows the message, what is known of the crashing line explains it; without a source nothing does.
    """
    for broken in broken_families():
        note(FailedPlugin.broken(PluginGroup.CRASH_FAMILY, broken))
    scene = replace(look_at(crash, source), signature=known.signature)
    return tuple(with_findings(cause, known.findings) for cause in _explained(scene, note))


def _explained(scene: Scene, note: Callable[[FailedPlugin], None]) -> tuple[Cause, ...]:
    if scene.program is None:
        return _by_pattern(scene, note)
    from bugloss.observe.crash.unexplained import own_check, unexplained

    own = own_check(scene)
    return (own,) if own is not None else _by_pattern(scene, note) or unexplained(scene)


def _by_pattern(scene: Scene, note: Callable[[FailedPlugin], None]) -> tuple[Cause, ...]:
    for pattern in patterns():
        try:
            match = pattern.match(scene)
            if match:
                return _causes(pattern, scene, match)
        except Exception as error:  # messages are foreign text: no pattern may hide that the program crashed
            note(FailedPlugin.raised("crash pattern", pattern.cause, error))
    return ()


def recognise(exception: RaisedException) -> Pattern | None:
    """The first pattern that knows an exception."""
    scene = look_at(Crash(exception), lambda path: None)
    return next((pattern for pattern, _ in _known(scene)), None)


def kind_of(exception: RaisedException) -> CrashKind:
    """What kind of crash an exception is."""
    pattern = recognise(exception)
    return pattern.kind if pattern else CrashKind.OTHER


def _known(scene: Scene) -> Iterator[tuple[Pattern, re.Match[str]]]:
    for pattern in patterns():
        match = pattern.match(scene)
        if match:
            yield pattern, match


def _causes(pattern: Pattern, scene: Scene, match: re.Match[str]) -> tuple[Cause, ...]:
    explained = pattern.tell(scene, match)
    edits = explained.edits or _edits(pattern.cause, scene, match)
    first = Cause(
        cause=pattern.cause,
        fix_pattern=explained.fix_pattern or pattern.fix_pattern,
        confidence=explained.confidence or pattern.confidence,
        explanation=explained.explanation,
        advice=_sentence(edits[0].text) if edits else explained.advice,
        locations=_places(pattern, explained, scene, edits),
        evidence=(*explained.evidence, f"{scene.kind}: {_first_line(scene.text)}"),
        edits=edits,
    )
    rivals = tuple(_rival(rival, first, scene) for rival in explained.rivals)
    if not rivals or not scene.worked_before:
        return (first, *rivals)
    return _of_data(rivals[0], pattern, scene, match), replace(first, confidence=rivals[0].confidence)


def _of_data(rival: Cause, pattern: Pattern, scene: Scene, match: re.Match[str]) -> Cause:
    """The reading that the data are wrong, for a model that was trained with others before."""
    edits = _edits(rival.cause, scene, match)
    made = _origins(pattern, CrashText("", ""), scene)
    change = [Location(one.path, one.line, _SURE_OF_EDIT, None, "change this line") for one in edits[:1]]
    return replace(
        rival,
        confidence=pattern.confidence,
        advice=_sentence(edits[0].text) if edits else rival.advice,
        locations=_distinct((*change, *(replace(one, score=_SURE_OF_EDIT) for one in made[:1]), *rival.locations))[
            :_MOST_PLACES
        ],
        evidence=(f"The model was trained for {scene.step} steps before, on other data.", *rival.evidence),
        edits=edits,
    )


def _edits(cause: str, scene: Scene, match: re.Match[str]) -> tuple[Edit, ...]:
    if scene.program is None:
        return ()
    # Whoever only looks a message up has no program, and needs none of the fixes.
    from bugloss.observe.crash.fixes.table import edits_for

    return edits_for(cause, scene, match)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _places(pattern: Pattern, explained: CrashText, scene: Scene, edits: Sequence[Edit]) -> tuple[Location, ...]:
    """Where to change it, which is the line of the edit if there is one, and where it shows: two lines, not more."""
    places = {(place.path, place.line): place for place in reversed(explained.locations)}
    change = sorted(places.values(), key=lambda place: -place.score)[:1]
    for edit in edits[:1]:
        known = places.get((edit.path, edit.line), Location(edit.path, edit.line, 0, None, "change this line"))
        change = [replace(known, score=_SURE_OF_EDIT)]
    return _distinct((*change, *_crashed(scene), *_origins(pattern, explained, scene)))[:_MOST_PLACES]


def _rival(rival: Rival, first: Cause, scene: Scene) -> Cause:
    return Cause(
        rival.cause,
        rival.fix_pattern,
        rival.confidence,
        rival.explanation,
        rival.advice,
        _crashed(scene),
        first.evidence,
    )


def _crashed(scene: Scene) -> tuple[Location, ...]:
    where = [(frame, "the program stopped here") for frame in (scene.place, scene.raised_at) if frame]
    if len(where) == 2:
        where = [(where[0][0], "the failing layer is created here"), (where[1][0], "the program stopped here")]
    return tuple(Location(frame.path, frame.line, _SURE_OF_LINE, None, why) for frame, why in where)


def _origins(pattern: Pattern, explained: CrashText, scene: Scene) -> tuple[Location, ...]:
    """Where the values of the crashing line were made: that is often the line to change."""
    if scene.place is None or scene.program is None or pattern.kind not in _MADE_ELSEWHERE:
        return ()
    found = list(scene.program.origins(scene.place.line, explained.suspects).items())[:_MOST_ORIGINS]
    return tuple(Location(made.path, made.line, _SURE_OF_ORIGIN, None, f"{name} is set here") for name, made in found)


def _first_line(text: str) -> str:
    line = text.strip().split("\n", 1)[0].strip()
    return line if len(line) <= 300 else f"{line[:299]}…"


def _distinct(locations: tuple[Location, ...]) -> tuple[Location, ...]:
    best: dict[tuple[str, int], Location] = {}
    for location in locations:
        best.setdefault((location.path, location.line), location)
    return tuple(sorted(best.values(), key=lambda location: -location.score))
