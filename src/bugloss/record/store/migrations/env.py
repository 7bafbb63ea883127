"""What Alembic runs: the steps, on the connection that ``upgrading.upgrade`` opened."""

from __future__ import annotations

from alembic import context

from bugloss.record.store.tables import StoreTable

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=StoreTable.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
