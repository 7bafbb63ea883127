"""The queue of jobs. Servers that share a database share it: a job is leased to one of them at a time.

A server renews the leases of its jobs. If it is killed, its leases run out and another server (or its successor)
starts those jobs again. Each start has a number, the attempt; only the holder of the newest one may write events or an
outcome, so what a server reports after it lost a lease is refused.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session, defer

from bugloss.core.documents import parse_json
from bugloss.core.errors import BuglossError, InvalidInput
from bugloss.core.visible import visible
from bugloss.record.store.database import Database
from bugloss.record.store.identity import new_id
from bugloss.record.store.job import JobEvent, JobEventKind, JobOutcome, JobRecord, JobState
from bugloss.record.store.tables import JobEventRow, JobRow

MOST_ATTEMPTS = 3  # a job whose server dies this often is taken for the reason
_LONGEST_LINE = 4_000
_MOST_EVENTS = 5_000  # per job; what comes after is only counted by the verb itself


class UnknownRecord(InvalidInput):
    """The store has nothing under that id."""

    kind = "unknown-record"


class QueueFull(BuglossError):
    """More jobs wait than the server accepts."""

    kind = "queue-full"


class Lease(Enum):
    """What a server learns when it renews a lease."""

    HELD = "held"
    CANCELLED = "cancelled"  # held, but somebody asked for the end of the job
    LOST = "lost"  # another server has the job, or it is over


class JobQueue:
    """Jobs in the database."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def submit(
        self,
        verb: str,
        subject: str,
        request: Mapping[str, Any],
        *,
        created_by: str = "",
        time_limit: float = 600.0,
        most_queued: int = 1_000,
        job_id: str = "",
    ) -> JobRecord:
        """Puts a job at the end of the queue."""
        with self._database.writing() as session:
            waiting = session.scalar(select(func.count()).where(JobRow.state == JobState.QUEUED.value)) or 0
            if waiting >= most_queued:
                raise QueueFull(f"{waiting} jobs are waiting already.", hint="Try again when some have ended.")
            row = JobRow(
                id=job_id or new_id(),
                verb=verb,
                subject=visible(subject)[:200],
                request=json.dumps(request),
                state=JobState.QUEUED.value,
                created_at=self._clock(),
                created_by=created_by,
                time_limit=time_limit,
                attempt=0,
                cancelled=False,
            )
            session.add(row)
            session.flush()
            self._say(session, row, [(JobEventKind.STATE, JobState.QUEUED.value)])
            return _job(row)

    def get(self, job_id: str) -> JobRecord:
        with self._database.reading() as session:
            return _job(_row(session, job_id))

    def list(
        self, *, state: JobState | None = None, verb: str = "", before: str = "", subject: str = "", limit: int = 50
    ) -> Sequence[JobRecord]:
        """Jobs without their results, the latest first; ``before`` is the id of the last one of the page before."""
        query = select(JobRow).options(defer(JobRow.result, raiseload=True)).order_by(JobRow.id.desc()).limit(limit)
        if state is not None:
            query = query.where(JobRow.state == state.value)
        if verb:
            query = query.where(JobRow.verb == verb)
        if subject:
            query = query.where(JobRow.subject == subject)
        if before:
            query = query.where(JobRow.id < before)
        with self._database.reading() as session:
            return [_job(row, with_result=False) for row in session.scalars(query)]

    def counts(self) -> dict[JobState, int]:
        """How many jobs there are in each state."""
        with self._database.reading() as session:
            rows = session.execute(select(JobRow.state, func.count()).group_by(JobRow.state))
            found = {str(row[0]): int(row[1]) for row in rows}
        return {state: found.get(state.value, 0) for state in JobState}

    def cancel(self, job_id: str) -> JobRecord:
        """Ends a job that waits; asks for the end of one that runs; leaves one that is over as it is."""
        with self._database.writing() as session:
            row = _row(session, job_id, lock=True)
            if row.state == JobState.QUEUED.value:
                self._end(session, row, JobOutcome(JobState.CANCELLED))
            elif row.state == JobState.RUNNING.value and not row.cancelled:
                row.cancelled = True
                self._say(session, row, [(JobEventKind.PROGRESS, "asked to stop")])
            return _job(row)

    def claim(self, owner: str, lease_seconds: float) -> JobRecord | None:
        """The oldest job that waits or whose server is gone, leased to this owner."""
        while True:
            with self._database.writing() as session:
                row = self._next(session)
                if row is None:
                    return None
                if row.cancelled:
                    self._end(session, row, JobOutcome(JobState.CANCELLED))
                elif row.attempt >= MOST_ATTEMPTS:
                    self._end(session, row, _lost(row.attempt))
                else:
                    self._start(session, row, owner, lease_seconds)
                    return _job(row)

    def _next(self, session: Session) -> JobRow | None:
        abandoned = and_(JobRow.state == JobState.RUNNING.value, JobRow.lease_until < self._clock())
        query = select(JobRow).where(or_(JobRow.state == JobState.QUEUED.value, abandoned))
        return session.scalar(query.order_by(JobRow.created_at, JobRow.id).limit(1).with_for_update(skip_locked=True))

    def _start(self, session: Session, row: JobRow, owner: str, lease_seconds: float) -> None:
        now = self._clock()
        row.state, row.owner = JobState.RUNNING.value, owner
        row.attempt, row.started_at, row.lease_until = row.attempt + 1, now, now + lease_seconds
        again = (
            [(JobEventKind.PROGRESS, "started again: the server that ran it has stopped")] if row.attempt > 1 else []
        )
        self._say(session, row, [(JobEventKind.STATE, JobState.RUNNING.value), *again])

    def expire(self, is_gone: Callable[[str], bool]) -> int:
        """Ends the leases of owners that are gone, so that nobody waits for them; returns how many."""
        query = select(JobRow).options(defer(JobRow.result)).where(JobRow.state == JobState.RUNNING.value)
        with self._database.writing() as session:
            rows = [row for row in session.scalars(query.with_for_update(skip_locked=True)) if is_gone(row.owner or "")]
            for row in rows:
                row.lease_until = 0.0
            return len(rows)

    def renew(self, job: JobRecord, owner: str, lease_seconds: float, lines: Iterable[str] = ()) -> Lease:
        """Keeps a lease, and adds the lines that the verb wrote meanwhile."""
        with self._database.writing() as session:
            row = _row(session, job.id, lock=True)
            if not _holds(row, job, owner):
                return Lease.LOST
            row.lease_until = self._clock() + lease_seconds
            self._say(session, row, [(JobEventKind.PROGRESS, line) for line in lines])
            return Lease.CANCELLED if row.cancelled else Lease.HELD

    def finish(self, job: JobRecord, owner: str, outcome: JobOutcome) -> bool:
        """Records how a job ended; False if the lease was lost, and then nothing is recorded."""
        with self._database.writing() as session:
            row = _row(session, job.id, lock=True)
            if not _holds(row, job, owner):
                return False
            self._end(session, row, outcome)
            return True

    def give_back(self, job: JobRecord, owner: str) -> bool:
        """Returns a job to the queue: this server stops before the job has ended. The attempt does not count."""
        with self._database.writing() as session:
            row = _row(session, job.id, lock=True)
            if not _holds(row, job, owner):
                return False
            row.state, row.owner, row.lease_until = JobState.QUEUED.value, None, None
            row.attempt -= 1
            self._say(session, row, [(JobEventKind.STATE, JobState.QUEUED.value)])
            return True

    def events(self, job_id: str, after: int = 0, limit: int = 1_000) -> Sequence[JobEvent]:
        """What a job said after the event of that number."""
        query = select(JobEventRow).where(JobEventRow.job == job_id, JobEventRow.number > after)
        with self._database.reading() as session:
            rows = session.scalars(query.order_by(JobEventRow.number).limit(limit))
            return [JobEvent(row.number, row.at, JobEventKind(row.kind), row.text) for row in rows]

    def _end(self, session: Session, row: JobRow, outcome: JobOutcome) -> None:
        row.state, row.finished_at = outcome.state.value, self._clock()
        row.owner, row.lease_until = None, None
        row.exit_code, row.result = outcome.exit_code, outcome.result
        row.error = json.dumps(outcome.error) if outcome.error is not None else None
        self._say(session, row, [(JobEventKind.STATE, outcome.state.value)])

    def _say(self, session: Session, row: JobRow, said: Iterable[tuple[JobEventKind, str]]) -> None:
        number = session.scalar(select(func.max(JobEventRow.number)).where(JobEventRow.job == row.id)) or 0
        for kind, text in said:
            if number >= _MOST_EVENTS and kind is JobEventKind.PROGRESS:
                break
            number += 1
            line = visible(text)[:_LONGEST_LINE]
            session.add(JobEventRow(job=row.id, number=number, at=self._clock(), kind=kind.value, text=line))


