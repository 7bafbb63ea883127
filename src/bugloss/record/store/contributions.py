"""What people offer or object to: new bugs, requests to remove one or to change a label, and what reviewers decide."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from bugloss.core.documents import parse_json
from bugloss.core.errors import InvalidInput
from bugloss.core.visible import visible
from bugloss.record.store.database import Database
from bugloss.record.store.identity import new_id
from bugloss.record.store.job_queue import UnknownRecord
from bugloss.record.store.tables import ObjectionRow, ReviewRow, SubmissionRow

Row = TypeVar("Row", SubmissionRow, ObjectionRow)


class ContributionState(Enum):
    """Where a submission or an objection is."""

    CHECKING = "checking"  # it is linted and verified
    REFUSED = "refused"  # lint or verification found problems
    OPEN = "open"  # it waits for a reviewer
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class ObjectionKind(Enum):
    """What is asked for."""

    REMOVAL = "removal"
    LABEL = "label"


@dataclass(frozen=True, slots=True)
class SubmittedBug:
    """A new bug that somebody offers. ``problems`` are those of lint, else why verification failed."""

    id: str
    title: str
    framework: str
    note: str
    state: ContributionState
    created_at: float
    created_by: str = ""
    problems: tuple[Mapping[str, Any], ...] = ()
    job: str = ""
    bug: str = ""


@dataclass(frozen=True, slots=True)
class Objection:
    """A request to remove a bug, or to change the label of one facet."""

    id: str
    kind: ObjectionKind
    bug: str
    label: str
    proposed: str
    reason: str
    state: ContributionState
    created_at: float
    created_by: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """What a reviewer decided, and why."""

    id: str
    subject: str
    decision: ContributionState
    reason: str
    reviewer: str
    at: float


class Contributions:
    """Submissions, objections and reviews in the database."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def offer(self, title: str, framework: str, archive: bytes, note: str = "", created_by: str = "") -> SubmittedBug:
        """Keeps a new bug, to be checked."""
        row = SubmissionRow(
            id=new_id(),
            title=visible(title)[:200],
            framework=framework[:32],
            note=visible(note)[:10_000],
            state=ContributionState.CHECKING.value,
            created_at=self._clock(),
            created_by=created_by,
            problems="[]",
            job="",
            bug="",
            archive=archive,
        )
        with self._database.writing() as session:
            session.add(row)
            session.flush()
            return _offer(row)

    def archive(self, offer_id: str) -> bytes:
        """The files of a submission, as a zip archive."""
        with self._database.reading() as session:
            return _found(session, SubmissionRow, offer_id).archive or b""

    def update(
        self,
        offer_id: str,
        *,
        state: ContributionState | None = None,
        problems: Sequence[Mapping[str, Any]] | None = None,
        job: str | None = None,
        bug: str | None = None,
    ) -> SubmittedBug:
        """What the checks found."""
        with self._database.writing() as session:
            row = _found(session, SubmissionRow, offer_id, lock=True)
            row.state = row.state if state is None else state.value
            row.problems = row.problems if problems is None else json.dumps(list(problems))
            row.job = row.job if job is None else job
            row.bug = row.bug if bug is None else bug
            return _offer(row)

    def object(
        self, kind: ObjectionKind, bug: str, reason: str, label: str = "", proposed: str = "", created_by: str = ""
    ) -> Objection:
        """Keeps a request to remove a bug or to change a label."""
        row = ObjectionRow(
            id=new_id(),
            kind=kind.value,
            bug=bug,
            label=label,
            proposed=proposed,
            reason=visible(reason)[:10_000],
            state=ContributionState.OPEN.value,
            created_at=self._clock(),
            created_by=created_by,
        )
        with self._database.writing() as session:
            session.add(row)
            session.flush()
            return _objection(row)

    def get_offer(self, offer_id: str) -> SubmittedBug:
        with self._database.reading() as session:
            return _offer(_found(session, SubmissionRow, offer_id))

    def get_objection(self, objection_id: str) -> Objection:
        with self._database.reading() as session:
            return _objection(_found(session, ObjectionRow, objection_id))

    def offers(
        self, state: ContributionState | None = None, before: str = "", limit: int = 50
    ) -> Sequence[SubmittedBug]:
        """Submissions, the latest first."""
        with self._database.reading() as session:
            return [_offer(row) for row in _listed(session, SubmissionRow, state, before, limit)]

    def objections(
        self, state: ContributionState | None = None, before: str = "", limit: int = 50
    ) -> Sequence[Objection]:
        """Objections, the latest first."""
        with self._database.reading() as session:
            return [_objection(row) for row in _listed(session, ObjectionRow, state, before, limit)]

    def reviews(self, subject: str) -> Sequence[Review]:
        """What reviewers decided about a submission or an objection."""
        query = select(ReviewRow).where(ReviewRow.subject == subject).order_by(ReviewRow.id)
        with self._database.reading() as session:
            return [_review(row) for row in session.scalars(query)]

    def decide(self, subject: str, accept: bool, reason: str, reviewer: str = "") -> Review:
        """Accepts or rejects what is open, with a reason."""
        if not reason.strip():
            raise InvalidInput("a decision needs a reason.")
        decision = ContributionState.ACCEPTED if accept else ContributionState.REJECTED
        with self._database.writing() as session:
            row = _either(session, subject)
            if row.state != ContributionState.OPEN.value:
                raise InvalidInput(f"{subject} is not open for review: it is {row.state}.")
            row.state = decision.value
            review = ReviewRow(
                id=new_id(),
                subject=subject,
                decision=decision.value,
                reason=visible(reason)[:10_000],
                reviewer=reviewer,
                at=self._clock(),
            )
            session.add(review)
            session.flush()
            return _review(review)


def _found(session: Session, table: type[Row], record_id: str, lock: bool = False) -> Row:
    row = session.get(table, record_id, with_for_update=lock or None)
    if row is None:
        raise UnknownRecord(f"there is nothing under the id '{visible(record_id)[:60]}'.")
    return row


def _either(session: Session, record_id: str) -> SubmissionRow | ObjectionRow:
    offer = session.get(SubmissionRow, record_id, with_for_update=True)
    return offer if offer is not None else _found(session, ObjectionRow, record_id, lock=True)


def _listed(
    session: Session, table: type[Row], state: ContributionState | None, before: str, limit: int
) -> Sequence[Row]:
    query = select(table).order_by(table.id.desc()).limit(limit)
    if state is not None:
        query = query.where(table.state == state.value)
    if before:
        query = query.where(table.id < before)
    return session.scalars(query).all()


def _offer(row: SubmissionRow) -> SubmittedBug:
    return SubmittedBug(
        row.id,
        row.title,
        row.framework,
        row.note,
        ContributionState(row.state),
        row.created_at,
        row.created_by,
        tuple(parse_json(row.problems)),
        row.job,
        row.bug,
    )


def _objection(row: ObjectionRow) -> Objection:
    return Objection(
        row.id,
        ObjectionKind(row.kind),
        row.bug,
        row.label,
        row.proposed,
        row.reason,
        ContributionState(row.state),
        row.created_at,
        row.created_by,
    )


def _review(row: ReviewRow) -> Review:
    return Review(row.id, row.subject, ContributionState(row.decision), row.reason, row.reviewer, row.at)
