"""The work of one task: ask some tools about one program, and yield a cell for each as soon as it has answered."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.bug import Twin
from bugloss.core.errors import BuglossError, EnvironmentFailure
from bugloss.core.failure_text import in_one_line
from bugloss.corpus.collection import load
from bugloss.corpus.entry import Entry
from bugloss.evaluate.matrix.cell import Cell, CellState, EvaluationTask, ToolReply, content_key
from bugloss.workflows.benchmark.case import BenchSettings, DoesNotApply, ProgramCase, program_digest, stack_digest
from bugloss.workflows.benchmark.selection import ToolSpec
from bugloss.workflows.benchmark.settling import settle
from bugloss.workflows.benchmark.tool import BenchTool

_TRIED = {"built-in", "plug-in"}  # their answers come with what trying them showed


@dataclass(frozen=True, slots=True)
class AskingTask:
    """One program of one bug with one seed, and the tools that have not answered yet."""

    corpus: Path | None  # None: the one that ships with bugloss
    bug: str
    side: Twin
    seed: int
    stack: str
    tools: tuple[ToolSpec, ...]
    settings: BenchSettings
    recordings: Path


def cell_key(entry: Entry, side: Twin, seed: int, version: str, settings: BenchSettings) -> str:
    """What a stored answer must have been made from to be good still."""
    kept = (settings.timeout, settings.runs, settings.budget)
    return content_key(version, program_digest(entry, side), stack_digest(entry), seed, kept)


def ask_tools(task: AskingTask) -> Iterator[Cell]:
    """A cell for each tool, in their order."""
    entry = load(task.corpus)[task.bug]
    case = ProgramCase(entry, task.side, task.seed, task.settings, task.recordings)
    for spec in task.tools:
        yield _ask(spec, case)


def _ask(spec: ToolSpec, case: ProgramCase) -> Cell:
    """Seconds are those of the tool; those of the observed run, which several tools share, are kept apart."""
    tool = spec.tool()
    started, before = time.monotonic(), case.recording_seconds
    state, reply, reason = _answer(tool, spec.task, case)
    seconds = time.monotonic() - started - (case.recording_seconds - before)
    key = cell_key(case.entry, case.side, case.seed, tool.version, case.settings)
    used = case.run_seconds if tool.reads_run else 0.0
    return Cell(tool.name, case.entry.id, case.side, case.seed, key, state, reply, reason, round(seconds, 3), used)


def _answer(tool: BenchTool, task: EvaluationTask, case: ProgramCase) -> tuple[CellState, ToolReply, str]:
    try:
        reply = tool.ask(case)
        return CellState.ANSWERED, reply if tool.origin in _TRIED else settle(task, case, reply), ""
    except DoesNotApply as why:
        return CellState.NOT_APPLICABLE, ToolReply(), str(why)
    except EnvironmentFailure as error:
        return CellState.ENVIRONMENT, ToolReply(), f"{error.message} {error.hint}".strip()
    except BuglossError as error:
        return CellState.TOOL, ToolReply(), f"{error.message} {error.hint}".strip()
    except (Exception, SystemExit) as error:  # a tool is foreign code
        return CellState.TOOL, ToolReply(), in_one_line(error)
