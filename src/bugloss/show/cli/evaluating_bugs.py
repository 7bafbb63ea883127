"""Runs an evaluation over bugs of the corpus for the command line, and writes its page."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.corpus.collection import load
from bugloss.corpus.entry import Entry
from bugloss.evaluate.matrix.cell import EvaluationTask
from bugloss.evaluate.matrix.truth import GROUPINGS
from bugloss.show.cli.benchmark import show_evaluation, watching_evaluation
from bugloss.show.cli.output import is_silent
from bugloss.workflows.benchmark.case import BenchSettings
from bugloss.workflows.benchmark.session import BenchRequest, evaluate_tools
from bugloss.workflows.engine.choice import choose_engine
from bugloss.workflows.repair_evaluation import draw
from bugloss.workflows.selection import choose
from bugloss.workflows.upstream.sources import provide_all

WhereTo = tuple[Path, Path | None, int, str, str | None]  # output, recordings, jobs, engine, scheduler
HowTo = tuple[int, int, float, float, bool, bool]  # runs, seed, timeout, budget, offline, again


@dataclass(frozen=True, slots=True)
class BugEvaluation:
    """Which bugs, which tools, which groups are printed."""

    bugs: tuple[str, ...]
    where: str | None
    sample: int
    tools: list[str]
    predictions: tuple[Path, ...]
    groups: list[str]


def evaluate_bugs(task: str, chosen: BugEvaluation, where_to: WhereTo, how: HowTo, quiet: bool, json: bool) -> int:
    """Asks, grades, writes the report, and shows the scores."""
    folder, recordings, jobs, engine, scheduler = where_to
    runs, seed, timeout, budget, offline, again = how
    for name in chosen.groups:
        if name not in GROUPINGS:
            raise InvalidInput(f"'{name}' is not a group.", hint=f"Known: {', '.join(GROUPINGS)}.")
    request = BenchRequest(
        EvaluationTask(task),
        tuple(chosen.tools),
        folder,
        tuple(range(seed, seed + runs)),
        chosen.predictions,
        BenchSettings(timeout=timeout, budget=budget, offline=offline),
        recordings,
        shlex.join(["bugloss", *sys.argv[1:]]),
        again,
    )
    corpus = load()
    entries = _with_sources(draw(choose(corpus, chosen.bugs, chosen.where), chosen.sample), offline)
    with watching_evaluation(is_silent(quiet, json), folder) as watcher:
        graded = evaluate_tools(corpus, entries, request, choose_engine(engine, jobs, scheduler), watcher)
    return show_evaluation(graded, folder, chosen.groups, json)


def _with_sources(entries: list[Entry], offline: bool) -> list[Entry]:
    """The bugs whose programs are on this machine, or can be brought here; the others are named."""
    refused = provide_all(entries, offline=offline)
    if refused:
        why = next(iter(refused.values()))
        print(f"not evaluated: {', '.join(refused)}: {why}", file=sys.stderr)
    return [entry for entry in entries if entry.id not in refused]
