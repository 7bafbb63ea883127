"""From symptoms to causes: every fault collects its clues, their log-odds are added up, and the likeliest comes first.

What a clue counts is a row of ``weights.toml``. Without a symptom or finding at warning or error no cause is named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bugloss.core.diagnosis import Cause, Location
from bugloss.core.edit import Edit, merged
from bugloss.core.failed_plugin import FailedPlugin, ask_each, log_failure
from bugloss.observe.case import Case
from bugloss.observe.fault import Clue, Fault, all_clues, at_site
from bugloss.observe.weights import FROM_CHECK, shared_weights

LEAST_LOG_ODDS = -1.1  # odds of one to three: what is less likely would be read and discarded
_SUREST = 0.99  # no sum of clues makes a cause certain: only an experiment confirms it
_MOST_CAUSES = 8  # more are not read; the right one was never further down in our measurements
_NEARLY_CERTAIN = 0.9  # beside it another cause has odds of less than one to nine
_MOST_LOCATIONS = 5  # more lines are not looked at either
_SCORE_OF_RELATION = 0.95  # the first operation after which two computations differ
_SCORE_OF_EDIT = 1.0  # the line that is changed, whatever else has to do with it
_MOST_EDITS = 5  # more are not tried in the time of an experiment
_SCORE_OF_FINDING = 0.9  # a rule names the line itself; a fault names it by what was recorded


def rank(case: Case, faults: Iterable[Fault], note: Callable[[FailedPlugin], None] = log_failure) -> tuple[Cause, ...]:
    """The causes that explain a case, the likeliest first; a fault that fails is noted, and the others are weighed."""
    if not case.alarming:
        return ()
    suspects = ask_each("fault", faults, lambda fault: _suspect(fault, case), note)
    shown = confidences([suspect.odds for suspect in suspects])
    likely = [(one, sure) for one, sure in zip(suspects, shown, strict=True) if one.odds >= LEAST_LOG_ODDS]
    likely.sort(key=lambda pair: -pair[0].odds)
    sure_ones = [replace(suspect, cause=replace(suspect.cause, confidence=sure)) for suspect, sure in likely]
    return _folded(sure_ones)[:_MOST_CAUSES]


def _folded(suspects: Sequence[_Suspect]) -> tuple[Cause, ...]:
    """Causes without those that follow from a likelier one; what was seen of these counts as seen of that one.

    The same edit removes both, or the likelier one is nearly certain and explains every symptom of the other.
    """
    kept: list[Cause] = []
    for suspect in suspects:
        first = next((at for at, other in enumerate(kept) if _follows(suspect, other)), None)
        if first is None:
            kept.append(suspect.cause)
        else:
            symptoms = tuple(dict.fromkeys((*kept[first].symptoms, *suspect.cause.symptoms)))
            kept[first] = replace(kept[first], symptoms=symptoms)
    return tuple(kept)


def _follows(suspect: _Suspect, likelier: Cause) -> bool:
    cause = suspect.cause
    if cause.edit is not None and likelier.edit is not None and cause.edit.changes == likelier.edit.changes:
        return True
    explained = set(cause.symptoms) <= set(likelier.symptoms) and not suspect.found
    return explained and likelier.confidence >= _NEARLY_CERTAIN and cause.confidence < 1 - _NEARLY_CERTAIN


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
    found: bool  # whether a check of the source found it


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
        fault.explain(case),
        fault.advise(case),
        locations,
        tuple(dict.fromkeys(clue.text for clue in supporting)),
        tuple(dict.fromkeys(clue.symptom for clue in supporting if clue.symptom)),
        edits=edits,
    )
    yield _Suspect(odds, cause, any(clue.name.startswith(FROM_CHECK) for clue in supporting))


def _edits(fault: Fault, case: Case) -> tuple[Edit, ...]:
    """What a check proposes comes first: it read the line itself."""
    by_rule: dict[str, list[Edit]] = {}
    for finding in fault.from_findings(case):
        if finding.fix is not None and finding.fix.edit is not None:
            by_rule.setdefault(finding.rule, []).append(finding.fix.edit)
    found = [*map(merged, by_rule.values()), *fault.edits(case)]
    return tuple({edit.changes: edit for edit in reversed(found)}.values())[::-1][:_MOST_EDITS]


def _locations(fault: Fault, case: Case, edits: tuple[Edit, ...]) -> tuple[Location, ...]:
    """The line to change comes first."""
    found = [Location(edits[0].path, edits[0].line, _SCORE_OF_EDIT, None, edits[0].text)] if edits else []
    found += [
        Location(finding.path, finding.span.line, _SCORE_OF_FINDING, finding.layer, finding.rule)
        for finding in fault.from_findings(case)
    ]
    best: dict[tuple[str, int], Location] = {}
    for location in (*fault.places(case), *_broken(fault, case), *found):
        key = (location.path, location.line)
        if key not in best or best[key].score < location.score:
            best[key] = location
    return tuple(sorted(best.values(), key=lambda location: -location.score)[:_MOST_LOCATIONS])


def _broken(fault: Fault, case: Case) -> Iterator[Location]:
    """Where relations break first, and where the layers in which they do are made."""
    for symptom in fault.from_relations(case):
        why = str(symptom.evidence["relation"])
        yield from at_site(symptom.site, _SCORE_OF_RELATION, why, symptom.layer)
        layer = case.recording.layers.get(symptom.layer or "")
        if layer is not None:
            yield from at_site(layer.site, _SCORE_OF_FINDING, f"{why} in {layer.name}", layer.name)
