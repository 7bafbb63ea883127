"""Runs a bug's own test on one of its programs and judges the outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from bugloss.core.bug import OracleKind, Twin
from bugloss.core.foreign_file import ForeignFile
from bugloss.core.run import Isolation, Limits, Run, Settings
from bugloss.core.trial import Trial
from bugloss.corpus.collection import Corpus, load
from bugloss.corpus.entry import Entry
from bugloss.corpus.unified_diff import bug_files
from bugloss.run.environment import Environment, provide
from bugloss.run.execute import Job, execute
from bugloss.run.sandbox import isolation as isolation_at
from bugloss.run.sandbox import isolation_for_untrusted
from bugloss.verify.judge import judge
from bugloss.workflows.upstream.sources import provide_sources

# A test that takes this many times its expected seconds hangs, also on a machine much slower than ours.
_PATIENCE = 12
_LEAST_SECONDS = 60.0

Runner = Callable[[Job, Environment, Isolation], Run]


def isolation_for(subject: Entry | Corpus, level: str | None = None) -> Isolation:
    """The named level; else the best that works for our own programs, and what guards the user's files for others'."""
    return isolation_at(level) if subject.shipped else isolation_for_untrusted(level)


def test(bug: str, *, seed: int = 0, offline: bool = False) -> Trial:
    """Runs a bug's test in its own environment, sandboxed, and judges it: ``torch-0003b`` is the buggy program,
    ``torch-0003f`` the fixed one."""
    entry, twin = load().twin(bug)
    return run_trial(entry, twin or Twin.BUGGY, seed=seed, offline=offline)


def run_trial(
    entry: Entry,
    twin: Twin,
    *,
    seed: int = 0,
    offline: bool = False,
    source_builds: bool = False,
    timeout: float | None = None,
    isolation: Isolation | None = None,
    program: Path | None = None,
    mirror: Path | None = None,
    runner: Runner = execute,
    notify: Callable[[str], None] = lambda text: None,
) -> Trial:
    """Runs the test once; ``program`` is another folder to run instead, to test a repair; ``mirror`` is where
    sources of public repositories are looked for first.

    ``runner`` runs the job; costs are measured in new processes whoever it is.
    """
    oracle = entry.oracle
    provide_sources(entry, mirror=mirror, offline=offline, notify=notify)
    environment = provide(entry.stack, offline=offline, source_builds=source_builds, notify=notify)
    job = _job(entry, program or entry.program(twin), seed, timeout)
    job = replace(job, subject={"bug": entry.id, "twin": twin.value, "digest": entry.digest()})
    isolation = isolation or isolation_for(entry)
    notify(f"running the test of {entry.id} on the {twin.value} program ({isolation.level})")
    run = (execute if oracle.kind is OracleKind.COST else runner)(job, environment, isolation)
    reference = None
    if oracle.kind is OracleKind.COST:
        healthy = replace(job, files=_files(entry, entry.program(Twin.FIXED)))
        reference = execute(healthy, environment, isolation)
    return Trial(entry.id, twin, oracle, run, judge(oracle, run, reference), reference)


def _job(entry: Entry, program: Path, seed: int, timeout: float | None) -> Job:
    seconds = timeout or max(_LEAST_SECONDS, _PATIENCE * entry.bug.seconds)
    limits, settings = Limits(wall_seconds=seconds), Settings(seed=seed)
    return Job(
        _files(entry, program),
        "test.py",
        settings=settings,
        limits=limits,
        probes=("oracle",),
        installed=entry.installed_modules,
    )


def _files(entry: Entry, program: Path) -> dict[str, Path | ForeignFile]:
    """The program, with the bug's own test and oracle laid over it: a program cannot bring its own judge."""
    laid_out: dict[str, Path | ForeignFile] = {file.name: file for file, _ in bug_files(program).files}
    laid_out["test.py"] = entry.test_file
    laid_out["oracle.py"] = Path(str(files("bugloss.probes") / "oracle.py"))
    return laid_out
