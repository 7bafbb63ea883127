"""What running a bug will cost here: whether its environment is built, and how long that would take."""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.core.errors import MissingInterpreter
from bugloss.corpus.entry import Entry
from bugloss.run.environment import built, forecast_seconds, plan


@dataclass(frozen=True, slots=True)
class Forecast:
    """The state of a bug's environment on this machine, and seconds to expect."""

    stack: str
    built: bool
    build_seconds: float
    megabytes: int
    run_seconds: float
    sentence: str


def forecast(entry: Entry) -> Forecast:
    """Looks, and builds nothing."""
    stack = entry.stack
    seconds, run_seconds = forecast_seconds(stack), entry.bug.seconds
    try:
        found = built(plan(stack))
    except MissingInterpreter as error:
        sentence = f"{stack.name}: {error.message} {error.hint}"
        return Forecast(stack.name, False, seconds, stack.megabytes, run_seconds, sentence)
    if found is not None:
        sentence = f"{stack.name} ({stack.title}), built; a test takes about {run_seconds:g} s"
        return Forecast(stack.name, True, 0.0, found.megabytes, run_seconds, sentence)
    cost = f"about {seconds:.0f} s and {stack.megabytes} MB, then {run_seconds:g} s per test"
    sentence = f"{stack.name} ({stack.title}), not built: {cost}"
    return Forecast(stack.name, False, seconds, stack.megabytes, run_seconds, sentence)
