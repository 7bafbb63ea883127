"""A search for inputs that bring a program to inf or NaN: the script runs in a stack with the probe ``grist``."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePath
from typing import Any

from bugloss.check.running.inspection import Inspection
from bugloss.core.edit import Span
from bugloss.core.errors import EnvironmentFailure, FileRefused
from bugloss.core.finding import Finding, Severity
from bugloss.core.foreign_file import is_inside, read_text
from bugloss.core.run import Isolation, Limits, Run, Settings
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.run.execute import Job, execute
from bugloss.source.text.source_file import Skipped
from bugloss.workflows.environment_choice import EnvironmentRequest, choose_environment
from bugloss.workflows.program_sources import is_source
from bugloss.workflows.stack_choice import stack_for
from bugloss.workflows.subject import files_of, read_program

RULE = "reachable-danger-zone"
PROBES = ("grist.py", "grist_torch.py", "grist_replay.py", "grist_keras.py")

_PROBE_FOLDER = ".bugloss-grist"

_STAGES = {
    "data": "for inputs close to your data",
    "inputs": "for inputs up to 100 in size (your data are standardised)",
    "weights": "for weights up to ten times their size now",
}
_REMEDIES = {
    "low": "Clamp the operand from below or add an epsilon; for probabilities use log_softmax or logsigmoid.",
    "zero": "Add an epsilon to the divisor or clamp it away from zero.",
    "high": "Subtract the maximum first, clamp the exponent, or use a stable form such as softmax or logsumexp.",
    "far": "Clamp the operand strictly inside (-1, 1).",
}


@dataclass(frozen=True, slots=True)
class DangerRequest:
    """Which script, with which arguments, where, and for how long."""

    script: Path
    arguments: tuple[str, ...] = ()
    stack: str | None = None
    budget: float = 30.0
    timeout: float = 300.0
    seed: int = 0
    offline: bool = False
    isolation: Isolation | None = None


@dataclass(frozen=True, slots=True)
class DangerSearch:
    """What was found, the witness behind each finding, and what keeps the answer from being whole."""

    inspection: Inspection
    witnesses: tuple[Mapping[str, Any], ...]
    stack: str
    run: Run
    sites: int
    remarks: tuple[str, ...]


def search_dangers(request: DangerRequest, notify: Callable[[str], None] = lambda text: None) -> DangerSearch:
    """Runs the script once, watched, and reads what the probe wrote."""
    start = time.monotonic()
    program = read_program(request.script)
    source = program.sources[0]
    stack = request.stack or stack_for(program)[0]
    chosen = choose_environment(program, EnvironmentRequest(stack, offline=request.offline), notify)
    job, skipped = _job(request)
    notify(f"running {request.script.name} in {chosen.title}, then searching for up to {request.budget:g} s")
    run = execute(job, chosen.environment, request.isolation)
    if not run.outcome.came_to_an_end:
        reason = run.stopped or run.outcome.value
        raise EnvironmentFailure(
            f"{request.script} was stopped ({reason}) after {run.seconds:.0f} s, before the search.",
            hint="Let it train for fewer steps, or give it longer with --timeout.",
        )
    events = [event for event in run.evidence if event.get("probe") == "grist"]
    dangers = [event for event in events if event.get("event") == "danger" and _complete(event)]
    witnesses = tuple(event for event in dangers if _is_of_program(str(event["path"]), request.script))
    findings = tuple(_finding(event, request.script) for event in witnesses)
    lines = source.count("\n") + 1
    inspection = Inspection(findings, 1, lines, skipped, time.monotonic() - start)
    return DangerSearch(
        inspection, witnesses, stack, run, _sites(events), (*chosen.remarks, *_remarks(run, events, source))
    )


def _job(request: DangerRequest) -> tuple[Job, tuple[Skipped, ...]]:
    laid_out, skipped = files_of(request.script)
    for name in PROBES:
        laid_out[f"{_PROBE_FOLDER}/{name}"] = Path(str(files("bugloss.probes") / name))
    arguments = (f"{request.budget:g}", request.script.name, *request.arguments)
    limits = Limits(wall_seconds=request.timeout + 2 * request.budget)
    settings = Settings(seed=request.seed)
    return Job(laid_out, f"{_PROBE_FOLDER}/grist.py", arguments, settings, limits), skipped


def _complete(event: Mapping[str, Any]) -> bool:
    """Whether the event has the probe's form: the program runs in the probe's process and may have made it up."""
    return (
        all(isinstance(event.get(key), str) for key in ("path", "operation", "target", "stage", "hit"))
        and isinstance(event.get("line"), int)
        and all(_is_range(event.get(key)) for key in ("operand", "observed"))
        and event["stage"] in _STAGES
        and event["target"] in _REMEDIES
    )


def _is_of_program(path: str, script: Path) -> bool:
    return (path == script.name or is_source(path)) and is_inside(script.parent, path)


def _is_range(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_float, value))


def _is_float(value: object) -> bool:
    """Whether this is a number that can be shown as a float; inf and NaN can."""
    return isinstance(value, float) or (isinstance(value, int) and abs(value) <= sys.float_info.max)


def _finding(event: Mapping[str, Any], script: Path) -> Finding:
    path = script.parent / PurePath(event["path"])
    return Finding(
        rule=RULE,
        path=path.as_posix(),
        span=_span(script.parent, event["path"], event["line"]),
        message=_message(event),
        severity=_severity(event),
        category=Category.TRAINING,
        fix_pattern=FixPattern.LOSS_FUNCTION,
        confidence={"data": 0.95, "inputs": 0.8, "weights": 0.6}[event["stage"]],
    )


def _severity(event: Mapping[str, Any]) -> Severity:
    """An exponential overflows wherever outliers are large enough, in sound programs, too."""
    if event["stage"] == "inputs" and event["target"] == "high":
        return Severity.ADVICE
    return Severity.WARNING if event["stage"] == "weights" else Severity.ERROR


def _message(event: Mapping[str, Any]) -> str:
    low, high = event["operand"]
    seen = "{:.3g} to {:.3g}".format(*event["observed"])
    reached = {"low": low, "zero": 0.0, "high": high, "far": max(low, high, key=abs)}[event["target"]]
    harm = "inf or NaN reaches the loss" if event["hit"] == "value" else "the gradient becomes inf or NaN"
    name = event["operation"].strip("_")
    return (
        f"the operand of {name} ({seen} in your run) can reach {reached:.3g} {_STAGES[event['stage']]}: {harm}. "
        f"{_REMEDIES[event['target']]}"
    )


def _span(folder: Path, name: str, line: int) -> Span:
    """The code on that line."""
    try:
        text = read_text(folder, name, errors="replace").split("\n")[line - 1]
    except (FileRefused, IndexError):
        return Span(line, 0, line, 0)
    return Span(line, len(text) - len(text.lstrip()), line, len(text.rstrip()))


def _sites(events: list[Mapping[str, object]]) -> int:
    counts = [event["sites"] for event in events if event.get("event") == "searched"]
    return sum(count for count in counts if isinstance(count, int))


def _remarks(run: Run, events: list[Mapping[str, object]], source: str) -> Iterator[str]:
    """Why "nothing found" would say less than it seems to."""
    last = next((event for event in events if event.get("event") == "searched"), None)
    if run.exception is not None:
        yield f"the script ended with {run.exception.kind}: {_one_line(run.exception.message)}"
    elif run.exit_code:
        yield f"the script ended with exit code {run.exit_code}"
    if last is None:
        yield "the search did not come to its end"
        return
    if not last.get("watched"):
        yield "no call of a PyTorch or Keras 2/3 model was seen, so nothing was searched"
    if "GradientTape" in source:
        yield "the loss of a hand-written TensorFlow loop is not searched"
    if last.get("searched") != last.get("sites"):
        yield f"the budget was spent after {last.get('searched')} of {last.get('sites')} dangerous places"
    failed = [str(event.get("why")) for event in events if event.get("event") == "failed"]
    yield from (f"part of the search failed: {_one_line(why)}" for why in failed)


def _one_line(text: str) -> str:
    """Without line breaks and terminal colours, and not too long."""
    return " ".join(re.sub(r"\x1b\[[0-9;]*m", "", text).split())[:200]
