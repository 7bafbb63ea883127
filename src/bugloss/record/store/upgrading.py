"""Brings the schema of a database to the newest step; several servers may start at once."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

from bugloss.record.store.database import Database, translated

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy.engine import Connection

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x6275676C  # any number that only bugloss uses


NEWEST = "0002"  # the last of the steps


def upgrade(database: Database, revision: str = "head") -> None:
    """Runs the steps that are missing, in one transaction that no other server enters."""
    if revision == "head" and _is_newest(database):
        return  # Alembic takes as long to load as the rest of the store
    logging.getLogger("alembic").setLevel(logging.WARNING)  # before it is loaded: it announces its plug-ins
    from alembic import command

    with translated(database.engine), database.engine.connect() as plain:
        connection = plain.execution_options(bugloss_writes=True)
        with connection.begin():
            if not database.is_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            command.upgrade(configuration(connection), revision)


def _is_newest(database: Database) -> bool:
    """Whether the database has had every step."""
    with translated(database.engine), database.engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return False
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all() == [NEWEST]


def configuration(connection: Connection) -> Config:
    """Alembic's settings, for this package's steps on this connection."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
