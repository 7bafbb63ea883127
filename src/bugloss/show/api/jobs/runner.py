"""Runs the jobs of the queue: a limited number at once, each in a process, each under a lease that is renewed."""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import socket
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from pydantic import ValidationError

from bugloss.core.documents import parse_json
from bugloss.core.errors import BuglossError, EnvironmentFailure
from bugloss.record.store.job import JobOutcome, JobRecord, JobState
from bugloss.record.store.job_queue import JobQueue, Lease
from bugloss.show.api.jobs.process import JobFiles
from bugloss.show.api.jobs.requests import JobRequest, read_request

_log = logging.getLogger(__name__)

LEASE_SECONDS = 15.0  # a job whose server was killed waits this long; renewing costs one write in three seconds
_RENEW_SECONDS = 3.0
_LOOK_SECONDS = 1.0  # how long another server's job may wait for a free place here
_TELL_SECONDS = 0.3  # how old a line of progress may be when a page sees it

AfterJob = Callable[[JobRecord, Path], None]
Inputs = Callable[[JobRequest], JobFiles]


class RunningJob(Protocol):
    """The process of a job, here or on a worker."""

    def wait(self, seconds: float) -> int | None: ...
    def new_lines(self) -> list[str]: ...
    def document(self) -> str: ...
    def stop(self) -> None: ...


Begin = Callable[[Sequence[str], Path, JobFiles], RunningJob]


class JobRunner:
    """Takes jobs from the queue while it runs.

    ``inputs`` gives the files that a job starts with, ``begin`` starts a command with them in a folder; ``after`` is
    called with each job that is done, and its folder.
    """

    def __init__(
        self, queue: JobQueue, folder: Path, at_once: int, inputs: Inputs, begin: Begin, after: AfterJob
    ) -> None:
        self.owner = f"{_host()}:{os.getpid()}:{secrets.token_hex(4)}"
        self._queue = queue
        self._folder = folder
        self._at_once = at_once
        self._inputs = inputs
        self._begin = begin
        self._after = after
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._running: set[threading.Thread] = set()
        self._dispatcher: threading.Thread | None = None

    def start(self) -> None:
        self._dispatcher = threading.Thread(target=self._dispatch, name="job dispatcher", daemon=True)
        self._dispatcher.start()

    def wake(self) -> None:
        """Looks at the queue now: a job was added."""
        self._wake.set()

    def stop(self) -> None:
        """Ends the processes; their jobs return to the queue."""
        self._stopping.set()
        self._wake.set()
        for thread in [*([self._dispatcher] if self._dispatcher else []), *self._running]:
            thread.join(20)

    def _dispatch(self) -> None:
        try:
            self._queue.expire(_is_gone)
        except BuglossError as error:
            _log.warning("the queue cannot be read: %s", error.message)
        while not self._stopping.is_set():
            self._running = {thread for thread in self._running if thread.is_alive()}
            try:
                job = self._queue.claim(self.owner, LEASE_SECONDS) if len(self._running) < self._at_once else None
            except BuglossError as error:
                _log.warning("the queue cannot be read: %s", error.message)
                job = None
            if job is None:
                self._wake.wait(_LOOK_SECONDS)
                self._wake.clear()
                continue
            thread = threading.Thread(target=self._run, args=(job,), name=f"job {job.id}", daemon=True)
            self._running.add(thread)
            thread.start()

    def _run(self, job: JobRecord) -> None:
        _log.info("job %s started: %s %s, attempt %d", job.id, job.verb, job.subject, job.attempt)
        try:
            self._attend(job)
        except BuglossError as error:
            self._finish(job, _failed(error.kind, error.message, error.hint))
        except Exception:  # a fault of ours must not leave the job running for ever
            _log.exception("job %s failed in the server", job.id)
            self._finish(job, _failed("internal", "bugloss itself failed; the server's log has the details."))
        finally:
            self._wake.set()

    def folder(self, job: JobRecord) -> Path:
        """The folder of a job; one that was started again begins with an empty one."""
        return self._folder / job.id

    def _attend(self, job: JobRecord) -> None:
        request = _checked(job)
        folder = self.folder(job)
        shutil.rmtree(folder, ignore_errors=True)
        process = self._begin(request.command(), folder, self._inputs(request))
        try:
            outcome = self._wait(job, process)
        finally:
            process.stop()
        if outcome is not None and self._finish(job, outcome) and outcome.state is JobState.DONE:
            self._after(self._queue.get(job.id), folder)

    def _wait(self, job: JobRecord, process: RunningJob) -> JobOutcome | None:
        """How the process ended; None if the job is no longer this server's."""
        end, renewed = time.monotonic() + job.time_limit, time.monotonic()
        while True:
            code = process.wait(_TELL_SECONDS)
            lines, now = process.new_lines(), time.monotonic()
            if code is None and not lines and now - renewed < _RENEW_SECONDS and not self._stopping.is_set():
                continue
            renewed = now
            lease = self._queue.renew(job, self.owner, LEASE_SECONDS, lines)
            if lease is Lease.LOST:
                _log.warning("job %s was taken over by another server", job.id)
                return None
            if code is not None:
                return _outcome(code, process.document())
            if lease is Lease.CANCELLED:
                return JobOutcome(JobState.CANCELLED)
            if self._stopping.is_set():
                process.stop()
                self._queue.give_back(job, self.owner)
                return None
            if now > end:
                return _failed("time-limit", f"the job took longer than {job.time_limit:.0f} s and was stopped.")

    def _finish(self, job: JobRecord, outcome: JobOutcome) -> bool:
        try:
            held = self._queue.finish(job, self.owner, outcome)
        except BuglossError as error:  # the lease runs out, and the job is started again
            _log.warning("the outcome of job %s could not be stored: %s", job.id, error.message)
            return False
        _log.info("job %s ended: %s", job.id, outcome.state.value if held else "not recorded, the lease was lost")
        return held


def _host() -> str:
    return socket.gethostname().replace(":", "")[:40]


def _is_gone(owner: str) -> bool:
    """Whether the owner of a lease was a process of this machine that has ended."""
    host, _, rest = owner.partition(":")
    number = rest.partition(":")[0]
    if host != _host() or not number.isdigit():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _checked(job: JobRecord) -> JobRequest:
    try:
        return read_request(job.verb, job.request)
    except ValidationError as error:
        message = f"the stored request cannot be used: {error.errors()[0]['msg']}."
        raise EnvironmentFailure(message, hint="Submit the job again.") from error


def _outcome(code: int, text: str) -> JobOutcome:
    """A verb has done its work if it wrote its document; an error document says why it could not."""
    try:
        document = parse_json(text)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        said = f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return _failed("internal", f"the process {said} and wrote no document.", code=code)
    if document.get("schema") == "bugloss.error/1":
        return JobOutcome(JobState.FAILED, code, error=document)
    return JobOutcome(JobState.DONE, code, result=text)


def _failed(kind: str, message: str, hint: str = "", code: int | None = None) -> JobOutcome:
    error = {"schema": "bugloss.error/1", "error": kind, "message": message, "hint": hint}
    return JobOutcome(JobState.FAILED, code, error=error)
