"""Runs a user's program as it is, with the observing probe beside it, and keeps what was seen."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.resources import files
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from bugloss.core.codec import encode
from bugloss.core.errors import EnvironmentFailure, FileRefused, InvalidInput, Refusal
from bugloss.core.foreign_file import open_inside, shown
from bugloss.core.run import Isolation, Limits, Outcome, Run, Settings
from bugloss.observe.bounds import short_lines
from bugloss.observe.recording import Recording, gather, read
from bugloss.record.runs import EVENTS, RunFacts, RunFolder, new_run
from bugloss.run.environment import Environment
from bugloss.run.execute import InterruptedRun, Job, execute
from bugloss.run.listener import Listener
from bugloss.run.own_python import own_interpreter
from bugloss.run.sandbox import isolation_for_untrusted
from bugloss.workflows.ending import outcome_of
from bugloss.workflows.environment_choice import ChosenEnvironment, EnvironmentRequest, choose_environment
from bugloss.workflows.event_follower import EventFollower
from bugloss.workflows.run_seal import seal
from bugloss.workflows.subject import files_of, is_notebook, read_program, read_script

PROBE_FOLDER = ".bugloss-observe"
_MOST_LEFT_OUT = 5
_PROGRAM = "program.py"  # the code cells of a notebook


@dataclass(frozen=True, slots=True)
class Observation:
    """Which script, with what, where, and how closely it is watched."""

    script: Path
    arguments: tuple[str, ...] = ()
    budget: float = 0.05  # share of the training time that watching may cost
    properties: bool = False  # whether property probes are tried on a copy
    seed: int = 0
    timeout: float | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    module: str | None = None  # started with ``python -m``; the script is then the file of that module
    root: Path | None = None  # the folder that goes into the sandbox, if not the script's
    stdin: int = subprocess.DEVNULL  # what a sandboxed program reads; in the user's interpreter it is the terminal

    @property
    def folder(self) -> Path:
        return self.root or self.script.parent

    @property
    def entry(self) -> str:
        """The script's path below the folder."""
        return self.script.relative_to(self.folder).as_posix()

    def command(self, script: str) -> tuple[str, ...]:
        """What comes after the probe's settings."""
        return (*(("-m", self.module) if self.module else (script,)), *self.arguments)

    def probe_settings(self, events: str | None) -> str:
        return json.dumps({"events": events, "budget": self.budget, "properties": self.properties, **self.settings})


def observe_here(
    observation: Observation,
    python: str | None = None,
    listener: Listener | None = None,
    *,
    quiet_output: bool = False,
) -> RunFolder:
    """Runs the script in the user's own interpreter, with the terminal's streams; events are heard as they come."""
    if not observation.script.is_file():
        raise InvalidInput(f"there is no script {observation.script}.")
    found, how = own_interpreter()
    chosen = python or found
    folder = new_run()
    if is_notebook(observation.script.name):
        observation = _with_source(observation, str(_write_program(folder, observation).resolve()))
    # -u is left out on purpose: the program's buffering is its own affair.
    command = [chosen, str(_probe_path()), observation.probe_settings(str(folder.events.resolve()))]
    command += observation.command(str(observation.script))
    facts = seal(replace(_facts(observation, chosen), reason="named by --python" if python else how))
    folder.write_facts(facts)
    start = time.monotonic()
    try:
        # Where standard output is kept for a document, the program's own goes to standard error.
        process = subprocess.Popen(command, stdout=2 if quiet_output else None)
    except OSError as error:
        raise EnvironmentFailure(
            f"{chosen} cannot be started: {error.strerror}.", hint="Name another interpreter: --python PATH"
        ) from error
    follower = EventFollower(folder, (listener or Listener()).event)
    outcome, code = _attend(process, observation.timeout, follower.look)
    _close(folder, replace(facts, outcome=outcome, exit_code=code, seconds=round(time.monotonic() - start, 3)))
    return folder


def observe_sandboxed(
    observation: Observation,
    request: EnvironmentRequest | None = None,
    *,
    environment: Environment | None = None,
    isolation: Isolation | None = None,
    notify: Callable[[str], None] = lambda text: None,
    listener: Listener | None = None,
    root: Path | None = None,
) -> RunFolder:
    """Runs a copy of the script's folder, sandboxed; the script is untrusted unless a level is named.

    The run is kept below ``root``, else below the current folder.
    """
    program = read_program(observation.script, observation.folder)
    level = isolation or isolation_for_untrusted()
    if environment is None:
        chosen = choose_environment(program, request or EnvironmentRequest(), notify)
    else:
        chosen = ChosenEnvironment(environment, "set by the caller")
    folder = new_run(root)
    job, left_out = _job(observation, folder)
    facts = _facts_in(observation, chosen, level, left_out)
    folder.write_facts(facts)
    name = observation.module or observation.script.name
    notify(f"running {name} in {chosen.title} ({chosen.reason}), sandboxed by {level.level}")
    try:
        run = execute(job, chosen.environment, level, observation.stdin, listener)
    except InterruptedRun as stop:  # what was seen until then is diagnosed
        run = stop.run
    with folder.events.open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(event) + "\n" for event in _events(run))
    folder.write_text("output.txt", _streams(run))
    ended = replace(facts, outcome=_outcome(run), exit_code=run.exit_code, seconds=run.seconds, stopped=run.stopped)
    _close(folder, ended)
    return folder


