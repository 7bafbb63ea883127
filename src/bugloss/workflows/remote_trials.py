"""Trials of bugs on an engine: what is sent is a name and settings, what comes back is the whole trial.

The corpus must be in the same folder on every machine, or be the one that ships with bugloss.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.bug import Twin
from bugloss.core.run import Isolation
from bugloss.core.trial import Trial
from bugloss.corpus.collection import Corpus, load
from bugloss.workflows.bug_trial import run_trial


@dataclass(frozen=True, slots=True)
class RemoteTrial:
    """One test of one program of a bug."""

    corpus: Path | None  # None: the one that ships with bugloss
    bug: str
    twin: Twin
    seed: int
    stack: str
    timeout: float | None = None
    offline: bool = False
    source_builds: bool = False
    isolation: Isolation | None = None


def run_remotely(task: RemoteTrial) -> Iterator[Trial]:
    """The work of one task; raises what keeps the test from being run."""
    yield run_trial(
        load(task.corpus)[task.bug],
        task.twin,
        seed=task.seed,
        offline=task.offline,
        source_builds=task.source_builds,
        timeout=task.timeout,
        isolation=task.isolation,
    )


def corpus_elsewhere(corpus: Corpus) -> Path | None:
    """How another machine finds the corpus."""
    return None if corpus.shipped else corpus.root.resolve()
