"""Runs one job after another in forks of a sandboxed process that has loaded the framework already.

Every job gets what ``execute`` gives it: its own processes, a channel of its own to a supervisor that loads no
framework, the same files in the same empty folder, variables and limits. Before the next job everything that the last
one left is removed (``probes/leftovers.py``), or the sandbox is replaced. A program that did not come to an end by
itself has no run here; ``execute`` has to be asked.
"""

from __future__ import annotations

import array
import json
import os
import secrets
import select
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from types import TracebackType
from typing import IO

from bugloss.core.documents import parse_json
from bugloss.core.run import Isolation, Limits, Run, Settings
from bugloss.run import execute, sandbox
from bugloss.run.channel import Channel
from bugloss.run.environment import Environment
from bugloss.run.streams import HeadAndTail

_SUPERVISOR, _PARENT = "fork_supervisor.py", "preloaded.py"
_JUDGES = ("oracle",)  # probes that a job may ask for
_PROBES = ("fork_supervisor", "preloaded", "leftovers", *_JUDGES)
_MOST_FAILURES = 2  # in a row, to load the modules or to keep the sandbox alive; then every job gets a new process
_LOADING_SECONDS = 120.0  # that a framework may take to load on a busy machine; the slowest takes ten when idle
_LONGEST_LINE = 2**20


