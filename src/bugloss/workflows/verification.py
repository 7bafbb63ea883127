"""Verifies bugs: both programs several times, in parallel, resumable, and judged from what was recorded."""

from __future__ import annotations

import json
import platform
import time
from collections import defaultdict
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from queue import SimpleQueue
from typing import Protocol

from bugloss.core.bug import Twin
from bugloss.core.codec import decode, encode
from bugloss.core.documents import parse_json
from bugloss.core.engine import Engine, LostTask
from bugloss.core.errors import BuglossError, EnvironmentFailure, InvalidInput, SandboxUnavailable
from bugloss.core.failure_text import in_one_line
from bugloss.core.foreign_file import read_text
from bugloss.core.judgement import Grade, Stability, Standing
from bugloss.core.run import Isolation
from bugloss.core.trial import Trial
from bugloss.core.written_file import write_inside
from bugloss.corpus.collection import Corpus
from bugloss.corpus.entry import Entry
from bugloss.corpus.register import Verified, write_verified
from bugloss.record.trials import TrialArchive, open_archive
from bugloss.run import execute
from bugloss.run.environment import provide
from bugloss.run.sandbox import guards_files, isolation_for_untrusted
from bugloss.verify.judge import regrade
from bugloss.verify.stability import stability
from bugloss.workflows.bug_trial import Runner, run_trial
from bugloss.workflows.bug_verification import BugVerification
from bugloss.workflows.preloaded_trials import PreloadedTrials
from bugloss.workflows.remote_trials import RemoteTrial, corpus_elsewhere, run_remotely
from bugloss.workflows.reported_reason import for_the_reported_reason
from bugloss.workflows.upstream.sources import provide_all

_PAUSE = 0.1  # seconds between two attempts to stop what still runs


@dataclass(frozen=True, slots=True)
class VerificationRequest:
    """Which bugs to verify, and how often."""

    bugs: tuple[str, ...]
    runs: int = 5
    seed: int = 0
    timeout: float | None = None
    offline: bool = False
    source_builds: bool = False


class VerificationWatcher(Protocol):
    """An observer of the progress."""

    def note(self, text: str) -> None: ...
    def planned(self, trials: int, kept: int) -> None: ...
    def tried(self, trial: Trial) -> None: ...
    def verified(self, result: BugVerification) -> None: ...


def verify(
    corpus: Corpus,
    request: VerificationRequest,
    archive: TrialArchive,
    watcher: VerificationWatcher,
    *,
    jobs: int = 1,
    isolation: Isolation | None = None,
    engine: Engine | None = None,
    forks: bool = True,
    mirror: Path | None = None,
    isolation_named: bool = False,
) -> list[BugVerification]:
    """Runs what the archive does not hold yet, and says how every bug of the request stands.

    Without an engine the tests run here, ``jobs`` at a time; the machines of an engine build environments themselves.
    Without ``forks`` every test runs in a new process and loads its framework itself. Sources of public repositories
    are looked for in ``mirror``, then cloned; a bug whose sources cannot be had is not run. Nor is one if nothing keeps
    it from reading the user's files, unless the user named the isolation level.
    """
    _write_request(archive.folder, request)
    entries = {bug: corpus[bug] for bug in request.bugs}
    ledger = _Ledger(entries, request, _still_valid(archive, entries))
    refused = {}
    if engine is None:
        refused = _provide_programs(ledger, request, watcher, mirror, None if isolation_named else isolation)
        with_sources = [entry for bug, entry in entries.items() if bug not in refused]
        refused |= _provide_environments(with_sources, request, watcher)
    todo = [task for task in ledger.missing() if task.entry.id not in refused]
    watcher.planned(len(todo), ledger.kept)
    results = {result.bug: result for result in ledger.complete()}
    for result in results.values():
        watcher.verified(result)
    running = _run_on(engine, corpus, todo, request) if engine else _run_here(todo, request, jobs, isolation, forks)
    with closing(running) as trials:
        for trial in trials:
            if isinstance(trial, _Fault):
                refused.setdefault(trial.task.entry.id, trial.reason)
                continue
            archive.append(trial)
            watcher.tried(trial)
            finished = ledger.add(trial)
            if finished is not None:
                results[finished.bug] = finished
                watcher.verified(finished)
    for bug, reason in refused.items():
        results[bug] = not_run(bug, reason)
        watcher.verified(results[bug])
    return [results[bug] for bug in request.bugs]


def not_run(bug: str, reason: str) -> BugVerification:
    """A bug that could not be tried: neither active nor broken."""
    return BugVerification(bug, Stability(Standing.NOT_RUN, "not run", "not run", reason), 0.0)


