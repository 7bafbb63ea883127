"""Judges one run of one program by the bug's oracle, from recorded evidence alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from bugloss.core.bug import Bound, Measurement, Oracle, OracleKind
from bugloss.core.failure.message import blank
from bugloss.core.judgement import Grade, Judgement
from bugloss.core.run import Outcome, RaisedException, Run
from bugloss.core.trial import Trial
from bugloss.probes import oracle as probe

_MACHINE = {
    Outcome.TIMED_OUT: "it exceeded the time limit of {limit:g} s",
    Outcome.OUT_OF_MEMORY: "it ran out of memory",
    Outcome.KILLED: "it was killed (exit code {code})",
    Outcome.TOO_MUCH_EVIDENCE: "its evidence exceeds the limit",
    Outcome.INTERRUPTED: "it was interrupted",
    Outcome.RUNNING: "its end was not recorded",
}


def judge(oracle: Oracle, run: Run, reference: Run | None = None) -> Judgement:
    """The grade of a run; a cost needs the fixed program's run as the reference."""
    if oracle.kind is OracleKind.EXCEPTION and _as_expected(oracle, run.exception):
        return Judgement(Grade.FAIL, f"raised the documented {_words(run.exception)}")
    for part in (run, reference):
        if part is not None and not part.outcome.came_to_an_end:
            return Judgement(Grade.NOT_RUN, _machine_words(part))
    if run.exception is not None and not _from_oracle(run.exception):
        return Judgement(Grade.STRANGE, f"raised {_words(run.exception)}, which the oracle does not describe")
    if not run.evidence:
        return Judgement(Grade.STRANGE, f"ended with exit code {run.exit_code} and without the oracle's evidence")
    if run.exception is None and run.exit_code:
        return Judgement(Grade.STRANGE, f"ended with exit code {run.exit_code}, which the oracle does not describe")
    try:
        verdict = _judge_evidence(oracle, run, reference)
    except _InvalidEvidence as error:
        return Judgement(Grade.STRANGE, f"left invalid evidence: {error}")
    if verdict.grade is Grade.PASS and run.exception is not None:
        return Judgement(Grade.STRANGE, f"raised {_words(run.exception)}, although its measurements are healthy")
    return verdict


class _InvalidEvidence(Exception):
    """The evidence is not what the bug's test asks for. It came from the process of a foreign program."""


def _judge_evidence(oracle: Oracle, run: Run, reference: Run | None) -> Judgement:
    if oracle.kind is OracleKind.EXCEPTION:
        if [event.get("oracle") for event in run.evidence] != [oracle.kind.value]:
            raise _InvalidEvidence("the test must report the end of the program once")
        return Judgement(Grade.PASS, "ran to its end")
    measurement = oracle.measurement
    if measurement is None:
        return Judgement(Grade.NOT_RUN, "it was recorded without the bound of its test: run it again")
    values = _values(oracle.kind, measurement, run)
    if oracle.kind is OracleKind.VALUE:
        return _judge_value(measurement, values[0])
    if oracle.kind is OracleKind.SYMPTOM:
        return _judge_symptom(measurement, values)
    if reference is None or not reference.evidence:
        return Judgement(Grade.NOT_RUN, "a cost is compared with the fixed program, which has not been measured")
    return _judge_cost(measurement, values, _values(oracle.kind, measurement, reference))


def _values(kind: OracleKind, measurement: Measurement, run: Run) -> list[object]:
    """The measurements, which are one for each seed that the bug asks for, in order."""
    wanted = measurement.seeds(kind, run.settings.seed)
    measured = [(event.get("oracle"), event.get("seed")) for event in run.evidence]
    if measured != [(kind.value, seed) for seed in wanted] or any("value" not in one for one in run.evidence):
        found = len(measured) if len(measured) != len(wanted) else "others"
        raise _InvalidEvidence(f"expected {len(wanted)} measurements from seed {wanted[0]} on, got {found}")
    return [event["value"] for event in run.evidence]


