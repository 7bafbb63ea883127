"""A program that stays alive in the sandbox and answers requests: loading a framework is paid for once.

Requests and answers are lines of JSON over the program's standard input and output. Whatever goes wrong in there, a
request ends in an answer or in None, and the session can be opened again.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from bugloss.core.documents import parse_json
from bugloss.core.foreign_file import ForeignFile
from bugloss.core.run import Isolation, Limits, Settings
from bugloss.run import execute, sandbox
from bugloss.run.attendant import Attendant
from bugloss.run.environment import Environment
from bugloss.run.streams import HeadAndTail


@dataclass(slots=True)
class Session:
    """One long-lived program: ``files`` are laid out, ``script`` is started with ``arguments`` at the first request."""

    environment: Environment
    files: Mapping[str, Path | ForeignFile]
    script: str
    arguments: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    isolation: Isolation | None = None
    longest_answer: int = 4_000_000  # bytes
    stopped: sandbox.Excess | None = None  # the limit at which the program was stopped last
    _stack: ExitStack = field(default_factory=ExitStack)
    _process: subprocess.Popen[bytes] | None = None
    _attendant: Attendant | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def level(self) -> Isolation:
        """How well the program is sandboxed."""
        if self.isolation is None:
            self.isolation = sandbox.isolation()
        return self.isolation

    def ask(self, request: Mapping[str, object], seconds: float) -> dict[str, object] | None:
        """The answer to a request; None when the program died or did not answer in time, and then it is gone."""
        self.stopped = None
        process = self._running()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            answer = self._answer(process, time.monotonic() + seconds)
        except (OSError, ValueError):
            answer = None
        if answer is None:
            self.close()
        return answer

    def close(self) -> None:
        """Kills the program and removes what it left."""
        if self._process is not None:
            execute.kill(self._process)
            if self._attendant is not None:
                self.stopped = self._attendant.leave() or self.stopped
                self._attendant = None
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()
            self._process = None
        self._stack.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = self._start()
        return self._process

    def _start(self) -> subprocess.Popen[bytes]:
        room = self._stack.enter_context(execute.scratch_room(self.environment))
        job = execute.Job(self.files, self.script, self.arguments, Settings(), self.limits)
        execute.lay_out(job, room)
        # Nobody asks how this program ends, so it needs no supervisor: what it answers about others is what counts.
        launcher = sandbox.inside(room.home / "launch.py", room, self.level)
        command = [self.environment.python, launcher, self.script, *self.arguments]
        variables = execute.variables_for(job.settings, self.environment, room, self.level)
        wrapped = sandbox.wrap(command, room, self.level, self.limits)
        process = execute.start_program(wrapped, variables, room, subprocess.PIPE, subprocess.PIPE, subprocess.PIPE)
        assert process.stderr is not None
        self._attendant = execute.attend(process, {process.stderr: HeadAndTail()}, room, self.level, self.limits)
        return process

    def _answer(self, process: subprocess.Popen[bytes], deadline: float) -> dict[str, object] | None:
        """The next line, read as it comes."""
        assert process.stdout is not None
        line = b""
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                left = deadline - time.monotonic()
                if left <= 0 or len(line) > self.longest_answer or not selector.select(left):
                    return None
                part = os.read(process.stdout.fileno(), 65536)
                if not part:
                    return None
                line += part
        try:
            answer = parse_json(line)
        except ValueError:  # a candidate found the pipe and wrote to it
            return None
        return answer if isinstance(answer, dict) else None
