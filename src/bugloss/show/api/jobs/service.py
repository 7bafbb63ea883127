"""What routes and pages do with jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bugloss.core.errors import BuglossError, SandboxUnavailable
from bugloss.record.store.job import JobEvent, JobRecord, JobState
from bugloss.record.store.job_queue import JobQueue
from bugloss.run.sandbox import works
from bugloss.show.api.jobs.requests import JobRequest, LocalizeJob, read_request
from bugloss.show.api.jobs.runner import JobRunner
from bugloss.show.api.settings import ServerSettings


class RunsForbidden(BuglossError):
    """The server was started without permission to run programs."""

    kind = "runs-forbidden"


class Jobs:
    """Submit, watch and cancel jobs."""

    def __init__(self, queue: JobQueue, runner: JobRunner, settings: ServerSettings) -> None:
        self._queue = queue
        self._runner = runner
        self._settings = settings

    def submit(self, request: JobRequest, created_by: str = "") -> JobRecord:
        """Queues a request, unless this server may not run it."""
        self.allow(request)
        stored = request.at(self._settings.repositories) if isinstance(request, LocalizeJob) else request
        limits = self._settings.limits
        job = self._queue.submit(
            request.verb,
            request.subject,
            stored.model_dump(mode="json"),
            created_by=created_by,
            time_limit=limits.job_seconds,
            most_queued=limits.jobs_waiting,
        )
        self._runner.wake()
        return job

    def submit_data(self, verb: str, data: Mapping[str, object], created_by: str = "") -> JobRecord:
        """The same for a request as plain data, such as that of a form."""
        return self.submit(read_request(verb, data), created_by)

    def allow(self, request: JobRequest) -> None:
        """Refuses what this server may not run."""
        if not request.runs_programs:
            return
        if not self._settings.allow_run:
            hint = "Start it without --no-run to allow this."
            raise RunsForbidden("this server does not run programs.", hint=hint)
        if not works("bubblewrap"):
            hint = "Install it on the server (Debian: apt-get install bubblewrap)."
            raise SandboxUnavailable("programs run only sandboxed by bubblewrap, which does not work here.", hint=hint)

    def get(self, job_id: str) -> JobRecord:
        return self._queue.get(job_id)

    def list(
        self, *, state: JobState | None = None, verb: str = "", subject: str = "", cursor: str = "", limit: int = 50
    ) -> Sequence[JobRecord]:
        """Jobs without results, the latest first; the cursor is the id of the last one of the page before."""
        return self._queue.list(state=state, verb=verb, subject=subject, before=cursor, limit=limit)

    def counts(self) -> dict[JobState, int]:
        return self._queue.counts()

    def cancel(self, job_id: str) -> JobRecord:
        return self._queue.cancel(job_id)

    def events(self, job_id: str, after: int = 0) -> Sequence[JobEvent]:
        return self._queue.events(job_id, after)

    def folder(self, job: JobRecord) -> Path:
        """Where the files of a job are, such as ``case/`` of an investigation."""
        return self._runner.folder(job)
