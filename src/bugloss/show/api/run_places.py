"""Recorded runs that the server shows: those of the folder it was started in, and those of its jobs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bugloss.core.errors import BuglossError
from bugloss.record.runs import RunFolder, all_runs
from bugloss.record.store.job_queue import UnknownRecord
from bugloss.record.store.result_index import ResultIndex, ResultKind

if TYPE_CHECKING:
    from bugloss.workflows.recorded_runs import RunSummary

HERE = "here"


class RunPlaces:
    """Runs by place and id. A place is the id of a job, or ``here``."""

    def __init__(self, results: ResultIndex, here: Path) -> None:
        self._results = results
        self._here = here

    def folders(self) -> dict[str, Path]:
        """Where runs are, the latest place first."""
        indexed = self._results.list(ResultKind.RUN)
        return {HERE: self._here, **{one.job: Path(one.folder) for one in indexed}}

    def list(self, limit: int = 200) -> list[tuple[str, RunSummary]]:
        """Every run with its place, the latest first; what cannot be read is left out."""
        found = [(place, summary) for place, root in self.folders().items() for summary in _summaries(root)]
        return sorted(found, key=lambda one: one[1].started_at, reverse=True)[:limit]

    def find(self, place: str, run: str) -> RunFolder:
        """One run."""
        for folder in all_runs(self.folders().get(place, Path("/nonexistent"))):
            if folder.id == run:
                return folder
        raise UnknownRecord(f"there is no recorded run '{run[:60]}' in '{place[:60]}'.")


def _summaries(root: Path) -> Iterator[RunSummary]:
    from bugloss.workflows.recorded_runs import summarise

    for folder in all_runs(root):
        try:
            yield summarise(folder)
        except BuglossError:
            continue