def regrade(trial: Trial) -> Trial:
    """The same trial judged again from its recorded runs."""
    return replace(trial, judgement=judge(trial.oracle, trial.run, trial.reference))


def _as_expected(oracle: Oracle, exception: RaisedException | None) -> bool:
    """Whether this is the documented exception: class, message template, and the program's own frame."""
    if exception is None or not exception.is_a(oracle.exception):
        return False
    if oracle.message and blank(exception.message) != blank(oracle.message):
        return False
    return not oracle.raised_in or _innermost_of_program(exception) == oracle.raised_in


def _innermost_of_program(exception: RaisedException) -> str | None:
    """The innermost function of the program itself: neither of a library nor of the test."""
    for frame in reversed(exception.frames):
        path = PurePath(frame.path)
        if not {"site-packages", "lib"} & {*path.parts} and path.name not in {"test.py", "oracle.py"}:
            return frame.function
    return None


def _from_oracle(exception: RaisedException) -> bool:
    return exception.kind in {probe.Failed.__name__, probe.Undecided.__name__}


def _judge_value(measurement: Measurement, value: object) -> Judgement:
    bound = _bound(measurement)
    healthy = probe.meets(value, (bound.kind.value, bound.limit))
    sentence = f"{measurement.metric} is {_number(value)}; healthy is {bound.kind.value} {bound.limit}"
    return Judgement(Grade.PASS if healthy else Grade.FAIL, sentence, {"value": value})


def _judge_symptom(measurement: Measurement, values: Sequence[object]) -> Judgement:
    bound = _bound(measurement)
    healthy = sum(probe.meets(value, (bound.kind.value, bound.limit)) for value in values)
    verdict, p_value = probe.sign_test(healthy, len(values))
    sentence = f"{healthy} of {len(values)} seeds healthy ({measurement.metric} {bound.kind.value} {bound.limit})"
    measured = {"values": values, "healthy": bound.kind.value, "p_value": p_value}
    return Judgement(Grade(verdict), f"{sentence}, sign test p = {p_value:.3g}", measured)


def _judge_cost(measurement: Measurement, values: Sequence[object], twin_values: Sequence[object]) -> Judgement:
    """Faulty from the declared ratio on, healthy below its square root, undecided between."""
    cost, healthy_cost, declared = _least(values), _least(twin_values), measurement.ratio
    if declared is None:
        raise _InvalidEvidence("no ratio is stated")
    ratio = cost / healthy_cost if healthy_cost > 0 else float("inf") if cost > 0 else 1.0
    sentence = f"{measurement.metric} {cost:.4g} against {healthy_cost:.4g} of the fixed program: {ratio:.2f} times"
    measured = {"cost": cost, "reference": healthy_cost, "ratio": ratio}
    if ratio >= declared:
        return Judgement(Grade.FAIL, f"{sentence} (faulty from {declared:g})", measured)
    if ratio < declared**0.5:
        return Judgement(Grade.PASS, f"{sentence} (healthy below {declared**0.5:.2f})", measured)
    return Judgement(Grade.UNDECIDED, f"{sentence}, between healthy and faulty", measured)


def _least(values: Sequence[object]) -> float:
    """What a busy machine and a warm-up add is never negative: the least measurement is the truest."""
    costs = [float(value) for value in values if isinstance(value, int | float) and probe.is_number(value)]
    if len(costs) != len(values) or min(costs) < 0:
        raise _InvalidEvidence("a cost must be finite and not negative")
    return min(costs)


def _bound(measurement: Measurement) -> Bound:
    if measurement.bound is None:
        raise _InvalidEvidence("no bound is stated")
    return measurement.bound


def _number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)[:80]


def _words(exception: RaisedException | None) -> str:
    if exception is None:
        return "nothing"
    first_line = exception.message.strip().split("\n", 1)[0]
    return f"{exception.kind}: {first_line[:160]}" if first_line else exception.kind


def _machine_words(run: Run) -> str:
    if run.stopped is not None:
        return f"the sandbox stopped it: {run.stopped}"
    return _MACHINE[run.outcome].format(limit=run.limits.wall_seconds, code=run.exit_code)