def _events(run: Run) -> Iterator[Mapping[str, object]]:
    """What the probe wrote; the launcher saw an exception that ended the program even where the probe could not."""
    yield from run.evidence
    if run.exception is not None and all(event.get("event") != "crash" for event in run.evidence):
        yield {"event": "crash", "exception": encode(run.exception)}


def _outcome(run: Run) -> Outcome:
    """A program that ended itself behind the launcher's back (``os._exit``) was not killed: its exit code counts."""
    if run.outcome is Outcome.KILLED and run.exit_code is not None and 0 <= run.exit_code <= 128:
        return Outcome.of_exit_code(run.exit_code)
    return run.outcome


def recording_of(folder: RunFolder) -> Recording:
    """What the probe saw in a run."""
    try:
        with TextIOWrapper(open_inside(folder.path, EVENTS), "utf-8", "replace") as lines:
            return read(short_lines(lines))
    except FileRefused as error:
        if error.reason is Refusal.MISSING:
            return gather(())
        raise


def _probe_path() -> Path:
    return Path(str(files("bugloss.probes") / "observe"))


def probe_files() -> dict[str, Path]:
    """The modules that record a training, by their path in the sandbox."""
    modules = sorted(_probe_path().rglob("*.py"))
    return {f"{PROBE_FOLDER}/{module.relative_to(_probe_path()).as_posix()}": module for module in modules}


def _write_program(folder: RunFolder, observation: Observation) -> Path:
    """What is run of a notebook: its code cells as a program."""
    folder.write_text(_PROGRAM, read_script(observation.script))
    return folder.path / _PROGRAM


def _with_source(observation: Observation, path: str) -> Observation:
    return replace(observation, settings={**observation.settings, "source": path})


def _job(observation: Observation, folder: RunFolder) -> tuple[Job, tuple[str, ...]]:
    """The job, and which files of the script's folder are not part of it."""
    laid_out, skipped = files_of(observation.script, observation.folder)
    if is_notebook(observation.script.name):
        name = f"{PROBE_FOLDER}/{_PROGRAM}"
        laid_out[name] = _write_program(folder, observation)
        observation = _with_source(observation, name)
    laid_out |= probe_files()
    # There is no network: data sets that would be downloaded are generated.
    observation = replace(observation, settings={"stand_ins": True, **observation.settings})
    arguments = (observation.probe_settings(None), *observation.command(observation.entry))
    limits = Limits(wall_seconds=observation.timeout or 600.0)
    job = Job(laid_out, f"{PROBE_FOLDER}/__main__.py", arguments, Settings(seed=observation.seed), limits)
    return job, tuple(f"{shown(one.path)}: {one.reason}" for one in skipped[:_MOST_LEFT_OUT])


def _facts(observation: Observation, python: str) -> RunFacts:
    entry = observation.entry
    return RunFacts(
        script=observation.script.as_posix(),
        folder=str(observation.folder.resolve()),
        arguments=observation.arguments,
        python=python,
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        settings={"budget": observation.budget, "properties": observation.properties, "seed": observation.seed},
        entry=entry if entry != observation.script.name else "",
        module=observation.module,
    )


def _facts_in(
    observation: Observation, chosen: ChosenEnvironment, level: Isolation, left_out: tuple[str, ...]
) -> RunFacts:
    environment = chosen.environment
    # What is layered over an interpreter is found again by that interpreter.
    python = environment.python if environment.stack else chosen.python
    facts = replace(
        _facts(observation, python),
        stack=environment.stack or None,
        left_out=left_out,
        isolation=level,
        added=environment.added,
        reason=chosen.reason,
        notes=chosen.remarks,
    )
    return seal(facts)


def _attend(
    process: subprocess.Popen[bytes], timeout: float | None, watch: Callable[[], None]
) -> tuple[Outcome, int | None]:
    """Waits for the program; Ctrl-C goes to it as well, and it may still tidy up."""
    deadline = None if timeout is None else time.monotonic() + timeout
    while True:
        try:
            code = process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            watch()
            if deadline is not None and time.monotonic() > deadline:
                _stop(process)
                return Outcome.TIMED_OUT, process.returncode
            continue
        except KeyboardInterrupt:
            try:
                process.wait(timeout=10)
            except (subprocess.TimeoutExpired, KeyboardInterrupt):
                _stop(process)
            return Outcome.INTERRUPTED, 130
        return Outcome.of_exit_code(code), code


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _close(folder: RunFolder, facts: RunFacts) -> None:
    recording = recording_of(folder)
    folder.write_facts(replace(facts, outcome=outcome_of(facts.outcome, facts.exit_code, recording)))
    folder.write("environment.json", _environment(facts, recording))
    if recording.crash is not None:
        folder.write("exception.json", encode(recording.crash))


def _environment(facts: RunFacts, recording: Recording) -> dict[str, object]:
    chosen = {"python_path": facts.python, "stack": facts.stack, "added": facts.added, "reason": facts.reason}
    machine = {"platform": sys.platform, "cores": os.cpu_count()}
    return {**chosen, **machine, **(encode(recording.started) if recording.started else {})}


def _streams(run: Run) -> str:
    stopped = f"── stopped by the sandbox: {run.stopped}\n" if run.stopped else ""
    return f"── standard output\n{run.stdout.text}\n── standard error\n{run.stderr.text}\n{stopped}"
