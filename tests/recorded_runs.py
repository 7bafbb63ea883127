"""Runs and trials as a test wants them: every field has a sensible value, each can be set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bugloss.core.bug import Oracle, OracleKind, Twin
from bugloss.core.judgement import Grade, Judgement
from bugloss.core.run import Frame, Isolation, Limits, Outcome, RaisedException, Run, Settings, Stream
from bugloss.core.trial import Trial

SURVIVED = {"oracle": "exception", "survived": True}


def run_of(
    outcome: Outcome = Outcome.FINISHED,
    *,
    evidence: tuple[Mapping[str, object], ...] = (),
    exception: RaisedException | None = None,
    exit_code: int | None = 0,
    seed: int = 0,
    digest: str = "as it is",
) -> Run:
    """A recorded run; an exception makes it a raised one unless it is told otherwise."""
    if exception is not None and outcome is Outcome.FINISHED:
        outcome, exit_code = Outcome.RAISED, 1
    return Run(
        command=("python", "launch.py", "test.py"),
        outcome=outcome,
        exit_code=exit_code,
        seconds=1.5,
        peak_megabytes=30.0,
        exception=exception,
        evidence=evidence,
        stdout=Stream("out"),
        stderr=Stream("err"),
        settings=Settings(seed=seed),
        limits=Limits(wall_seconds=60.0),
        isolation=Isolation("limits", ("scratch home", "resource limits")),
        environment="0123456789abcdef",
        python="3.11.7",
        started_at="2026-01-02T03:04:05+00:00",
        subject={"digest": digest},
    )


def raised(kind: str, message: str = "", *functions: str, bases: tuple[str, ...] = ("Exception",)) -> RaisedException:
    """An exception that came through these functions, outermost first; ``torch.linear`` is one of a library."""
    frames = tuple(_frame(name) for name in functions)
    return RaisedException(kind, f"builtins.{kind}", message, bases, frames)


def _frame(name: str) -> Frame:
    library, _, function = name.rpartition(".")
    path = f"/cache/lib/python3.11/site-packages/{library}/nn.py" if library else "/subject/work/program.py"
    return Frame(path, 7, function, f"{function}()")


def failed(sentence: str = "") -> RaisedException:
    """What the oracle raises on a fault."""
    return raised("Failed", sentence, bases=("AssertionError", "Exception"))


def trial_of(
    twin: Twin,
    grade: Grade,
    *,
    seed: int = 0,
    bug: str = "torch-0001",
    kind: OracleKind = OracleKind.EXCEPTION,
    values: tuple[object, ...] = (),
    healthy: str = "at least",
) -> Trial:
    """A trial that was given that grade."""
    measured = {"values": list(values), "healthy": healthy} if values else {}
    judgement = Judgement(grade, f"because it is {grade.value}", measured)
    return Trial(bug, twin, Oracle(kind), run_of(seed=seed), judgement)


def with_digest(trial: Trial, digest: str) -> Trial:
    """The same trial of another content of its bug."""
    return replace(trial, run=replace(trial.run, subject={"digest": digest}))