def regrade_folder(folder: Path) -> list[BugVerification]:
    """Judges recorded trials again; nothing is run."""
    by_bug: dict[str, dict[tuple[Twin, int], Trial]] = defaultdict(dict)
    for trial in open_archive(folder):
        known = by_bug[trial.bug]
        # A trial of another content means that the bug was edited: what was recorded before counts no more.
        if any(other.run.subject.get("digest") != trial.run.subject.get("digest") for other in known.values()):
            known.clear()
        known[trial.twin, trial.run.settings.seed] = regrade(trial)
    return [_result(bug, trials.values()) for bug, trials in sorted(by_bug.items())]


def read_request(folder: Path, *, source_builds: bool = False) -> VerificationRequest:
    """What an earlier verification in that folder was asked to do; consent to builds is never read from a file."""
    try:
        found = decode(VerificationRequest, parse_json(read_text(folder, "request.json")))
        return replace(found, source_builds=source_builds)
    except (ValueError, InvalidInput) as error:
        raise InvalidInput(f"{folder} contains no verification to resume.", hint="Start one: bugloss verify") from error


def changed(entries: Iterable[Entry]) -> list[Entry]:
    """Bugs whose content differs from what was last verified and recorded."""
    return [entry for entry in entries if entry.verified is None or entry.verified.digest != entry.digest()]


def record(corpus: Corpus, results: Iterable[BugVerification]) -> int:
    """Writes the results into the corpus's ledger; what was not run leaves no trace there."""
    verified = {
        result.bug: _as_verified(corpus[result.bug], result)
        for result in results
        if result.stability.standing is not Standing.NOT_RUN
    }
    write_verified(corpus.root, verified)
    return len(verified)


@dataclass(frozen=True, slots=True)
class _Task:
    entry: Entry
    twin: Twin
    seed: int


@dataclass(frozen=True, slots=True)
class _Fault:
    """A trial that came to nothing, because of the machine or of bugloss itself: the other bugs go on."""

    task: _Task
    reason: str


class _Ledger:
    """Which trials there are already, and which bugs are complete."""

    def __init__(self, entries: dict[str, Entry], request: VerificationRequest, known: Iterable[Trial]) -> None:
        self.entries = entries
        self.seeds = range(request.seed, request.seed + request.runs)
        self.trials: dict[str, dict[tuple[Twin, int], Trial]] = {bug: {} for bug in entries}
        for trial in known:
            self._put(trial)
        self.kept = sum(map(len, self.trials.values()))

    def missing(self) -> list[_Task]:
        wanted = ((entry, twin, seed) for entry in self.entries.values() for twin in Twin for seed in self.seeds)
        return [_Task(*task) for task in wanted if (task[1], task[2]) not in self.trials[task[0].id]]

    def complete(self) -> list[BugVerification]:
        return [self._result(bug) for bug in self.entries if self._is_complete(bug)]

    def add(self, trial: Trial) -> BugVerification | None:
        """Takes a trial in; the bug's result when it was the last one missing."""
        self._put(trial)
        return self._result(trial.bug) if self._is_complete(trial.bug) else None

    def _result(self, bug: str) -> BugVerification:
        return for_the_reported_reason(self.entries[bug], _result(bug, self.trials[bug].values()))

    def _put(self, trial: Trial) -> None:
        if trial.run.settings.seed in self.seeds:
            self.trials[trial.bug][trial.twin, trial.run.settings.seed] = trial

    def _is_complete(self, bug: str) -> bool:
        return len(self.trials[bug]) == len(Twin) * len(self.seeds)


def _still_valid(archive: TrialArchive, entries: dict[str, Entry]) -> list[Trial]:
    """Recorded trials of these bugs as they are now: edited bugs and runs that the machine stopped are run again."""
    digests: dict[str, str] = {}
    for bug, entry in entries.items():
        with suppress(InvalidInput, OSError):  # a bug that cannot be read: its trial says so
            digests[bug] = entry.digest()
    as_now = (regrade(trial) for trial in archive if trial.run.subject.get("digest") == digests.get(trial.bug))
    return [trial for trial in as_now if trial.grade is not Grade.NOT_RUN]


def _provide_programs(
    ledger: _Ledger,
    request: VerificationRequest,
    watcher: VerificationWatcher,
    mirror: Path | None,
    isolation: Isolation | None,
) -> dict[str, str]:
    """Clones what is missing of public repositories; returns the bugs that cannot run here, and why."""
    missing = {task.entry.id: task.entry for task in ledger.missing() if task.entry.bug.upstream is not None}
    if missing and isolation is not None and not guards_files(isolation):
        try:
            isolation_for_untrusted()
        except SandboxUnavailable as error:
            return dict.fromkeys(missing, f"{error.message} {error.hint}")
    return provide_all(missing.values(), mirror=mirror, offline=request.offline, notify=watcher.note)


