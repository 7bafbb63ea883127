"""An evaluation from request to results: plan, ask what is missing, store each answer at once, grade."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Protocol

from bugloss import __version__
from bugloss.core.codec import encode
from bugloss.core.engine import Engine, LostTask
from bugloss.core.errors import InvalidInput
from bugloss.corpus.collection import Corpus
from bugloss.corpus.entry import Entry
from bugloss.evaluate.matrix.cell import Cell, CellState, EvaluationTask, MatrixPlace
from bugloss.evaluate.matrix.grading import Graded, grade
from bugloss.evaluate.matrix.predictions import predicting_tools, read_replies, with_silence
from bugloss.evaluate.matrix.store import CellStore, EvaluationFile, read_cells, read_request, write_request
from bugloss.workflows.benchmark.asking import AskingTask, ask_tools, cell_key
from bugloss.workflows.benchmark.bug_facts import facts_of
from bugloss.workflows.benchmark.case import BenchSettings, remove_leftovers
from bugloss.workflows.benchmark.selection import ToolSpec, choose_tools
from bugloss.workflows.remote_trials import corpus_elsewhere


class EvaluationWatcher(Protocol):
    """An observer of the progress."""

    def planned(self, cells: int, kept: int) -> None: ...
    def answered(self, cell: Cell) -> None: ...
    def lost(self, bug: str, reason: str) -> None: ...


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """Which tools are asked about which bugs, and where the answers are kept."""

    task: EvaluationTask
    tools: tuple[str, ...]
    folder: Path
    seeds: tuple[int, ...] = (0,)
    predictions: tuple[Path, ...] = ()
    settings: BenchSettings = field(default_factory=BenchSettings)
    recordings: Path | None = None
    command: str = ""
    again: bool = False


def evaluate_tools(
    corpus: Corpus, entries: Sequence[Entry], request: BenchRequest, engine: Engine, watcher: EvaluationWatcher
) -> Graded:
    """Asks every tool about every program that it has not answered yet, and grades all answers."""
    specs = choose_tools(request.tools, request.task)
    given = {path: read_replies(path) for path in request.predictions}
    if request.task in {EvaluationTask.REPRODUCE, EvaluationTask.REPAIR}:
        specs += _to_try(given, request.task)
        given = {}
    asked = _asked(entries, request, specs, given)
    write_request(request.folder, asked)
    store = CellStore(request.folder, request.task.family)
    _store_predictions(store, asked, [cell for cells in given.values() for cell in cells], request)
    tasks, kept = _plan(corpus, entries, request, specs, store)
    remove_leftovers(_recordings(request))
    watcher.planned(sum(len(task.tools) for task in tasks), kept)
    with closing(engine.run(ask_tools, tasks, lambda task: task.stack)) as results:
        for result in results:
            if isinstance(result, LostTask):
                watcher.lost(result.task.bug, result.reason)
                for cell in _lost_cells(result, store):
                    store.write(cell)
            else:
                store.write(result)
                watcher.answered(result)
    return grade(asked, read_cells(request.folder, asked))


def regrade(folder: Path) -> Graded:
    """The scores of stored answers; nothing is run."""
    asked = read_request(folder)
    return grade(asked, read_cells(folder, asked))


def _asked(
    entries: Sequence[Entry], request: BenchRequest, specs: Sequence[ToolSpec], given: dict[Path, list[Cell]]
) -> EvaluationFile:
    tools = [spec.tool().judged for spec in specs]
    for path, cells in given.items():
        tools += predicting_tools(cells, path)
    names = [tool.name for tool in tools]
    if not names:
        raise InvalidInput("no tool is named.", hint="Name some with --tools, or give predictions with -p.")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InvalidInput(f"two tools are called '{twice}'.", hint="Rename the one in the predictions or the driver.")
    return EvaluationFile(
        task=request.task,
        tools=tuple(tools),
        bugs=tuple(facts_of(entry) for entry in entries),
        seeds=request.seeds,
        command=request.command,
        version=__version__,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        machine=f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        settings=encode(request.settings),
    )


def _to_try(given: dict[Path, list[Cell]], task: EvaluationTask) -> list[ToolSpec]:
    """Programs and patches of other tools: they are run like those of ours."""
    answers: dict[str, list[tuple[str, str]]] = {}
    for cells in given.values():
        for cell in cells:
            answers.setdefault(cell.tool, []).append((cell.bug, cell.reply.text))
    return [ToolSpec(name, task, given=tuple(sorted(texts))) for name, texts in answers.items()]


def _store_predictions(store: CellStore, asked: EvaluationFile, cells: Sequence[Cell], request: BenchRequest) -> None:
    """Answers that were made elsewhere, for the bugs of this evaluation."""
    tools = {cell.tool for cell in cells}
    wanted = [
        MatrixPlace(tool, bug.bug, side, seed)
        for tool in sorted(tools)
        for bug in asked.bugs
        for side in request.task.sides
        for seed in request.seeds
    ]
    for cell in with_silence(cells, wanted):
        store.write(cell)


def _plan(
    corpus: Corpus, entries: Sequence[Entry], request: BenchRequest, specs: Sequence[ToolSpec], store: CellStore
) -> tuple[list[AskingTask], int]:
    """A task for each program with the tools that have no good answer yet, and how many answers are kept."""
    tools = {spec: spec.tool().version for spec in specs}
    recordings = _recordings(request)
    tasks, kept = [], 0
    for entry, side, seed in product(entries, request.task.sides, request.seeds):
        missing = tuple(
            spec
            for spec, version in tools.items()
            if request.again
            or not _is_good(
                store.read(MatrixPlace(spec.name, entry.id, side, seed)),
                cell_key(entry, side, seed, version, request.settings),
            )
        )
        kept += len(specs) - len(missing)
        if missing:
            place = (corpus_elsewhere(corpus), entry.id, side, seed, entry.bug.stack)
            tasks.append(AskingTask(*place, missing, request.settings, recordings))
    return tasks, kept


def _recordings(request: BenchRequest) -> Path:
    return (request.recordings or request.folder / "recordings").resolve()


def _is_good(cell: Cell | None, key: str) -> bool:
    """Whether a stored answer can be used: made from the same content, and not a failure of the machine."""
    return cell is not None and cell.state is not CellState.ENVIRONMENT and cell.key == key


def _lost_cells(lost: LostTask[AskingTask], store: CellStore) -> list[Cell]:
    """A task that was lost leaves environment failures, where its tools had not answered before."""
    task = lost.task
    places = [MatrixPlace(spec.name, task.bug, task.side, task.seed) for spec in task.tools]
    return [
        Cell(place.tool, place.bug, place.side, place.seed, "", CellState.ENVIRONMENT, reason=lost.reason)
        for place in places
        if store.read(place) is None
    ]
