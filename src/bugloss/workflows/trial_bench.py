"""Variants of one program, run observed and sandboxed, in sessions that have its framework loaded.

The program's files are in the sandbox once; a variant is the texts that differ. What a run says is judged elsewhere.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from queue import LifoQueue
from typing import Protocol

from bugloss.core.failed_plugin import FailedPlugin
from bugloss.core.foreign_file import ForeignFile
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.core.run import Isolation, Limits, Outcome
from bugloss.observe.contract import Detector
from bugloss.observe.detection import detect
from bugloss.observe.recording import Recording, read
from bugloss.repair.ladder.observed import ObservedRun
from bugloss.run.environment import Environment
from bugloss.run.session import Session
from bugloss.workflows.ending import outcome_of
from bugloss.workflows.observation import probe_files

PROGRAM_FOLDER = "program"
_LOADING_SECONDS = 90.0  # that a session may take to load a framework on a busy machine
_GRACE = 10.0  # between the deadline that the probe keeps and the end by force
_LONGEST_ANSWER = 40_000_000
_CHOOSES_BACKEND = ("KERAS_BACKEND", "TF_USE_LEGACY_KERAS")  # read while the framework is loaded


@dataclass(frozen=True, slots=True)
class Variant:
    """A program to run: the files that differ from the base, the seed, and how long it may take."""

    changed: Mapping[str, str]
    seed: int
    seconds: float
    properties: bool = False


class TrialRunner(Protocol):
    """Whoever runs variants of a program."""

    def run(self, variants: Sequence[Variant]) -> list[ObservedRun]:
        """How each of them went, in order."""
        ...


@dataclass(frozen=True, slots=True)
class BenchProgram:
    """The program: its files by their path, how it is started, and the modules that its framework is loaded by."""

    files: Mapping[str, Path | ForeignFile]
    command: tuple[str, ...]  # the script, or -m and the module; then the arguments
    preload: tuple[str, ...] = ()


@dataclass(slots=True)
class TrialBench:
    """Runs variants in ``jobs`` sessions at once."""

    program: BenchProgram
    environment: Environment
    isolation: Isolation
    jobs: int = 1
    longest: float = 120.0  # seconds of one run
    runs: int = 0
    _stack: ExitStack = field(default_factory=ExitStack)
    _idle: LifoQueue[Session] = field(default_factory=LifoQueue)  # the one that ran last has its framework loaded
    _detectors: tuple[Detector, ...] = ()
    _sessions: list[Session] = field(default_factory=list)
    _stopped: bool = False

    def __enter__(self) -> TrialBench:
        self._detectors = tuple(load(PluginGroup.DETECTOR, Detector).values())
        self._sessions = [self._stack.enter_context(self._session()) for _ in range(self.jobs)]
        for session in self._sessions:
            self._idle.put(session)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def run(self, variants: Sequence[Variant]) -> list[ObservedRun]:
        """How each of them went, in order; as many at once as there are sessions."""
        if len(variants) < 2 or self.jobs < 2:
            return [self._run(variant) for variant in variants]
        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                return list(pool.map(self._run, variants))
            except BaseException:  # Ctrl-C: what waits for an answer gets none
                self._stop()
                raise

    def _stop(self) -> None:
        self._stopped = True
        for session in self._sessions:
            session.close()

    def _session(self) -> Session:
        probes = Path(str(files("bugloss.probes")))
        laid_out: dict[str, Path | ForeignFile] = {
            name: probes / name for name in ("variants.py", "leftovers.py", "launch.py")
        }
        laid_out |= probe_files()
        laid_out |= {f"{PROGRAM_FOLDER}/{name}": source for name, source in self.program.files.items()}
        limits = Limits(wall_seconds=self.longest)
        return Session(
            self.environment, laid_out, "variants.py", self.program.preload, limits, self.isolation, _LONGEST_ANSWER
        )

    def _run(self, variant: Variant) -> ObservedRun:
        session = self._idle.get()
        try:
            # A session may have died of what ran in it before: then a new one is asked.
            answer = self._asked(session, variant) or (None if self._stopped else self._asked(session, variant))
        finally:
            self._idle.put(session)
        self.runs += 1
        return self._observed(answer)

    def _asked(self, session: Session, variant: Variant) -> Mapping[str, object] | None:
        token = secrets.token_hex(16)
        settings = {
            "seed": variant.seed,
            "deadline": variant.seconds,
            "properties": variant.properties,
            "stand_ins": True,
        }
        request = {
            "files": dict(variant.changed),
            "base": PROGRAM_FOLDER,
            "observe": settings,
            "command": self.program.command,
            "seconds": variant.seconds + _GRACE,
            "token": token,
            "whole": "read-only system" in session.level.guarantees,
        }
        answer = session.ask(request, variant.seconds + _GRACE + _LOADING_SECONDS)
        if answer is None or answer.get("token") != token or answer.get("spent"):
            session.close()
        return answer if answer is not None and answer.get("token") == token else None

    def _observed(self, answer: Mapping[str, object] | None) -> ObservedRun:
        if answer is None:
            return ObservedRun(Recording(), Outcome.KILLED)
        recording = read(str(answer.get("events", "")).splitlines())
        failed: list[FailedPlugin] = []
        symptoms = detect(recording, self._detectors, failed.append)
        seconds = answer.get("seconds")
        return ObservedRun(
            recording,
            _outcome(answer, recording),
            float(seconds) if isinstance(seconds, int | float) else 0.0,
            symptoms,
            tuple(one.plugin for one in failed),
        )


def _outcome(answer: Mapping[str, object], recording: Recording) -> Outcome:
    if answer.get("timed_out"):
        return Outcome.TIMED_OUT
    code = answer.get("code")
    if not answer.get("ended") or not isinstance(code, int):
        return Outcome.KILLED
    return outcome_of(Outcome.of_exit_code(code), code, recording)


def preload_for(texts: Iterable[str], framework: str) -> tuple[str, ...]:
    """What to load once for all variants: nothing that the program chooses itself while it loads."""
    if framework == "torch":
        return ("numpy", "torch", "torch._dynamo")
    if framework not in {"keras", "tensorflow"} or any(word in text for text in texts for word in _CHOOSES_BACKEND):
        return ("numpy",)
    return ("numpy", "tensorflow", "keras") if framework == "tensorflow" else ("numpy", "keras")
