"""Quick answers (``check``, ``triage``, ``lookup``, ``study``): verbs that run nothing, in processes that stay warm.

A process has a limit of memory and answers one question at a time. One that takes too long, or dies, is replaced.
"""

from __future__ import annotations

import json
import queue
import select
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bugloss.core.documents import parse_json
from bugloss.core.errors import BuglossError, EnvironmentFailure
from bugloss.show.api.answering import RequestRefused
from bugloss.show.api.jobs.process import job_variables

_MOST_WAITING = 32  # questions that wait for a free process; more are refused


class AnswerFailed(EnvironmentFailure):
    """A question that could not be answered: it took too long or too much memory."""

    kind = "no-answer"


@dataclass(frozen=True, slots=True)
class VerbAnswer:
    """What a verb said: its exit code and its document."""

    exit_code: int
    document: Mapping[str, Any]


class Answers:
    """A few warm processes."""

    def __init__(self, processes: int, seconds: float, corpus: Path) -> None:
        self._seconds = seconds
        self._free: queue.Queue[_AnswerProcess] = queue.Queue()
        self._all = [_AnswerProcess(corpus) for _ in range(processes)]
        self._waiting = threading.Semaphore(_MOST_WAITING)
        for process in self._all:
            self._free.put(process)

    def warm_up(self) -> None:
        """Starts the processes, so that the first question need not wait."""
        for process in self._all:
            process.start()

    def ask(self, words: Sequence[str], files: Mapping[str, str]) -> VerbAnswer:
        """The document of ``bugloss WORDS --json`` in a folder with these files; its errors are raised."""
        if not self._waiting.acquire(blocking=False):
            raise RequestRefused(429, "too many questions wait for an answer.", headers={"Retry-After": "2"})
        try:
            process = self._free.get(timeout=self._seconds)
        except queue.Empty:
            raise AnswerFailed("the server is too busy.", hint="Try again in a few seconds.") from None
        finally:
            self._waiting.release()
        try:
            answer = process.ask(words, files, self._seconds)
        finally:
            self._free.put(process)
        if answer.document.get("schema") == "bugloss.error/1":
            raise _as_error(answer.document)
        return answer

    def stop(self) -> None:
        for process in self._all:
            process.stop()


def _as_error(document: Mapping[str, Any]) -> BuglossError:
    kind = str(document.get("error"))
    message, hint = str(document.get("message")), str(document.get("hint"))
    error: BuglossError
    if kind == "missing-extra":
        error = RequestRefused(501, message, hint=hint)
    elif kind in {"environment", "internal", "cache-unusable", "offline"}:
        error = EnvironmentFailure(message, hint=hint)
    else:
        error = BuglossError(message, hint=hint)
    error.kind = kind
    return error


class _AnswerProcess:
    """One process: a line of JSON in, a line of JSON out."""

    def __init__(self, corpus: Path) -> None:
        self._corpus = corpus
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def start(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._close()
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "bugloss.show.api.answer_process"],
                    env=job_variables(self._corpus),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            return self._process

    def ask(self, words: Sequence[str], files: Mapping[str, str], seconds: float) -> VerbAnswer:
        process = self.start()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps({"words": list(words), "files": dict(files)}).encode() + b"\n")
            process.stdin.flush()
            code, text = parse_json(self._line(process, seconds))
            document = parse_json(text)
        except (OSError, ValueError) as error:
            self.stop()
            raise AnswerFailed(f"there is no answer after {seconds:g} s.", hint="Send a shorter text.") from error
        return VerbAnswer(int(code), document if isinstance(document, dict) else {})

    def _line(self, process: subprocess.Popen[bytes], seconds: float) -> str:
        assert process.stdout is not None
        end, received = time.monotonic() + seconds, bytearray()
        while not received.endswith(b"\n"):
            ready, _, _ = select.select([process.stdout], [], [], max(end - time.monotonic(), 0))
            block = process.stdout.read1() if ready else b""  # type: ignore[attr-defined]
            if not block:
                raise ValueError("no whole line")
            received += block
        return received.decode()

    def stop(self) -> None:
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        self._process = None
