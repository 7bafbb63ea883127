"""How bugs stood in each verification that the server ran: the history behind the page Health."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from bugloss.core.visible import visible
from bugloss.record.store.database import Database
from bugloss.record.store.tables import VerificationRow


@dataclass(frozen=True, slots=True)
class BugStanding:
    """One bug in one verification; ``status`` is active, flaky, broken or not-run."""

    bug: str
    status: str
    buggy: str = ""
    fixed: str = ""
    stack: str = ""
    seconds: float | None = None
    reason: str = ""
    job: str = ""
    at: float = 0.0


class VerificationHistory:
    """Verifications in the database."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def add(self, standings: Sequence[BugStanding]) -> None:
        """Keeps the outcome of one verification."""
        now = self._clock()
        with self._database.writing() as session:
            for one in standings:
                session.add(
                    VerificationRow(
                        bug=one.bug,
                        at=now,
                        stack=one.stack,
                        status=one.status,
                        buggy=one.buggy[:40],
                        fixed=one.fixed[:40],
                        seconds=one.seconds,
                        reason=visible(one.reason),
                        job=one.job,
                    )
                )

    def has(self, job: str) -> bool:
        """Whether the outcome of that job is kept."""
        with self._database.reading() as session:
            return session.scalar(select(VerificationRow.id).where(VerificationRow.job == job).limit(1)) is not None

    def list(self, bug: str = "", since: float = 0.0, limit: int = 1_000) -> Sequence[BugStanding]:
        """The latest first."""
        query = select(VerificationRow).where(VerificationRow.at >= since)
        if bug:
            query = query.where(VerificationRow.bug == bug)
        with self._database.reading() as session:
            rows = session.scalars(query.order_by(VerificationRow.at.desc(), VerificationRow.id.desc()).limit(limit))
            return [
                BugStanding(
                    row.bug, row.status, row.buggy, row.fixed, row.stack, row.seconds, row.reason, row.job, row.at
                )
                for row in rows
            ]
