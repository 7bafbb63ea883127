"""Judges one run of one twin by the bug's oracle, from recorded evidence alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from bugloss.core.bug import Oracle, OracleKind
from bugloss.core.judgement import Grade, Judgement
from bugloss.core.message import blank
from bugloss.core.run import Outcome, RaisedException, Run
from bugloss.core.trial import Trial
from bugloss.probes import oracle as probe

_MACHINE = {
    Outcome.TIMED_OUT: "it ran into the time limit of {limit:g} s",
    Outcome.OUT_OF_MEMORY: "it ran out of memory",
    Outcome.KILLED: "it was killed (exit code {code})",
    Outcome.TOO_MUCH_EVIDENCE: "it left more evidence than is read",
}


def judge(oracle: Oracle, run: Run, reference: Run | None = None) -> Judgement:
    """The grade of a run; a cost needs the fixed twin's run beside it as the reference."""
    if oracle.kind is OracleKind.EXCEPTION and _as_expected(oracle, run.exception):
        return Judgement(Grade.FAIL, f"raised the documented {_words(run.exception)}")
    for part in (run, reference):
        if part is not None and not part.outcome.came_to_an_end:
            return Judgement(Grade.NOT_RUN, _machine_words(part))
    if run.exception is not None and not _from_oracle(run.exception):
        return Judgement(Grade.STRANGE, f"raised {_words(run.exception)}, which the oracle does not describe")
    recorded = {str(event.get("oracle")) for event in run.evidence}
    if recorded != {oracle.kind.value}:
        return Judgement(Grade.STRANGE, f"ended with exit code {run.exit_code} and without the oracle's evidence")
    if run.exception is None and run.exit_code:
        return Judgement(Grade.STRANGE, f"ended with exit code {run.exit_code}, which the oracle does not describe")
    try:
        return _judge_evidence(oracle, run, reference)
    except (KeyError, TypeError, ValueError) as error:  # written by a foreign process: it may hold anything
        return Judgement(Grade.STRANGE, f"left evidence that makes no sense: {type(error).__name__}: {error}")


def _judge_evidence(oracle: Oracle, run: Run, reference: Run | None) -> Judgement:
    match oracle.kind:
        case OracleKind.EXCEPTION:
            return Judgement(Grade.PASS, "ran to its end")
        case OracleKind.VALUE:
            return _judge_value(run.evidence[-1])
        case OracleKind.SYMPTOM:
            return _judge_symptom(run.evidence)
        case OracleKind.COST:
            return _judge_cost(run.evidence, reference)


def regrade(trial: Trial) -> Trial:
    """The same trial judged anew from its recorded runs."""
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


def _judge_value(event: Mapping[str, object]) -> Judgement:
    kind, limit = _bound(event)
    healthy = probe.meets(event["value"], [kind, limit])
    sentence = f"{event['metric']} is {_number(event['value'])}; healthy is {kind} {limit}"
    return Judgement(Grade.PASS if healthy else Grade.FAIL, sentence, {"value": event["value"]})


def _judge_symptom(evidence: Sequence[Mapping[str, object]]) -> Judgement:
    values = [event["value"] for event in evidence]
    kind, limit = _bound(evidence[0])
    healthy = sum(probe.meets(value, [kind, limit]) for value in values)
    verdict, p_value = probe.sign_test(healthy, len(values))
    sentence = f"{healthy} of {len(values)} seeds healthy ({evidence[0]['metric']} {kind} {limit})"
    measured = {"values": values, "healthy": kind, "p_value": p_value}
    return Judgement(Grade(verdict), f"{sentence}, sign test p = {p_value:.3g}", measured)


def _judge_cost(evidence: Sequence[Mapping[str, object]], reference: Run | None) -> Judgement:
    """Faulty from the declared ratio on, healthy below its square root, undecided between."""
    if reference is None or not reference.evidence:
        return Judgement(Grade.NOT_RUN, "a cost is judged against the fixed twin, which has not been measured")
    cost, healthy_cost = _least(evidence), _least(reference.evidence)
    declared = float(str(evidence[0]["ratio"]))
    ratio = cost / healthy_cost if healthy_cost > 0 else float("inf") if cost > 0 else 1.0
    sentence = f"{evidence[0]['metric']} {cost:.4g} against {healthy_cost:.4g} of the fixed twin: {ratio:.2f} times"
    measured = {"cost": cost, "reference": healthy_cost, "ratio": ratio}
    if ratio >= declared:
        return Judgement(Grade.FAIL, f"{sentence} (faulty from {declared:g})", measured)
    if ratio < declared**0.5:
        return Judgement(Grade.PASS, f"{sentence} (healthy below {declared**0.5:.2f})", measured)
    return Judgement(Grade.UNDECIDED, f"{sentence}, between healthy and faulty", measured)


def _least(evidence: Sequence[Mapping[str, object]]) -> float:
    """What a busy machine and a first round add is never negative: the least measurement is the truest."""
    return min(float(str(event["value"])) for event in evidence)


def _bound(event: Mapping[str, object]) -> tuple[str, object]:
    bound = event["bound"]
    if not isinstance(bound, list) or len(bound) != 2:
        raise ValueError(f"the bound {bound!r} is no pair")
    return str(bound[0]), bound[1]


def _number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _words(exception: RaisedException | None) -> str:
    if exception is None:
        return "nothing"
    first_line = exception.message.strip().split("\n", 1)[0]
    return f"{exception.kind}: {first_line[:160]}" if first_line else exception.kind


def _machine_words(run: Run) -> str:
    if run.stopped is not None:
        return f"the sandbox stopped it: {run.stopped}"
    return _MACHINE[run.outcome].format(limit=run.limits.wall_seconds, code=run.exit_code)