@dataclass(slots=True)
class PreloadedSandbox:
    """A sandbox for jobs of one environment; the modules are loaded when the first job comes."""

    environment: Environment
    modules: tuple[str, ...]
    isolation: Isolation
    limits: Limits = field(default_factory=Limits)
    failures: int = 0  # how often in a row the sandbox could not be started or died
    loadings: int = 0  # how often the modules were loaded: once, and again after each replacement
    _stack: ExitStack = field(default_factory=ExitStack)
    _process: subprocess.Popen[bytes] | None = None
    _control: socket.socket | None = None
    _room: sandbox.Room | None = None
    _state: Mapping[str, object] = field(default_factory=dict)

    def __enter__(self) -> PreloadedSandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self, job: execute.Job) -> Run | None:
        """The run of a job; None where only a new process gives one."""
        if self.failures >= _MOST_FAILURES or not self._is_usual(job):
            return None
        try:
            if not self._is_ready():
                self.failures += 1
                return None
            return self._run(job) if self._can_fork(job) else None
        except (OSError, ValueError):
            self.failures += 1
            self.close()
            return None

    def close(self) -> None:
        """Kills the sandbox and removes what it left."""
        if self._process is not None:
            execute.kill(self._process)
            self._process = None
        if self._control is not None:
            self._control.close()
            self._control = None
        self._stack.close()

    def _is_usual(self, job: execute.Job) -> bool:
        """Whether the job differs in nothing that a process gets when it starts."""
        limits = replace(job.limits, wall_seconds=self.limits.wall_seconds)
        settings = replace(job.settings, seed=Settings().seed)
        return limits == self.limits and settings == Settings() and set(job.probes) <= set(_JUDGES)

    def _is_ready(self) -> bool:
        if self._process is not None and self._process.poll() is None:
            return True
        self.close()
        self._start()
        answer = self._line(time.monotonic() + _LOADING_SECONDS)
        self.loadings += 1
        if answer is None:
            self.close()
            return False
        self._state = answer
        return True

    def _can_fork(self, job: execute.Job) -> bool:
        """Threads and writable memory would be shared by a fork, or be missing; a program's own modules come first."""
        state = self._state
        if state.get("failed") or state.get("threads") != 1 or state.get("shared") or state.get("open"):
            return False
        loaded = state.get("loaded")
        own = {PurePosixPath(name).parts[0].removesuffix(".py") for name in job.files}
        return isinstance(loaded, list) and own.isdisjoint(loaded)

    def _start(self) -> None:
        room = self._stack.enter_context(execute.scratch_room(self.environment))
        self._control, theirs = socket.socketpair()
        execute.lay_out(execute.Job({}, "", probes=_PROBES), room)
        supervisor, parent = (sandbox.inside(room.home / name, room, self.isolation) for name in (_SUPERVISOR, _PARENT))
        python = self.environment.python
        command = [python, "-I", "-S", supervisor, str(theirs.fileno()), python, parent, *self.modules]
        variables = execute.variables_for(Settings(), self.environment, room, self.isolation)
        wrapped = sandbox.wrap(command, room, self.isolation, self.limits)
        nothing = subprocess.DEVNULL
        with theirs:
            self._process = execute.start_program(
                wrapped, variables, room, nothing, nothing, nothing, (theirs.fileno(),)
            )
        self._room = room

    def _run(self, job: execute.Job) -> Run | None:
        assert self._process is not None and self._room is not None
        started, begin = datetime.now(UTC), time.monotonic()
        out, err = HeadAndTail(), HeadAndTail()
        with Channel({"load": job.probes, "installed": job.installed}) as channel:
            streams = self._send(job, channel)
            reading = {streams[0]: out, streams[1]: err}
            attendant = execute.attend(self._process, reading, self._room, self.isolation, self.limits)
            answer: Mapping[str, object] | None = None
            try:
                answer = self._line(begin + job.limits.wall_seconds)
            finally:
                if answer is None or answer.get("spent") is not False:
                    execute.kill(self._process)
                stopped = attendant.leave()
            said = channel.account()
        seconds = time.monotonic() - begin
        if answer is None or said.end is None:
            has_time_left = seconds < job.limits.wall_seconds
            self.failures += has_time_left and stopped is None  # else it was the program
            return None
        self.failures = 0
        code = said.end.code if said.end.code >= 0 else 128 - said.end.code
        ended = execute.Ended(code, seconds, out.stream(), err.stream(), stopped)
        command = (self.environment.python, "launch.py", job.script, *job.arguments)
        job = replace(job, subject={**job.subject, "process": "forked"})
        run = execute.record_run(job, self.environment, self.isolation, command, started, ended, said)
        return run if run.outcome.came_to_an_end else None

    def _send(self, job: execute.Job, channel: Channel) -> tuple[IO[bytes], IO[bytes]]:
        """Hands over the files and the descriptors; what the program prints is then read from what is returned."""
        assert self._control is not None
        contents = {name: execute.read_source(source) for name, source in job.files.items()}
        request = {
            "files": [(name, len(content)) for name, content in contents.items()],
            "script": job.script,
            "arguments": job.arguments,
            "variables": {"BUGLOSS_SEED": str(job.settings.seed)},
            "token": secrets.token_hex(8),
        }
        line = json.dumps(request).encode() + b"\n"
        with ExitStack() as ends, ExitStack() as kept:
            (out, theirs_out), (err, theirs_err) = _pipe(kept, ends), _pipe(kept, ends)
            given = array.array("i", [channel.inner, theirs_out.fileno(), theirs_err.fileno()])
            try:
                self._control.sendmsg([line[:1]], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, given)])
                self._control.sendall(line[1:] + b"".join(contents.values()))
            finally:
                channel.listen()
            kept.pop_all()
        return out, err

    def _line(self, deadline: float) -> dict[str, object] | None:
        """The next line of the supervisor; None where it died or none came in time."""
        assert self._control is not None
        text = b""
        while not text.endswith(b"\n"):
            if not _readable(self._control, deadline) or len(text) > _LONGEST_LINE:
                return None
            part = b""
            with suppress(OSError):
                part = self._control.recv(65536)
            if not part:
                return None
            text += part
        answer = parse_json(text)
        return answer if isinstance(answer, dict) else None


def _pipe(readers: ExitStack, writers: ExitStack) -> tuple[IO[bytes], IO[bytes]]:
    """Both ends of a new pipe, each closed with its stack."""
    read, write = os.pipe()
    return readers.enter_context(os.fdopen(read, "rb", 0)), writers.enter_context(os.fdopen(write, "wb", 0))


def _readable(control: socket.socket, deadline: float) -> bool:
    return bool(select.select([control], [], [], max(0.0, deadline - time.monotonic()))[0])
