"""Settles competing causes by trying their edits: the program as it is against the edited one, seed by seed.

A cause is confirmed when the change makes every pair of runs better and silences the symptoms that spoke for the cause.
The changed program runs from a copy; the user's own files are never touched.
"""

from __future__ import annotations

import math
import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from bugloss.core.diagnosis import Cause, FailedPlugin
from bugloss.core.edit import Edit
from bugloss.core.errors import InvalidInput
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.core.run import Outcome
from bugloss.observe.contract import Detector
from bugloss.observe.detection import detect
from bugloss.observe.recording import Recording
from bugloss.record.runs import RunFolder
from bugloss.run.sandbox.scratch import scratch_folder
from bugloss.workflows.diagnosis import DiagnosisRequest, Examined, document, folder_as_typed
from bugloss.workflows.environment_choice import EnvironmentRequest, installable
from bugloss.workflows.observation import Observation, observe_here, observe_sandboxed, recording_of
from bugloss.workflows.run_seal import is_own
from bugloss.workflows.subject import files_of

SEEDS = 5
_FEWEST = 3
_CLEARLY = 0.9  # the changed program's measure must fall below this share of the other's

Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class TriedSeed:
    """One seed: what the program reached as it is and changed, and whether the symptoms went."""

    before: float
    after: float
    silenced: bool

    @property
    def better(self) -> bool:
        return self.after < self.before * _CLEARLY if math.isfinite(self.before) else math.isfinite(self.after)


def settle(
    examined: Examined, request: DiagnosisRequest, budget: float, notify: Notify = lambda text: None
) -> Examined:
    """Tries the edits that the causes carry, within a budget of seconds; a confirmed cause goes first."""
    deadline = time.monotonic() + budget
    if examined.cells:
        notify("edits are not tried in notebooks")
        return examined
    causes = {cause.cause: cause for cause in examined.diagnosis.causes}
    for name, edit in [(cause.cause, edit) for cause in causes.values() for edit in cause.edits]:
        if time.monotonic() < deadline and not causes[name].confirmed:
            pairs = _try(examined, request, edit, causes[name].symptoms, deadline, notify)
            causes[name] = judge(causes[name], edit, pairs)
    ordered = tuple(sorted(causes.values(), key=lambda cause: (not cause.confirmed, -cause.confidence)))
    diagnosis = replace(examined.diagnosis, causes=ordered)
    examined.folder.write("diagnosis.json", document(diagnosis))
    return replace(examined, diagnosis=diagnosis)


def judge(cause: Cause, edit: Edit, pairs: list[TriedSeed]) -> Cause:
    if len(pairs) < _FEWEST:
        return replace(
            cause,
            evidence=(*cause.evidence, f"{edit.text}: undecided, only {len(pairs)} pairs finished in time"),
        )
    better, silent = sum(pair.better for pair in pairs), sum(pair.silenced for pair in pairs)
    words = f"{edit.text}: better for {better} of {len(pairs)} seeds, no symptoms for {silent}"
    if better == len(pairs) and silent == len(pairs):
        return cause.confirm(words, edit)
    share = better / len(pairs)
    return replace(
        cause, confidence=round(cause.confidence * (0.3 + 0.6 * share), 3), evidence=(*cause.evidence, words)
    )


def _try(
    examined: Examined,
    request: DiagnosisRequest,
    edit: Edit,
    symptoms: tuple[str, ...],
    deadline: float,
    notify: Notify,
) -> list[TriedSeed]:
    script = _script(examined)
    pairs: list[TriedSeed] = []
    with scratch_folder() as scratch:
        inside = folder_as_typed(examined.facts)
        changed = _changed_copy(examined, edit.moved(lambda path: os.path.relpath(path, inside)), scratch)
        if changed is None:
            return pairs
        for seed in range(SEEDS):
            if time.monotonic() >= deadline:
                break
            notify(f"trying {edit.text} (seed {seed + 1} of {SEEDS})")
            before, after = (observe_again(examined, request, seed, path) for path in (script, changed))
            pairs.append(TriedSeed(measure(before), measure(after), not _still_there(after, symptoms)))
    return pairs


def _script(examined: Examined) -> Path:
    return Path(examined.facts.folder) / examined.facts.script_inside


def _changed_copy(examined: Examined, edit: Edit, scratch: Path) -> Path | None:
    script = _script(examined)
    for name, source in files_of(script, Path(examined.facts.folder))[0].items():
        target = scratch / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    for path in edit.paths:
        target = scratch / path
        if not target.is_file() or not target.resolve().is_relative_to(scratch.resolve()):
            return None
        text = target.read_text(encoding="utf-8")
        if not edit.fits(path, text):
            return None
        target.write_text(edit.apply(path, text), encoding="utf-8")
    return scratch / examined.facts.script_inside


def observe_again(examined: Examined, request: DiagnosisRequest, seed: int, script: Path | None = None) -> Recording:
    """One more run, with another seed, of the program or of a changed copy; only its numbers are kept.

    The script and interpreter of a run that somebody else recorded are not used.
    """
    if not is_own(examined.facts):
        hint = "Pass the script itself: bugloss diagnose SCRIPT"
        raise InvalidInput(
            (f"the run {examined.folder.id} was not recorded on this machine, so it is not run again."), hint=hint
        )
    facts = examined.facts
    chosen = script or _script(examined)
    observation = Observation(
        chosen,
        facts.arguments,
        seed=seed,
        timeout=request.timeout,
        settings={"seed": seed},
        module=facts.module,
        root=chosen.parents[len(Path(facts.script_inside).parts) - 1],
        stdin=_from_the_start(request.stdin),
    )
    folder: RunFolder
    if facts.isolation is None and facts.stack is None:
        if not request.here:
            raise InvalidInput(
                f"an experiment would run {examined.facts.script} again in your own interpreter, not sandboxed.",
                hint="To allow it, pass --here.",
            )
        folder = observe_here(observation, examined.facts.python)
    else:
        same = EnvironmentRequest(
            facts.stack,
            None if facts.stack else facts.python,
            installable(facts.added),
            request.companions,
            request.offline,
        )
        folder = observe_sandboxed(observation, same, isolation=request.isolation)
    recording, outcome = recording_of(folder), folder.facts().outcome
    shutil.rmtree(folder.path, ignore_errors=True)
    if outcome is Outcome.INTERRUPTED:
        raise KeyboardInterrupt
    return recording


def _from_the_start(stdin: int) -> int:
    """A file on standard input is read again by every run; a pipe is empty by now."""
    if stdin >= 0:
        with suppress(OSError):
            os.lseek(stdin, 0, os.SEEK_SET)
    return stdin


def measure(recording: Recording) -> float:
    """How well a run ended, less is better: the last validation loss, else the mean of the last tenth of the losses."""
    if recording.crash is not None:
        return math.inf
    validation = [epoch.validation_loss for epoch in recording.epochs if epoch.validation_loss is not None]
    if validation:
        return validation[-1]
    losses = recording.loss_values
    tail = losses[-max(len(losses) // 10, 1) :]
    return sum(tail) / len(tail) if tail else math.inf


def _still_there(recording: Recording, symptoms: tuple[str, ...]) -> bool:
    """Whether a symptom is seen again, or the detector that would see it failed."""
    detectors = [detector for name, detector in load(PluginGroup.DETECTOR, Detector).items() if name in symptoms]
    failed: list[FailedPlugin] = []
    seen = detect(recording, detectors, failed.append)
    return bool(failed) or any(symptom.severity.rank > 0 for symptom in seen)