def _provide_environments(
    entries: Iterable[Entry], request: VerificationRequest, watcher: VerificationWatcher
) -> dict[str, str]:
    """Builds each environment once; returns the bugs whose environment is not to be had, and why."""
    refused: dict[str, str] = {}
    failed: dict[tuple[str, ...], str] = {}
    for entry in entries:
        stack = entry.stack
        if stack.packages not in failed:
            try:
                provide(stack, offline=request.offline, source_builds=request.source_builds, notify=watcher.note)
                continue
            except EnvironmentFailure as error:
                failed[stack.packages] = f"{error.message} {error.hint}".strip()
        refused[entry.id] = failed[stack.packages]
    return refused


def _run_here(
    tasks: Sequence[_Task], request: VerificationRequest, jobs: int, isolation: Isolation | None, forks: bool
) -> Generator[Trial | _Fault, None, None]:
    """Trials on this machine; those of one environment follow each other, and load it once a job."""
    preloaded = PreloadedTrials()
    runner = preloaded.run if forks else execute.execute
    try:
        yield from _run_all(sorted(tasks, key=_environment_of), request, jobs, isolation, runner)
    finally:
        preloaded.close()


def _environment_of(task: _Task) -> tuple[str, tuple[str, ...]]:
    return task.entry.bug.stack, task.entry.bug.pins


def _run_all(
    tasks: Sequence[_Task], request: VerificationRequest, jobs: int, isolation: Isolation | None, runner: Runner
) -> Generator[Trial | _Fault, None, None]:
    """Trials in the order they end. Ctrl-C stops the programs that run and starts no further ones."""
    pool = ThreadPoolExecutor(max(1, jobs), thread_name_prefix="trial")
    pending: set[Future[Trial | _Fault]] = set()
    # Not ``futures.wait``: a Ctrl-C while it takes the locks of the futures would leave them locked for ever.
    ended: SimpleQueue[Future[Trial | _Fault]] = SimpleQueue()
    try:
        for task in tasks:
            future = pool.submit(_run_one, task, request, isolation, runner)
            pending.add(future)
            future.add_done_callback(ended.put)
        while pending:
            future = ended.get()
            pending.discard(future)
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        # More than once: a program may be about to start, or be the first of a trial's two.
        while not all(future.done() for future in pending):
            execute.stop_all()
            time.sleep(_PAUSE)
        pool.shutdown(wait=True)


def _run_on(
    engine: Engine, corpus: Corpus, tasks: Sequence[_Task], request: VerificationRequest
) -> Generator[Trial | _Fault, None, None]:
    """Trials of other machines; each of them chooses its isolation, and has the environments that it needs."""
    by_remote = {
        RemoteTrial(
            corpus_elsewhere(corpus), task.entry.id, task.twin, task.seed, task.entry.bug.stack,
            request.timeout, request.offline, request.source_builds,
        ): task
        for task in tasks
    }  # fmt: skip
    with closing(engine.run(run_remotely, list(by_remote), lambda remote: remote.stack)) as results:
        for result in results:
            yield _Fault(by_remote[result.task], result.reason) if isinstance(result, LostTask) else result


def _run_one(task: _Task, request: VerificationRequest, isolation: Isolation | None, runner: Runner) -> Trial | _Fault:
    try:
        return run_trial(
            task.entry,
            task.twin,
            seed=task.seed,
            offline=request.offline,
            source_builds=request.source_builds,
            timeout=request.timeout,
            isolation=isolation,
            runner=runner,
        )
    except BuglossError as error:
        return _Fault(task, f"{error.message} {error.hint}".strip())
    except Exception as error:
        return _Fault(task, in_one_line(error))


def _result(bug: str, trials: Iterable[Trial]) -> BugVerification:
    ordered = tuple(sorted(trials, key=lambda trial: (trial.twin.value, trial.run.settings.seed)))
    seconds = sum(trial.run.seconds + (trial.reference.seconds if trial.reference else 0) for trial in ordered)
    return BugVerification(bug, stability(ordered), round(seconds, 1), ordered)


def _as_verified(entry: Entry, result: BugVerification) -> Verified:
    run = result.trials[0].run
    outcome = result.stability
    return Verified(
        digest=entry.digest(),
        buggy=outcome.buggy,
        fixed=outcome.fixed,
        standing=outcome.standing.value,
        date=date.today().isoformat(),
        platform=f"{platform.system()} {platform.machine()}, Python {run.python}",
        isolation=run.isolation.level,
        environment=run.environment,
        seconds=round(result.seconds / len(result.trials), 1),
        p_value=outcome.comparison.get("p_value"),
        a12=outcome.comparison.get("a12"),
    )


def _write_request(folder: Path, request: VerificationRequest) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_inside(folder, "request.json", json.dumps(encode(request)) + "\n")
    except OSError as error:
        raise InvalidInput(
            f"{folder} cannot be written: {error.strerror}.", hint="Name another folder with -o."
        ) from error
