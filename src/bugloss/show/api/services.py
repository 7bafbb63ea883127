"""What routes and pages use: one object for each kind of thing, made once per server."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.record.store.opening import Store, open_store
from bugloss.record.store.result_index import ResultIndex
from bugloss.show.api.answers import Answers
from bugloss.show.api.corpus_view import CorpusView
from bugloss.show.api.jobs.process import JobFiles, JobProcess
from bugloss.show.api.jobs.remote_process import RemoteProcess
from bugloss.show.api.jobs.requests import JobRequest, SubmitJob
from bugloss.show.api.jobs.runner import JobRunner, RunningJob
from bugloss.show.api.jobs.service import Jobs
from bugloss.show.api.keeping import ResultKeeper
from bugloss.show.api.run_places import RunPlaces
from bugloss.show.api.security.archives import unpack
from bugloss.show.api.settings import ServerSettings
from bugloss.show.api.submitting import Submissions
from bugloss.workflows.engine.calls import RemoteCalls, connect_workers
from bugloss.workflows.engine.choice import DASK, LOCAL

_ANSWERING = 2  # processes for quick answers: one per core of a small machine


@dataclass(frozen=True, slots=True)
class Services:
    """``app.state.services``."""

    settings: ServerSettings
    store: Store
    corpus: CorpusView
    jobs: Jobs
    answers: Answers
    runs: RunPlaces
    results: ResultIndex
    submissions: Submissions
    secret: bytes
    start: Callable[[], None]
    stop: Callable[[], None]


def make_services(settings: ServerSettings) -> Services:
    """Opens the store and the corpus; nothing runs yet."""
    work = settings.work.absolute()
    secret = _read_secret(work)
    store, corpus = open_store(settings.database_url), CorpusView(settings.roots)
    keeper = ResultKeeper(store, corpus)

    def inputs(request: JobRequest) -> JobFiles:
        if not isinstance(request, SubmitJob):
            return request.files()
        files = unpack(store.contributions.archive(request.offer), settings.limits)
        return {f"{request.folder}/{name}": content for name, content in files.items()}

    root = corpus.root.absolute()
    workers = _workers(settings)

    def begin(command: Sequence[str], folder: Path, files: JobFiles) -> RunningJob:
        if workers is None:
            return JobProcess(command, folder, files, root)
        return RemoteProcess(workers, command, folder, files, root)

    runner = JobRunner(store.jobs, work / "jobs", settings.limits.jobs_at_once, inputs, begin, keeper.keep)
    jobs = Jobs(store.jobs, runner, settings)
    answers = Answers(_ANSWERING, settings.limits.answer_seconds, root)

    def start() -> None:
        keeper.catch_up(work / "jobs")
        runner.start()

    def stop() -> None:
        runner.stop()
        if workers is not None:
            workers.close()
        answers.stop()
        store.close()

    return Services(
        settings=settings,
        store=store,
        corpus=corpus,
        jobs=jobs,
        answers=answers,
        runs=RunPlaces(store.results, Path.cwd()),
        results=store.results,
        submissions=Submissions(store.contributions, jobs, corpus, settings),
        secret=secret,
        start=start,
        stop=stop,
    )


def _workers(settings: ServerSettings) -> RemoteCalls | None:
    """The workers that jobs are given to; None where they run on this machine."""
    if settings.engine not in {LOCAL, DASK}:
        raise InvalidInput(f"there is no engine '{settings.engine}'.", hint=f"Known: {LOCAL}, {DASK}.")
    if settings.engine == LOCAL and settings.scheduler:
        raise InvalidInput("--scheduler is an address of dask.", hint="Add --engine dask.")
    if settings.engine == LOCAL:
        return None
    return connect_workers(settings.limits.jobs_at_once, settings.scheduler)


def _read_secret(work: Path) -> bytes:
    """What sessions and forms are signed with; servers that share a work folder share it."""
    path = work / "secret"
    try:
        work.mkdir(parents=True, exist_ok=True)
        try:
            number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        except FileExistsError:
            return path.read_bytes()
        with os.fdopen(number, "wb") as file:
            file.write(secrets.token_bytes(32))
        return path.read_bytes()
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}."
        raise EnvironmentFailure(message, hint="Choose another folder: --work DIR") from error
