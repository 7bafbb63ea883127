"""What the store keeps of a job that is done: verification history, folders of results, outcomes of submissions.

Keeping twice changes nothing, so a server that was killed in between does it again when it starts.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bugloss.record.runs import all_runs
from bugloss.record.store.contributions import ContributionState
from bugloss.record.store.job import JobRecord, JobState
from bugloss.record.store.opening import Store
from bugloss.record.store.result_index import ResultKind
from bugloss.record.store.verifications import BugStanding
from bugloss.show.api.corpus_view import CorpusView

_RECENT = 100  # jobs that a starting server looks at again
_FOLDERS = {
    "investigate": (ResultKind.CASE, "case"),
    "reproduce": (ResultKind.REPRODUCTION, "reproduction"),
    "evaluate": (ResultKind.EVALUATION, "evaluation"),
}


class ResultKeeper:
    """Keeps what jobs leave behind."""

    def __init__(self, store: Store, corpus: CorpusView) -> None:
        self._store = store
        self._corpus = corpus

    def keep(self, job: JobRecord, folder: Path) -> None:
        """Everything that is to be kept of a job that is done."""
        document = job.result if isinstance(job.result, dict) else {}
        if job.verb == "verify":
            self._keep_standings(job, document)
        if job.verb == "submit":
            self._keep_submission(job, document)
        if job.verb in _FOLDERS or all_runs(folder):
            self._keep_folders(job, folder)

    def catch_up(self, jobs_folder: Path) -> None:
        """The same for recent jobs whose server was killed before it could keep them."""
        for listed in self._store.jobs.list(state=JobState.DONE, limit=_RECENT):
            self.keep(self._store.jobs.get(listed.id), jobs_folder / listed.id)

    def _keep_standings(self, job: JobRecord, document: Mapping[str, Any]) -> None:
        if self._store.verifications.has(job.id):
            return
        entries = self._corpus.state.entries
        standings = [
            BugStanding(
                str(bug["bug"]),
                str(bug["status"]),
                str(bug.get("buggy") or ""),
                str(bug.get("fixed") or ""),
                entries[bug["bug"]].bug.stack if bug["bug"] in entries else "",
                bug.get("seconds"),
                str(bug.get("reason") or ""),
                job.id,
            )
            for bug in document.get("bugs", [])
        ]
        self._store.verifications.add(standings)

    def _keep_submission(self, job: JobRecord, document: Mapping[str, Any]) -> None:
        offer = self._store.contributions.get_offer(str(job.request["offer"]))
        if job.request.get("add"):
            if document.get("bug") and not offer.bug:
                self._store.contributions.update(offer.id, bug=str(document["bug"]))
        elif offer.state is ContributionState.CHECKING:
            problems = list(document.get("problems") or [])
            stability = document.get("stability") or {}
            active = stability.get("standing") == "active"
            if not problems and not active:
                problems = [
                    {"file": "test.py", "message": f"not verified: {stability.get('reason') or stability}"[:500]}
                ]
            state = ContributionState.OPEN if active else ContributionState.REFUSED
            self._store.contributions.update(offer.id, state=state, problems=problems)

    def _keep_folders(self, job: JobRecord, folder: Path) -> None:
        if self._store.results.has(job.id):
            return
        if all_runs(folder):
            self._store.results.add(ResultKind.RUN, job.subject, str(folder), job.id)
        if job.verb in _FOLDERS:
            kind, name = _FOLDERS[job.verb]
            self._store.results.add(kind, job.subject, str(folder / name), job.id)
