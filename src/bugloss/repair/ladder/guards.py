"""What else a patch changes: parameters, time, memory, and how the model stands up to noise."""

from __future__ import annotations

from collections.abc import Callable

from bugloss.core.patch import Rung, RungResult
from bugloss.repair.ladder.measures import seconds_a_step
from bugloss.repair.ladder.observed import ObservedRun

_ROBUSTNESS = "robustness"  # the property probe that perturbs a batch


def report_guards(before: ObservedRun, after: ObservedRun) -> RungResult:
    """Numbers before and after; they are reported and decide nothing."""
    measured = {
        name: {"before": old, "after": new}
        for name, read in _READERS.items()
        if (new := read(after)) is not None and ((old := read(before)) is not None or before.crash is not None)
    }
    words = "; ".join(_words(name, values["before"], values["after"]) for name, values in measured.items())
    return RungResult(Rung.GUARDS, None, words or "nothing else was measured", measured)


def _words(name: str, before: float | None, after: float | None) -> str:
    return f"{name} {_number(before)} → {_number(after)}" if before is not None else f"{name} {_number(after)}"


def _number(value: float | None) -> str:
    return "?" if value is None else f"{value:.4g}" if isinstance(value, float) else f"{value:,}"


def _parameters(run: ObservedRun) -> float | None:
    return run.recording.models[-1].parameters if run.recording.models else None


def _memory(run: ObservedRun) -> float | None:
    readings = [one.megabytes for one in run.recording.memory]
    return round(max(readings), 1) if readings else None


def _speed(run: ObservedRun) -> float | None:
    found = seconds_a_step(run.recording, 1 << 60)
    return None if found is None else round(1000 * found, 3)


def _robust(name: str) -> Callable[[ObservedRun], float | None]:
    def read(run: ObservedRun) -> float | None:
        answer = run.recording.property(_ROBUSTNESS)
        value = answer.facts.get(name) if answer is not None else None
        return round(float(value), 4) if isinstance(value, int | float) else None

    return read


_READERS: dict[str, Callable[[ObservedRun], float | None]] = {
    "parameters": _parameters,
    "milliseconds a step": _speed,
    "megabytes": _memory,
    "accuracy on a batch": _robust("clean_accuracy"),
    "accuracy under input noise": _robust("noise_accuracy"),
    "accuracy under FGSM": _robust("fgsm_accuracy"),
    "loss on a batch": _robust("clean_loss"),
    "loss under input noise": _robust("noise_loss"),
    "loss under FGSM": _robust("fgsm_loss"),
}
