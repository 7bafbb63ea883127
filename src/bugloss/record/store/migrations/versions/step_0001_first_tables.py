"""Jobs, results, submissions, objections, reviews, tokens, verifications."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_ID = sa.String(40)
_TIME = sa.Float(53)


def upgrade() -> None:
    """Creates all tables."""
    _create_jobs()
    _create_contributions()
    op.create_table(
        "tokens",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("expires_at", _TIME),
        sa.Column("revoked_at", _TIME),
    )
    op.create_table(
        "verifications",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("bug", sa.String(80), nullable=False, index=True),
        sa.Column("at", _TIME, nullable=False, index=True),
        sa.Column("stack", sa.String(40), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("buggy", sa.String(40), nullable=False),
        sa.Column("fixed", sa.String(40), nullable=False),
        sa.Column("seconds", _TIME),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("job", _ID, nullable=False),
    )


def _create_jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("verb", sa.String(32), nullable=False),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("created_by", _ID, nullable=False),
        sa.Column("time_limit", _TIME, nullable=False),
        sa.Column("started_at", _TIME),
        sa.Column("finished_at", _TIME),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("owner", sa.String(80)),
        sa.Column("lease_until", _TIME),
        sa.Column("cancelled", sa.Boolean, nullable=False),
        sa.Column("exit_code", sa.Integer),
        sa.Column("result", sa.Text),
        sa.Column("error", sa.Text),
    )
    op.create_index("jobs_by_state", "jobs", ["state", "created_at"])
    op.create_table(
        "job_events",
        sa.Column("job", _ID, sa.ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", _TIME, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False, index=True),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("folder", sa.Text, nullable=False),
        sa.Column("job", _ID, nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
    )


def _create_contributions() -> None:
    op.create_table(
        "submissions",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("framework", sa.String(32), nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False, index=True),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("created_by", _ID, nullable=False),
        sa.Column("problems", sa.Text, nullable=False),
        sa.Column("job", _ID, nullable=False),
        sa.Column("bug", sa.String(80), nullable=False),
    )
    op.create_table(
        "objections",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("bug", sa.String(80), nullable=False, index=True),
        sa.Column("label", sa.String(32), nullable=False),
        sa.Column("proposed", sa.String(80), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False, index=True),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("created_by", _ID, nullable=False),
    )
    op.create_table(
        "reviews",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("subject", _ID, nullable=False, index=True),
        sa.Column("decision", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("reviewer", _ID, nullable=False),
        sa.Column("at", _TIME, nullable=False),
    )


def downgrade() -> None:
    """Drops all tables."""
    names = ("job_events", "jobs", "results", "submissions", "objections", "reviews", "tokens", "verifications")
    for name in names:
        op.drop_table(name)
