"""The tables, as SQLAlchemy maps them; ``migrations/`` makes them. Times are seconds since 1970 (UTC)."""

from __future__ import annotations

from sqlalchemy import Boolean, Float, ForeignKey, Index, Integer, LargeBinary, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

ID = String(40)


class StoreTable(DeclarativeBase):
    """Base of all tables."""


class JobRow(StoreTable):
    """A piece of work that the server runs in a process of its own."""

    __tablename__ = "jobs"
    __table_args__ = (Index("jobs_by_state", "state", "created_at"),)

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    verb: Mapped[str] = mapped_column(String(32))
    subject: Mapped[str] = mapped_column(String(200))
    request: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[float] = mapped_column(Float(53))
    created_by: Mapped[str] = mapped_column(ID)
    time_limit: Mapped[float] = mapped_column(Float(53))
    started_at: Mapped[float | None] = mapped_column(Float(53))
    finished_at: Mapped[float | None] = mapped_column(Float(53))
    attempt: Mapped[int] = mapped_column(Integer)
    owner: Mapped[str | None] = mapped_column(String(80))
    lease_until: Mapped[float | None] = mapped_column(Float(53))
    cancelled: Mapped[bool] = mapped_column(Boolean)
    exit_code: Mapped[int | None] = mapped_column(Integer)
    result: Mapped[str | None] = mapped_column(Text)
    error: Mapped[str | None] = mapped_column(Text)


class JobEventRow(StoreTable):
    """What a job said while it ran, numbered from 1."""

    __tablename__ = "job_events"

    job: Mapped[str] = mapped_column(ID, ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    at: Mapped[float] = mapped_column(Float(53))
    kind: Mapped[str] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(Text)


class ResultRow(StoreTable):
    """Where the folder of a run or an evaluation is, and what a list says of it."""

    __tablename__ = "results"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), index=True)
    title: Mapped[str] = mapped_column(String(200))
    folder: Mapped[str] = mapped_column(Text)
    job: Mapped[str] = mapped_column(ID)
    created_at: Mapped[float] = mapped_column(Float(53))


class SubmissionRow(StoreTable):
    """A new bug that somebody offers, with its files as a zip archive."""

    __tablename__ = "submissions"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    title: Mapped[str] = mapped_column(String(200))
    framework: Mapped[str] = mapped_column(String(32))
    note: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16), index=True)
    created_at: Mapped[float] = mapped_column(Float(53))
    created_by: Mapped[str] = mapped_column(ID)
    problems: Mapped[str] = mapped_column(Text)
    job: Mapped[str] = mapped_column(ID)
    bug: Mapped[str] = mapped_column(String(80))
    archive: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)


class ObjectionRow(StoreTable):
    """A request to remove a bug, or to change one of its labels."""

    __tablename__ = "objections"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    bug: Mapped[str] = mapped_column(String(80), index=True)
    label: Mapped[str] = mapped_column(String(32))
    proposed: Mapped[str] = mapped_column(String(80))
    reason: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16), index=True)
    created_at: Mapped[float] = mapped_column(Float(53))
    created_by: Mapped[str] = mapped_column(ID)


class ReviewRow(StoreTable):
    """What a reviewer decided about a submission or an objection, and why."""

    __tablename__ = "reviews"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    subject: Mapped[str] = mapped_column(ID, index=True)
    decision: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str] = mapped_column(Text)
    reviewer: Mapped[str] = mapped_column(ID)
    at: Mapped[float] = mapped_column(Float(53))


class TokenRow(StoreTable):
    """A token: of its secret part only a digest is stored."""

    __tablename__ = "tokens"

    id: Mapped[str] = mapped_column(ID, primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    role: Mapped[str] = mapped_column(String(16))
    digest: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[float] = mapped_column(Float(53))
    expires_at: Mapped[float | None] = mapped_column(Float(53))
    revoked_at: Mapped[float | None] = mapped_column(Float(53))


class VerificationRow(StoreTable):
    """How one bug stood in one verification."""

    __tablename__ = "verifications"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    bug: Mapped[str] = mapped_column(String(80), index=True)
    at: Mapped[float] = mapped_column(Float(53), index=True)
    stack: Mapped[str] = mapped_column(String(40))
    status: Mapped[str] = mapped_column(String(16))
    buggy: Mapped[str] = mapped_column(String(40))
    fixed: Mapped[str] = mapped_column(String(40))
    seconds: Mapped[float | None] = mapped_column(Float(53))
    reason: Mapped[str] = mapped_column(Text)
    job: Mapped[str] = mapped_column(ID)
