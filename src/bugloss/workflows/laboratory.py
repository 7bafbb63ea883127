"""Runs reported programs in a stack, sandboxed: in a session that has the framework loaded, or each on its own."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from bugloss.core.codec import decode
from bugloss.core.errors import InvalidInput
from bugloss.core.run import Isolation, Limits, Outcome, RaisedException, Run, Settings, Stream
from bugloss.run.environment import Environment
from bugloss.run.execute import Job, execute
from bugloss.run.sandbox import Excess
from bugloss.run.sandbox.scratch import scratch_folder
from bugloss.run.session import Session

SCRIPT = "repro.py"
_BESIDE = "beside"
_LOADING_SECONDS = 60.0
_MEMORY = ("can't allocate memory", "std::bad_alloc", "unable to allocate", "cannot allocate memory")


@dataclass(slots=True)
class Sandboxed:
    """A laboratory over one environment. ``preload`` is loaded once; what is tried runs in children of that process."""

    environment: Environment
    isolation: Isolation | None = None
    seconds: float = 30.0
    preload: tuple[str, ...] = ()
    jobs: int = 1
    at_once: int = 3
    script: str = SCRIPT
    beside: Path | None = None  # a folder of ours whose files lie beside every program
    session: Session = field(init=False)
    _served: int = field(default=0, init=False)  # programs that the session has run so far

    def __post_init__(self) -> None:
        probes = files("bugloss.probes")
        laid_out = {name: Path(str(probes / name)) for name in ("variants.py", "leftovers.py", "launch.py")}
        laid_out |= {f"{_BESIDE}/{name}": path for name, path in self._files_beside().items()}
        self.session = Session(self.environment, laid_out, "variants.py", self.preload, self.limits, self.isolation)

    def __enter__(self) -> Sandboxed:
        return self

    def __exit__(self, *_: object) -> None:
        self.session.close()

    @property
    def limits(self) -> Limits:
        return Limits(wall_seconds=self.seconds)

    def _files_beside(self) -> dict[str, Path]:
        """What lies beside a program, by its name there."""
        if self.beside is None:
            return {}
        return {path.relative_to(self.beside).as_posix(): path for path in self.beside.rglob("*") if path.is_file()}

    def run(self, texts: Sequence[str]) -> list[Run]:
        """How each program ended, in the session."""
        return [self._variant(text) for text in texts]

    def confirm(self, texts: Sequence[str], seeds: Sequence[int]) -> list[Run]:
        """How each program ended: the first in a process that loads everything again, the others in the session."""
        with ThreadPoolExecutor(1) as pool:
            first = pool.submit(self.alone, texts[0], seeds[0])
            if self.jobs < 2:
                wait([first])
            others = self.run(texts[1:])
            return [first.result(), *others]

    def alone(self, text: str, seed: int) -> Run:
        """How a program ended in a process and a folder of its own."""
        with scratch_folder() as scratch:
            path = scratch / SCRIPT
            path.write_text(text, encoding="utf-8", errors="replace")
            # Loading the libraries is not the program's fault, and fresh processes load them anew.
            limits = Limits(wall_seconds=self.seconds + _LOADING_SECONDS / 2)
            job = Job({**self._files_beside(), SCRIPT: path}, SCRIPT, settings=Settings(seed=seed), limits=limits)
            return execute(job, self.environment, self.isolation)

    def _answer(self, text: str) -> Mapping[str, object] | None:
        """What became of a program. A session may have died of what ran in it before: then a new one is asked."""
        had_others = self._served > 0
        answer = self._asked(text)
        return self._asked(text) if answer is None and had_others else answer

    def _asked(self, text: str) -> Mapping[str, object] | None:
        """The answer of the session; None where it died or the answer is not its own, and then it is closed."""
        token = secrets.token_hex(16)
        # At the other levels files are those of the machine; only our own scratch folders are cleared.
        whole = "read-only system" in self.session.level.guarantees
        files = {SCRIPT: text.encode("utf-8", "replace").decode()}
        request = {"files": files, "script": SCRIPT, "seconds": self.seconds}
        request |= {"base": _BESIDE} if self.beside is not None else {}
        answer = self.session.ask({**request, "token": token, "whole": whole}, self.seconds + _LOADING_SECONDS)
        if answer is None or answer.get("token") != token or answer.get("spent"):
            self.session.close()
            self._served = 0
            return answer if answer is not None and answer.get("token") == token else None
        self._served += 1
        return answer

    def _variant(self, text: str) -> Run:
        started = datetime.now(UTC)
        answer = self._answer(text)
        exception = _exception(answer) if answer is not None else None
        stopped = self.session.stopped if answer is None else None
        code = answer.get("code") if answer is not None else None
        seconds = answer.get("seconds") if answer is not None else None
        return Run(
            command=(self.environment.python, SCRIPT),
            outcome=_outcome(answer, exception, stopped),
            exit_code=code if isinstance(code, int) else None,
            seconds=float(seconds) if isinstance(seconds, int | float) else 0.0,
            peak_megabytes=None,
            exception=exception,
            evidence=(),
            stdout=Stream(str(answer.get("stdout", "")) if answer is not None else ""),
            stderr=Stream(str(answer.get("stderr", "")) if answer is not None else ""),
            settings=Settings(),
            limits=self.limits,
            isolation=self.session.level,
            environment=self.environment.digest,
            python=self.environment.python_version,
            started_at=started.isoformat(timespec="seconds"),
            stopped=stopped.words if stopped is not None else None,
        )


def _exception(answer: Mapping[str, object]) -> RaisedException | None:
    if answer.get("exception") is not None:
        with suppress(InvalidInput):  # the program shares a process with what describes its exception
            return decode(RaisedException, answer["exception"])
    return None


def _outcome(answer: Mapping[str, object] | None, exception: RaisedException | None, stopped: Excess | None) -> Outcome:
    if answer is None:
        return Outcome.OUT_OF_MEMORY if stopped is not None and stopped.memory else Outcome.KILLED
    if answer.get("timed_out"):
        return Outcome.TIMED_OUT
    words = exception.message.lower() if exception is not None else str(answer.get("stderr", ""))[-2000:].lower()
    ran_out = any(part in words for part in _MEMORY) and (exception is not None or not answer.get("ended"))
    if ran_out or (exception is not None and exception.is_a("MemoryError")):
        return Outcome.OUT_OF_MEMORY
    if not answer.get("ended"):
        return Outcome.KILLED
    if exception is not None:
        return Outcome.RAISED
    return Outcome.FINISHED if answer.get("code") == 0 else Outcome.EXITED
