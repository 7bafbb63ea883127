"""From symptoms to causes: every fault collects its clues, the clues are added up, and the likeliest fault comes first.

Clues are log-odds. A fault starts at odds of one to twenty; what remains improbable is not named. Where nothing
alarming was seen there is no cause to look for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from bugloss.core.diagnosis import Cause, Location
from bugloss.core.failed_plugin import FailedPlugin, log_failure
from bugloss.core.learned import logistic
from bugloss.observe.case import Case
from bugloss.observe.fault import Clue, Fault

_PRIOR = -3.0
_LEAST = 0.25
_MOST_CAUSES = 8
_MOST_LOCATIONS = 5


def rank(case: Case, faults: Iterable[Fault], note: Callable[[FailedPlugin], None] = log_failure) -> tuple[Cause, ...]:
    """The causes that explain a case, the likeliest first; a fault that fails is noted, and the others are weighed."""
    if not case.alarming:
        return ()
    causes: list[Cause] = []
    for fault in faults:
        try:
            causes += _weigh(fault, case)
        except (Exception, SystemExit) as error:  # plug-ins are foreign code
            note(FailedPlugin.raised("fault", fault.name, error))
    return tuple(sorted(causes, key=lambda cause: -cause.confidence)[:_MOST_CAUSES])


def _weigh(fault: Fault, case: Case) -> Iterator[Cause]:
    clues = sorted((*fault.clues(case), *_from_check(fault, case)), key=lambda clue: -clue.weight)
    if not any(clue.weight > 0 for clue in clues):
        return
    confidence = logistic(_PRIOR + sum(clue.weight for clue in clues))
    if confidence < _LEAST:
        return
    yield Cause(
        fault.name,
        fault.fix_pattern,
        round(min(confidence, 0.99), 3),
        fault.explanation,
        fault.advice,
        _locations(fault, case),
        tuple(clue.text for clue in clues if clue.weight > 0),
        tuple(dict.fromkeys(clue.symptom for clue in clues if clue.symptom and clue.weight > 0)),
    )


def _from_check(fault: Fault, case: Case) -> Iterator[Clue]:
    """Findings in the source; a second finding of the same rule adds nothing."""
    named: set[str] = set()
    for finding in fault.from_findings(case):
        if finding.rule not in named:
            named.add(finding.rule)
            yield Clue(fault.rules[finding.rule], f"check ({finding.rule}): {finding.message}")


def _locations(fault: Fault, case: Case) -> tuple[Location, ...]:
    found = [
        Location(finding.path, finding.span.line, 0.9, finding.layer, finding.rule)
        for finding in fault.from_findings(case)
    ]
    best: dict[tuple[str, int], Location] = {}
    for location in (*fault.places(case), *found):
        key = (location.path, location.line)
        if key not in best or best[key].score < location.score:
            best[key] = location
    return tuple(sorted(best.values(), key=lambda location: -location.score)[:_MOST_LOCATIONS])
