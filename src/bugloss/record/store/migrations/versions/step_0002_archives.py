"""The files of a submission are in the database, so that any server that shares it can verify them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column; submissions from before have no files."""
    with op.batch_alter_table("submissions") as table:
        table.add_column(sa.Column("archive", sa.LargeBinary))


def downgrade() -> None:
    """Drops the column."""
    with op.batch_alter_table("submissions") as table:
        table.drop_column("archive")
