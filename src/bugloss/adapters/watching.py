"""Watching from inside a program: the observing probe, started and stopped by two lines of the user's.

``with bugloss.watch(model, optimizer): …`` records into ``.bugloss/runs/<id>`` like ``bugloss run`` does. A failure to
watch never ends the training; it is said once, on the log.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from bugloss.core.plural import plural
from bugloss.core.run import Outcome
from bugloss.probes.observe import core, crash, imports, runner
from bugloss.record.runs import RunFacts, RunFolder, new_run

log = logging.getLogger(__name__)

ANY = "any"  # PyTorch and Keras, each from the moment it is imported


@dataclass(frozen=True, slots=True)
class WatchedProgram:
    """The file that trains where it is not the script of this process; ``runs`` is the folder that gets ``.bugloss``.

    Recorded paths are relative to ``folder``; ``seal`` marks the run as this user's own.
    """

    script: Path
    folder: Path
    runs: Path | None = None
    seal: Callable[[RunFacts], RunFacts] = lambda facts: facts

    @classmethod
    def of_process(cls) -> WatchedProgram:
        script = Path(sys.argv[0]) if sys.argv and sys.argv[0] else Path("interactive")
        return cls(script, script.resolve().parent)

    @property
    def entry(self) -> str:
        """The script's path below the folder, if not its name."""
        try:
            inside = self.script.resolve().relative_to(self.folder.resolve())
        except ValueError:
            return ""
        return inside.as_posix() if len(inside.parts) > 1 else ""


class Watch:
    """One stretch of training under observation; a context manager, or ``start`` and ``stop`` by hand.

    ``subjects`` are the model and the optimizer that the user names; whatever trains while the watch is on is seen.
    """

    def __init__(
        self,
        *subjects: object,
        budget: float = 0.05,
        properties: bool = False,
        tell: Callable[[RunFolder], None] | None = None,
        program: WatchedProgram | None = None,
    ) -> None:
        self.subjects = subjects
        self.budget = budget
        self.properties = properties
        self.folder: RunFolder | None = None
        self.probe: Any = None
        self._recorder: Any = None
        self._facts: RunFacts | None = None
        self._began = 0.0
        self._tell = tell
        self._program = program or WatchedProgram.of_process()

    def start(self, framework: str = "") -> Watch:
        """Begins to watch; a second call does nothing."""
        if self._recorder is not None:
            return self
        try:
            self._start(framework or _framework_of(self.subjects))
        except Exception as error:  # the user's training must go on, whatever is wrong with us
            log.warning("bugloss cannot observe: %s: %s", type(error).__name__, error)
        return self

    def _start(self, framework: str) -> None:
        program = self._program
        self.folder = new_run(program.runs)
        self._began = time.monotonic()
        facts = RunFacts(
            script=program.script.as_posix(),
            folder=str(program.folder),
            arguments=tuple(sys.argv[1:]),
            python=sys.executable,
            started_at=datetime.now(UTC).isoformat(timespec="seconds"),
            settings={"budget": self.budget, "watch": True},
            entry=program.entry,
        )
        self._facts = program.seal(facts)
        self.folder.write_facts(self._facts)
        settings = {"properties": self.properties}
        self._recorder = core.Recorder(str(self.folder.events), self.budget, settings, self._facts.folder)
        if framework == ANY:
            self._join_when_imported(self._recorder)
        else:
            self.probe = core.neighbour(f"{framework}.probe").join(self._recorder)
        self.introduce(*self.subjects)

    def _join_when_imported(self, recorder: Any) -> None:
        joined: set[str] = set()
        for framework, probe in runner.PROBES.items():
            undo = imports.watch_import(framework, runner.joining(recorder, probe, joined))
            recorder.closers.append(undo)

    def introduce(self, *subjects: object) -> None:
        """Names what was made before the watch began, so that parts of a model are known to belong together."""
        meet = getattr(self.probe, "introduce", None)
        if self._recorder is None or meet is None:
            return
        for subject in subjects:
            with self._recorder.guard("the previous state"):
                meet(subject)

    def stop(self, error: BaseException | None = None) -> RunFolder | None:
        """Takes every hook off and closes the recording; a second call does nothing."""
        recorder, self._recorder = self._recorder, None
        if recorder is None or self.folder is None or self._facts is None:
            return self.folder
        try:
            self._finish(recorder, error)
        except Exception as problem:
            log.warning("bugloss cannot finish its recording: %s: %s", type(problem).__name__, problem)
        return self.folder

    def _finish(self, recorder: Any, error: BaseException | None) -> None:
        from dataclasses import replace

        assert self.folder is not None
        assert self._facts is not None
        if error is not None and not isinstance(error, KeyboardInterrupt | SystemExit):
            report = crash.report(recorder, error, error.__traceback__)
            recorder.emit("crash", **report)
        recorder.close()
        outcome, code = _outcome(error)
        seconds = round(time.monotonic() - self._began, 3)
        self.folder.write_facts(replace(self._facts, outcome=outcome, exit_code=code, seconds=seconds))
        if self._tell is not None:
            self._tell(self.folder)
        else:
            steps = plural(recorder.step, "training step")
            sys.stderr.write(f"bugloss: {steps} recorded; what was found: bugloss diagnose {self.folder.id}\n")

    def __enter__(self) -> Watch:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop(error)


def _outcome(error: BaseException | None) -> tuple[Outcome, int | None]:
    """How the stretch of training ended, and the exit code where the program is about to end with it."""
    if error is None:
        return Outcome.FINISHED, None
    if isinstance(error, SystemExit):
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
        return (Outcome.EXITED, code) if code else (Outcome.FINISHED, 0)
    return (Outcome.INTERRUPTED if isinstance(error, KeyboardInterrupt) else Outcome.RAISED), None


def _framework_of(subjects: tuple[object, ...]) -> str:
    """torch or keras, by what was handed in, else by what has been imported, else what will be."""
    roots = {base.__module__.split(".")[0] for subject in subjects for base in type(subject).__mro__}
    if "torch" in roots and "keras" not in roots:
        return "torch"
    if roots & {"keras", "tensorflow"}:
        return "keras"
    return "torch" if "torch" in sys.modules else "keras" if "keras" in sys.modules else ANY