def _holds(row: JobRow, job: JobRecord, owner: str) -> bool:
    return row.state == JobState.RUNNING.value and row.owner == owner and row.attempt == job.attempt


def _lost(attempts: int) -> JobOutcome:
    message = f"the server stopped {attempts} times while this job ran."
    error = {"schema": "bugloss.error/1", "error": "lost", "message": message, "hint": "Submit it again."}
    return JobOutcome(JobState.FAILED, error=error)


def _row(session: Session, job_id: str, lock: bool = False) -> JobRow:
    query = select(JobRow).where(JobRow.id == job_id)
    row = session.scalar(query.with_for_update() if lock else query)
    if row is None:
        raise UnknownRecord(f"there is no job '{visible(job_id)[:60]}'.")
    return row


def _job(row: JobRow, with_result: bool = True) -> JobRecord:
    return JobRecord(
        id=row.id,
        verb=row.verb,
        subject=row.subject,
        request=parse_json(row.request),
        state=JobState(row.state),
        created_at=row.created_at,
        created_by=row.created_by,
        time_limit=row.time_limit,
        started_at=row.started_at,
        finished_at=row.finished_at,
        attempt=row.attempt,
        cancelled=row.cancelled,
        exit_code=row.exit_code,
        result=parse_json(row.result) if with_result and row.result is not None else None,
        error=parse_json(row.error) if row.error is not None else None,
    )
