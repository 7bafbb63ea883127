"""Where the folders of recorded runs and evaluations are that jobs left behind."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from sqlalchemy import select

from bugloss.core.visible import visible
from bugloss.record.store.database import Database
from bugloss.record.store.identity import new_id
from bugloss.record.store.tables import ResultRow


class ResultKind(Enum):
    """What is in a folder."""

    RUN = "run"  # below .bugloss/runs of the folder
    CASE = "case"
    REPRODUCTION = "reproduction"
    EVALUATION = "evaluation"


@dataclass(frozen=True, slots=True)
class IndexedResult:
    """A folder that a job left behind."""

    id: str
    kind: ResultKind
    title: str
    folder: str
    job: str
    created_at: float


class ResultIndex:
    """The index in the database."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def add(self, kind: ResultKind, title: str, folder: str, job: str) -> IndexedResult:
        row = ResultRow(
            id=new_id(), kind=kind.value, title=visible(title)[:200], folder=folder, job=job, created_at=self._clock()
        )
        with self._database.writing() as session:
            session.add(row)
            session.flush()
            return _result(row)

    def has(self, job: str) -> bool:
        """Whether a folder of that job is in the index."""
        with self._database.reading() as session:
            return session.scalar(select(ResultRow.id).where(ResultRow.job == job).limit(1)) is not None

    def list(self, kind: ResultKind, before: str = "", limit: int = 200) -> Sequence[IndexedResult]:
        """The latest first."""
        query = select(ResultRow).where(ResultRow.kind == kind.value).order_by(ResultRow.id.desc()).limit(limit)
        if before:
            query = query.where(ResultRow.id < before)
        with self._database.reading() as session:
            return [_result(row) for row in session.scalars(query)]


def _result(row: ResultRow) -> IndexedResult:
    return IndexedResult(row.id, ResultKind(row.kind), row.title, row.folder, row.job, row.created_at)
