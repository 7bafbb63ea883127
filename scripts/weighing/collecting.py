"""From recordings to ``bench/data/clues.json``: both programs of every bug that trains, and of every unseen program.

The recordings are those of ``python -m bench diagnosis unseen``; what they lack is recorded.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence

from bench import diagnosis, unseen
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.corpus.collection import load as corpus
from bugloss.observe.arbiter import strengths
from bugloss.observe.case import Case
from bugloss.observe.fault import Fault, all_clues
from weighing.material import RecordedProgram


def collect() -> Iterator[RecordedProgram]:
    """Every program whose true cause is written down and is one that clues can name."""
    yield from _of_corpus()
    yield from _of_unseen()


def _of_corpus() -> Iterator[RecordedProgram]:
    truth = tomllib.loads(diagnosis.TRUTH.read_text(encoding="utf-8"))
    for bug, accepted in diagnosis.expected(truth):
        if bug in truth["crashes"]:
            continue
        entry = corpus()[bug]
        row = diagnosis.table21_row(entry)
        group = f"table 21, row {row}" if row else bug
        for twin, recorded in diagnosis.runs_of(entry).items():
            run = diagnosis.examination(entry, recorded)
            yield _program(f"{bug} {twin}", group, accepted if twin == "buggy" else (), run.case)


def _of_unseen() -> Iterator[RecordedProgram]:
    truth = tomllib.loads(unseen.TRUTH.read_text(encoding="utf-8"))
    for name, facts in truth.items():
        for twin in ("buggy", "fixed"):
            run = unseen.examined(name, twin, facts["stack"])
            yield _program(f"{name} {twin}", name, facts["causes"] if twin == "buggy" else (), run.case)


def _program(name: str, group: str, accepted: Sequence[str], case: Case) -> RecordedProgram:
    seen = {fault.name: strengths(all_clues(fault, case)) for fault in load(PluginGroup.FAULT, Fault).values()}
    clues = {fault: found for fault, found in seen.items() if found}
    return RecordedProgram(name, group, tuple(accepted), case.alarming, clues)
