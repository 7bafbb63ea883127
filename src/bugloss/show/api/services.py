"""What routes and pages use: one object for each kind of thing, made once per server."""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.record.store.opening import Store, open_store
from bugloss.show.api.corpus_view import CorpusView
from bugloss.show.api.jobs.runner import JobRunner
from bugloss.show.api.jobs.service import Jobs
from bugloss.show.api.settings import ServerSettings


@dataclass(frozen=True, slots=True)
class Services:
    """``app.state.services``."""

    settings: ServerSettings
    store: Store
    corpus: CorpusView
    jobs: Jobs
    runner: JobRunner

    def start(self) -> None:
        self.runner.start()

    def stop(self) -> None:
        self.runner.stop()
        self.store.close()


def make_services(settings: ServerSettings) -> Services:
    """Opens the store and the corpus; nothing runs yet."""
    store = open_store(settings.database_url)
    runner = JobRunner(store.jobs, settings.work.absolute() / "jobs", settings.limits.jobs_at_once)
    return Services(settings, store, CorpusView(settings.roots), Jobs(store.jobs, runner, settings), runner)
