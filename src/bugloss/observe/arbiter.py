"""From symptoms to causes: every fault collects its clues, their log-odds are added up, and the likeliest comes first.

What a clue counts is a row of ``weights.toml``. Where nothing alarming was seen there is no cause to look for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bugloss.core.diagnosis import Cause, Location
from bugloss.core.edit import Edit
from bugloss.core.failed_plugin import FailedPlugin, log_failure
from bugloss.observe.case import Case
from bugloss.observe.fault import Clue, Fault, all_clues
from bugloss.observe.weights import shared_weights

LEAST_LOG_ODDS = -1.1  # odds of one to three: what is less likely would be read and discarded
_SUREST = 0.99  # no sum of clues makes a cause certain: only an experiment confirms it
_MOST_CAUSES = 8  # more are not read; the right one was never further down in our measurements
_MOST_LOCATIONS = 5  # more lines are not looked at either
_SCORE_OF_EDIT = 1.0  # the line that is changed, whatever else has to do with it
_MOST_EDITS = 5  # more are not tried in the time of an experiment
_SCORE_OF_FINDING = 0.9  # a rule names the line itself; a fault names it by what was recorded


def rank(case: Case, faults: Iterable[Fault], note: Callable[[FailedPlugin], None] = log_failure) -> tuple[Cause, ...]:
    """The causes that explain a case, the likeliest first; a fault that fails is noted, and the others are weighed."""
    if not case.alarming:
        return ()
    suspects: list[_Suspect] = []
    for fault in faults:
        try:
            suspects += _suspect(fault, case)
        except (Exception, SystemExit) as error:  # plug-ins are foreign code
            note(FailedPlugin.raised("fault", fault.name, error))
    shown = confidences([suspect.odds for suspect in suspects])
    likely = [(one, sure) for one, sure in zip(suspects, shown, strict=True) if one.odds >= LEAST_LOG_ODDS]
    likely.sort(key=lambda pair: -pair[0].odds)
    return tuple(replace(suspect.cause, confidence=sure) for suspect, sure in likely[:_MOST_CAUSES])


def strengths(clues: Iterable[Clue]) -> dict[str, float]:
    """How strongly each clue was seen; one that was seen twice counts once."""
    found: dict[str, float] = {}
    for clue in clues:
        found[clue.name] = max(found.get(clue.name, 0.0), shared_weights().hint if clue.hint else 1.0)
    return found


def log_odds(found: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """How likely a fault is by its clues, or minus infinity where none counts for it."""
    counts = [weights[name] * strength for name, strength in found.items()]
    return shared_weights().prior + sum(counts) if any(count > 0 for count in counts) else -math.inf


def confidences(odds: Sequence[float], slope: float | None = None) -> list[float]:
    """How likely each fault is *the* cause: they share what remains beside "none of them", whose log-odds are 0."""
    steepness = shared_weights().slope if slope is None else slope
    highest = max(0.0, *odds) if odds else 0.0
    powers = [math.exp(steepness * (each - highest)) for each in odds]
    total = math.exp(-steepness * highest) + sum(powers)
    return [round(min(power / total, _SUREST), 3) for power in powers]


@dataclass(frozen=True, slots=True)
class _Suspect:
    odds: float
    cause: Cause


def _suspect(fault: Fault, case: Case) -> Iterator[_Suspect]:
    clues = tuple(all_clues(fault, case))
    weight = {clue.name: fault.weights.of(clue.name) for clue in clues}
    odds = log_odds(strengths(clues), weight)
    if odds == -math.inf:
        return
    supporting = sorted((clue for clue in clues if weight[clue.name] > 0), key=lambda clue: -weight[clue.name])
    edits = _edits(fault, case)
    locations = _locations(fault, case, edits)
    cause = Cause(
        fault.name,
        fault.fix_pattern,
        0.0,
        fault.explanation,
        fault.advice,
        locations,
        tuple(dict.fromkeys(clue.text for clue in supporting)),
        tuple(dict.fromkeys(clue.symptom for clue in supporting if clue.symptom)),
        edits=edits,
    )
    yield _Suspect(odds, cause)


def _edits(fault: Fault, case: Case) -> tuple[Edit, ...]:
    """What a check proposes comes first: it read the line itself."""
    fixes = (finding.fix for finding in fault.from_findings(case))
    found = [fix.edit for fix in fixes if fix is not None and fix.edit is not None]
    return tuple({edit.changes: edit for edit in reversed([*found, *fault.edits(case)])}.values())[::-1][:_MOST_EDITS]


def _locations(fault: Fault, case: Case, edits: tuple[Edit, ...]) -> tuple[Location, ...]:
    """The line to change comes first."""
    found = [Location(edits[0].path, edits[0].line, _SCORE_OF_EDIT, None, edits[0].text)] if edits else []
    found += [
        Location(finding.path, finding.span.line, _SCORE_OF_FINDING, finding.layer, finding.rule)
        for finding in fault.from_findings(case)
    ]
    best: dict[tuple[str, int], Location] = {}
    for location in (*fault.places(case), *found):
        key = (location.path, location.line)
        if key not in best or best[key].score < location.score:
            best[key] = location
    return tuple(sorted(best.values(), key=lambda location: -location.score)[:_MOST_LOCATIONS])
