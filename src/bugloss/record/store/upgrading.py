"""Brings the schema of a database to the newest step; several servers may start at once."""

from __future__ import annotations

import logging
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import text
from sqlalchemy.engine import Connection

from bugloss.record.store.database import Database, translated

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x6275676C  # any number that only bugloss uses


def upgrade(database: Database, revision: str = "head") -> None:
    """Runs the steps that are missing, in one transaction that no other server enters."""
    logging.getLogger("alembic").setLevel(logging.WARNING)
    with translated(database.engine), database.engine.connect() as plain:
        connection = plain.execution_options(bugloss_writes=True)
        with connection.begin():
            if not database.is_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            command.upgrade(configuration(connection), revision)


def configuration(connection: Connection) -> Config:
    """Alembic's settings, for this package's steps on this connection."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
