"""The page *Bench*: tools against bugs, scores with intervals, two evaluations compared. Nothing is run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bugloss.core.errors import BuglossError
from bugloss.core.plural import plural
from bugloss.core.visible import visible
from bugloss.evaluate.matrix.cell import EvaluationTask
from bugloss.evaluate.matrix.comparison import EvaluationComparison, compare_evaluations
from bugloss.evaluate.matrix.grading import Graded, GradedSection
from bugloss.evaluate.matrix.marks import marks_of
from bugloss.evaluate.matrix.outcome import BugOutcome, SideWord
from bugloss.evaluate.matrix.scores import ToolScores
from bugloss.evaluate.matrix.significance import PairedTest
from bugloss.evaluate.matrix.store import REQUEST, EvaluationFile, read_request
from bugloss.evaluate.retrieval import Estimate
from bugloss.evaluate.share import Share
from bugloss.workflows.benchmark.session import regrade

_DEPTHS = ("*", "*/*", ".bugloss/*/*")  # below the folder that the server was started in
_MOST_FOLDERS = 100
_JOB = "job-"  # evaluations of jobs are named by this and the id of the job
_WORDS = {
    "separated": "alarm on the buggy program only",
    "found": "found",
    "both": "alarm on both programs",
    "wrong": "alarm on the fixed program only",
    "missed": "silent on the buggy program",
    "apart": "does not apply",
    "failed": "could not be run",
}


@dataclass(frozen=True, slots=True)
class EvaluationRow:
    """An evaluation in the list."""

    folder: str
    title: str
    task: str
    tools: tuple[str, ...]
    bugs: int
    started: str


@dataclass(frozen=True, slots=True)
class MeasureView:
    """A measure with its interval, in percent of the width of a cell."""

    text: str
    of: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ToolRow:
    """The scores of one tool."""

    tool: str
    title: str
    measures: tuple[MeasureView | None, ...]
    counted: int
    bugs: int
    seconds: str


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One tool and one bug."""

    kind: str
    words: str
    mark: str
    address: str


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A bug with the cells of all tools."""

    bug: str
    cells: tuple[MatrixCell, ...]


@dataclass(frozen=True, slots=True)
class SectionView:
    """Real, upstream or synthetic bugs: they are never pooled."""

    kind: str
    bugs: int
    measures: tuple[str, ...]
    tools: tuple[ToolRow, ...]
    rows: tuple[MatrixRow, ...]
    pairs: tuple[PairedTest, ...]


@dataclass(frozen=True, slots=True)
class BenchView:
    """One evaluation."""

    folder: str
    title: str
    task: str
    command: str
    started: str
    machine: str
    seeds: int
    missing: int
    failures: int
    tools: tuple[str, ...]
    sections: tuple[SectionView, ...]
    legend: tuple[tuple[str, str], ...]


def evaluations_below(root: Path) -> dict[str, Path]:
    """The evaluations below a folder by their names: paths from there."""
    files = [path for depth in _DEPTHS for path in root.glob(f"{depth}/{REQUEST}")][:_MOST_FOLDERS]
    return {path.parent.relative_to(root).as_posix(): path.parent for path in files}


def list_evaluations(folders: Mapping[str, Path]) -> list[EvaluationRow]:
    """Evaluations by name, the latest first; what cannot be read is left out."""
    rows = [row for name, folder in folders.items() if (row := _row(name, folder)) is not None]
    return sorted(rows, key=lambda row: row.started, reverse=True)


def _row(name: str, folder: Path) -> EvaluationRow | None:
    try:
        asked = read_request(folder)
    except BuglossError:
        return None
    tools = tuple(tool.name for tool in asked.tools)
    started = visible(asked.started).replace("T", " ")[:16]
    title = f"job {name[-6:]}" if name.startswith(_JOB) else name
    return EvaluationRow(name, title, asked.task.value, tools, len(asked.bugs), started)


def _title(name: str, asked: EvaluationFile) -> str:
    """The folder of an evaluation; for that of a job, whose folder says nothing, what was asked."""
    if not name.startswith(_JOB):
        return name
    return f"{', '.join(tool.name for tool in asked.tools)} on {plural(len(asked.bugs), 'bug')}"


def names_of_jobs(folders: Mapping[str, Path]) -> dict[str, Path]:
    """The evaluations of jobs by their names; the keys are ids of jobs."""
    return {f"{_JOB}{job}": folder for job, folder in folders.items()}


def graded(folders: Mapping[str, Path], name: str) -> Graded | None:
    """One of the evaluations, graded; None for any other name."""
    place = folders.get(name)
    if place is None or _row(name, place) is None:
        return None
    newest = max((path.stat().st_mtime_ns for path in (place / "cells").glob("*/*")), default=0)
    return _graded(place, newest)


@lru_cache(maxsize=16)
def _graded(folder: Path, stamp: int) -> Graded:
    return regrade(folder)


def view_bench(found: Graded, folder: str) -> BenchView:
    """An evaluation as a page."""
    asked = found.asked
    sections = tuple(_section(found, section, folder) for section in found.sections)
    kinds = {cell.kind for section in sections for row in section.rows for cell in row.cells}
    return BenchView(
        folder,
        _title(folder, asked),
        asked.task.value,
        asked.command,
        asked.started,
        asked.machine,
        len(asked.seeds),
        found.missing,
        found.environment_failures,
        tuple(tool.name for tool in asked.tools),
        sections,
        tuple((kind, words) for kind, words in _WORDS.items() if kind in kinds),
    )


def _section(found: Graded, section: GradedSection, folder: str) -> SectionView:
    names = tuple(dict.fromkeys(name for one in section.scores.values() for name in one.measures))
    titles = {tool.name: tool.title for tool in found.asked.tools}
    tools = [_tool(name, titles.get(name, name), one, names) for name, one in section.scores.items()]
    return SectionView(
        section.kind, len(section.bugs), names, tuple(tools), tuple(_rows(found, section, folder)), section.pairs
    )


def _tool(name: str, title: str, scores: ToolScores, measures: Sequence[str]) -> ToolRow:
    counted = sum(scores.words.get(word.value, 0) for word in SideWord if word.counts)
    views = tuple(_measure(scores.measures.get(measure)) for measure in measures)
    return ToolRow(name, title, views, counted, scores.bugs, f"{scores.median_seconds:g} s")


def _measure(one: Share | Estimate | None) -> MeasureView | None:
    if one is None:
        return None
    if isinstance(one, Share):
        if not one.of:
            return None
        low, high = one.interval
        return MeasureView(f"{one.value:.2f}", f"{one.count} of {one.of}", 100 * one.value, 100 * low, 100 * high)
    return MeasureView(f"{one.value:.2f}", "", 100 * one.value, 100 * one.low, 100 * one.high)


def _rows(found: Graded, section: GradedSection, folder: str) -> Iterator[MatrixRow]:
    by_bug: dict[str, dict[str, BugOutcome]] = {}
    for one in found.outcomes:
        by_bug.setdefault(one.facts.bug, {})[one.tool] = one
    tools = [tool.name for tool in found.asked.tools]
    rows = [
        MatrixRow(bug, tuple(_cell(by_bug[bug].get(tool), tool, bug, found.asked.task, folder) for tool in tools))
        for bug in section.bugs
    ]
    yield from sorted(rows, key=lambda row: (-sum(cell.kind in {"separated", "found"} for cell in row.cells), row.bug))


_MARKS = {"separated": "●", "found": "●", "both": "◐", "wrong": "◯", "missed": "·", "apart": "", "failed": "!"}


def _cell(one: BugOutcome | None, tool: str, bug: str, task: EvaluationTask, folder: str) -> MatrixCell:
    kind = _kind(one, task)
    return MatrixCell(
        kind, f"{tool}, {bug}: {_WORDS[kind]}", _MARKS[kind], f"/bench/{folder}?tool={tool}&bug={bug}#cell"
    )


def _kind(one: BugOutcome | None, task: EvaluationTask) -> str:
    if one is None or one.buggy.word in {SideWord.MISSING, SideWord.ENVIRONMENT}:
        return "failed"
    if one.buggy.word is SideWord.NOT_APPLICABLE:
        return "apart"
    if task is not EvaluationTask.DETECT:
        first = next(iter(marks_of(task).values()))
        return "found" if first(one) else "missed"
    if one.detected:
        return "both" if one.false_alarm else "separated" if one.paired else "found"
    return "wrong" if one.false_alarm else "missed"


@dataclass(frozen=True, slots=True)
class AnswerView:
    """What a tool said about one bug."""

    tool: str
    bug: str
    sides: tuple[tuple[str, str, str, str], ...]  # program, word, answer, seconds
    faults: tuple[str, ...]


def view_answer(found: Graded, tool: str, bug: str) -> AnswerView | None:
    """The answers of one tool about both programs of a bug."""
    one = next((one for one in found.outcomes if one.tool == tool and one.facts.bug == bug), None)
    if one is None:
        return None
    sides = tuple(
        (name, side.word.value, side.reply.text or side.reason, f"{side.seconds:.1f} s")
        for name, side in (("buggy", one.buggy), ("fixed", one.fixed))
    )
    faults = [
        f"{fault.fix_pattern} {', '.join(f'{line.path}:{line.line}' for line in fault.lines)}" for fault in one.faults
    ]
    return AnswerView(tool, bug, sides, tuple(fault.strip() for fault in faults if fault.strip()))


def compare_folders(folders: Mapping[str, Path], first: str, second: str) -> EvaluationComparison | None:
    """Two of the evaluations, bug by bug."""
    both = [graded(folders, name) for name in (first, second)]
    return compare_evaluations(both[0], both[1]) if both[0] is not None and both[1] is not None else None


def results_of_bug(folders: Mapping[str, Path], bug: str) -> list[tuple[str, str, str, str]]:
    """What the evaluations say about one bug: evaluation, tool, words, address."""
    results = []
    for row in list_evaluations(folders):
        found = graded(folders, row.folder)
        for one in found.outcomes if found is not None else ():
            if found is not None and one.facts.bug == bug:
                cell = _cell(one, one.tool, bug, found.asked.task, row.folder)
                results.append((f"{row.task} ({row.title})", one.tool, _WORDS[cell.kind], cell.address))
    return results
