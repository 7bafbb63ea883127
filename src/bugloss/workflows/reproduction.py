"""From a report to a program that shows its bug, run and confirmed."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from bugloss.core.errors import InvalidInput
from bugloss.core.report import Reading
from bugloss.core.run import RaisedException
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.expected.oracle import expect
from bugloss.reproduce.program.assembly import Assembly, assemblies
from bugloss.reproduce.stack.era import Choice, choose, known_eras
from bugloss.stacks.stack import load_stack, stack_names
from bugloss.workflows.reproduced import Notify, Reproduction, ReproductionRequest
from bugloss.workflows.triage import Triaged, triage_report
from bugloss.workflows.trial import ReproductionJob, releases_of


def reproduce(
    reading: Reading,
    request: ReproductionRequest,
    confidence: Mapping[EditAction, float] | None = None,
    notify: Notify = lambda text: None,
) -> Reproduction:
    """Tries to turn a report into a program that shows its bug."""
    start = time.monotonic()
    exceptions = exceptions_of(reading)
    firsts = assemblies(reading, exceptions)
    choices = _choices(reading, firsts, exceptions, request)
    with ExitStack() as rooms:
        trial = ReproductionJob(
            reading, expect(reading, exceptions), request, dict(confidence or {}), notify, start, rooms
        )
        return trial.work(firsts, choices)


def reproduce_report(
    given: str, request: ReproductionRequest, notify: Notify = lambda text: None
) -> tuple[Triaged, Reproduction]:
    """Reads a report, triages and reproduces it."""
    triaged = triage_report(given, offline=request.offline)
    return triaged, reproduce_triaged(triaged, request, notify)


def reproduce_triaged(
    triaged: Triaged, request: ReproductionRequest, notify: Notify = lambda text: None
) -> Reproduction:
    """Reproduces a triaged report with the confidences that are mined for its type."""
    notify(f"{triaged.result.bug_type.label.value} bug ({triaged.result.bug_type.probability:.0%})")
    confidence = {one.action: one.confidence for one in triaged.result.edit_actions}
    return reproduce(triaged.reading, request, confidence, notify)


def exceptions_of(reading: Reading) -> list[RaisedException]:
    """The exceptions that ended the reporter's program: a title names the error, a traceback shows it."""
    return [failure.exception for failure in reading.ended_by]


def _choices(
    reading: Reading, firsts: list[Assembly], exceptions: Sequence[RaisedException], request: ReproductionRequest
) -> list[Choice]:
    """The stacks to try, those asked for first."""
    if request.stack is not None:
        load_stack(request.stack)
        return [Choice(request.stack, 0.0, ("named by --stack",))]
    if request.own_python is not None:
        return [Choice(request.own_python, 0.0, ("named by --python",))]
    stacks = [load_stack(name) for name in stack_names()]
    if request.python is not None:
        stacks = [stack for stack in stacks if request.python in stack.python]
        if not stacks:
            raise InvalidInput(f"no stack has Python {request.python}.", hint="List the stacks: bugloss env list")
    eras = known_eras({stack.name: releases_of(stack) for stack in stacks})
    code = firsts[0].draft.text if firsts else ""
    return choose(reading, code, exceptions, eras, request.as_of)
