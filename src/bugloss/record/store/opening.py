"""The store: one database with everything the server keeps."""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.record.store.database import Database, open_database
from bugloss.record.store.job_queue import JobQueue
from bugloss.record.store.upgrading import upgrade


@dataclass(frozen=True, slots=True)
class Store:
    """Typed access to every table."""

    database: Database
    jobs: JobQueue

    def close(self) -> None:
        self.database.close()


def open_store(url: str) -> Store:
    """Opens the database and brings its schema up to date."""
    database = open_database(url)
    upgrade(database)
    return Store(database, JobQueue(database))
