"""The store: one database with everything the server keeps."""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.record.store.contributions import Contributions
from bugloss.record.store.database import Database, open_database
from bugloss.record.store.job_queue import JobQueue
from bugloss.record.store.result_index import ResultIndex
from bugloss.record.store.tokens import TokenTable
from bugloss.record.store.upgrading import upgrade
from bugloss.record.store.verifications import VerificationHistory


@dataclass(frozen=True, slots=True)
class Store:
    """Typed access to every table."""

    database: Database
    jobs: JobQueue
    tokens: TokenTable
    contributions: Contributions
    verifications: VerificationHistory
    results: ResultIndex

    def close(self) -> None:
        self.database.close()


def open_store(url: str) -> Store:
    """Opens the database and brings its schema up to date."""
    database = open_database(url)
    upgrade(database)
    return Store(
        database,
        JobQueue(database),
        TokenTable(database),
        Contributions(database),
        VerificationHistory(database),
        ResultIndex(database),
    )
