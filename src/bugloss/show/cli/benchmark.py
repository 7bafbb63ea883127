"""Shows an evaluation: a bar while it runs, a table of scores, and which tools differ."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from bugloss.core.plural import plural
from bugloss.evaluate.matrix.cell import Cell, CellState
from bugloss.evaluate.matrix.comparison import EvaluationComparison
from bugloss.evaluate.matrix.grading import Graded, GradedSection, document
from bugloss.evaluate.matrix.scores import ToolScores
from bugloss.evaluate.matrix.significance import PairedTest
from bugloss.evaluate.matrix.store import write_results
from bugloss.evaluate.repair import RepairRow, write_row
from bugloss.evaluate.retrieval import Estimate
from bugloss.evaluate.share import Share
from bugloss.show.cli.exit_codes import ENVIRONMENT, FINE
from bugloss.show.cli.output import console, error_console, print_json
from bugloss.show.cli.repair_scores import show_repair_scores
from bugloss.show.scores.evaluation_page import write_report
from bugloss.workflows.repair_evaluation import ROWS
from bugloss.workflows.repair_evaluation import document as repair_document

_SURE = 0.05
_LINE_SECONDS = 1.0  # between two lines of progress: an evaluation has thousands of answers, most of them quick


class EvaluationScreen:
    """A bar that advances with every answer; lines where there is no terminal to draw it."""

    def __init__(self, terminal: Console, bar: Progress) -> None:
        self.terminal = terminal
        self.bar = bar
        self.task = bar.add_task("preparing", total=None)
        self.failures = 0
        self._answers = 0
        self._cells = 0
        self._told = 0.0

    def planned(self, cells: int, kept: int) -> None:
        if kept:
            self.terminal.print(f"{plural(kept, 'answer')} stored already, {cells} to go")
        self.bar.update(self.task, description="asking", total=cells)
        self._cells = cells

    def answered(self, cell: Cell) -> None:
        self.failures += cell.state in {CellState.ENVIRONMENT, CellState.TOOL}
        failed = f", {self.failures} failed" if self.failures else ""
        words = f"{cell.bug} {cell.side.value}: {cell.tool}{failed}"
        self.bar.update(self.task, advance=1, description=words)
        self._answers += 1
        if self.bar.disable and (self._answers == self._cells or time.monotonic() - self._told >= _LINE_SECONDS):
            self._told = time.monotonic()
            self.terminal.print(f"{self._answers} of {self._cells}: {words}", soft_wrap=True)

    def lost(self, bug: str, reason: str) -> None:
        self.terminal.print(f"{bug}: not evaluated, {reason}", soft_wrap=True)


class SilentEvaluation:
    """Watches and says nothing."""

    def planned(self, cells: int, kept: int) -> None: ...
    def answered(self, cell: Cell) -> None: ...
    def lost(self, bug: str, reason: str) -> None: ...


@contextmanager
def watching_evaluation(quiet: bool, folder: Path) -> Iterator[EvaluationScreen | SilentEvaluation]:
    """The watcher to pass to an evaluation; an interruption says how to go on."""
    terminal = error_console()
    try:
        if quiet:
            yield SilentEvaluation()
            return
        words = TextColumn("{task.description}", markup=False)
        columns = (words, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        plain = not terminal.is_terminal
        with Progress(
            *columns, console=terminal, transient=True, disable=plain, redirect_stdout=False, redirect_stderr=False
        ) as bar:
            yield EvaluationScreen(bar.console, bar)
    except KeyboardInterrupt:
        if not quiet:
            hint = f"The answers so far are stored in {folder}. The same command goes on from there."
            terminal.print(hint, soft_wrap=True)
        raise


def show_evaluation(graded: Graded, folder: Path, groups: Sequence[str], json: bool) -> int:
    """Writes results, tables and page; prints the scores or the document."""
    write_report(folder, graded)
    rows = repair_rows(graded)
    if rows:
        write_results(folder, ROWS, "".join(f"{write_row(row)}\n" for row in rows))
    if json:
        print_json("evaluation", {**document(graded), **(repair_document(rows) if rows else {})})
    else:
        show_graded(graded, groups, folder)
        if rows:
            show_repair_scores(rows)
    return exit_code_of(graded)


def repair_rows(graded: Graded) -> list[RepairRow]:
    """The whole answers of repair tools of ours."""
    return [one.buggy.reply.repair for one in graded.outcomes if one.buggy.reply.repair is not None]


def show_compared(found: EvaluationComparison) -> None:
    """A line per tool and measure, and the bugs on which they differ."""
    screen = console()
    for kind, test in found.tests:
        gained = f"{test.only_first} only with the first, {test.only_second} only with the second"
        screen.print(f"{kind} bugs: {pair_words(test)}; {gained}", soft_wrap=True)
    for kind, timed in found.seconds:
        seen = timed.comparison
        screen.print(
            f"{kind} bugs: {timed.first} and {timed.second}, seconds: {seen.difference:+.2f} on average, "
            f"p = {seen.p:.2g} (Wilcoxon), rank-biserial {seen.rank_biserial:+.2f}",
            soft_wrap=True,
        )
    for one in found.changed:
        words = "only with the first" if one.first else "only with the second"
        screen.print(f"  {one.bug} {one.tool} {one.measure}: {words}", soft_wrap=True)
    if found.edited:
        screen.print(f"left out, because the bug was edited in between: {', '.join(found.edited)}", soft_wrap=True)


def show_graded(graded: Graded, groups: Sequence[str], folder: Path) -> None:
    """Prints a table for each kind of bug, the pairs that differ, and where everything is."""
    screen = console()
    for section in graded.sections:
        screen.print(_table(graded, section, groups))
        for pair in section.pairs:
            if pair.p_holm < _SURE:
                screen.print(pair_words(pair), soft_wrap=True)
    if graded.environment_failures:
        count = plural(graded.environment_failures, "answer")
        screen.print(f"{count} missing because of the machine: counted neither for nor against a tool")
    screen.print(f"page: {folder / 'index.html'}", soft_wrap=True)


def pair_words(pair: PairedTest) -> str:
    """``check and deepfd, detected: +0.31 (0.18 to 0.43) on 52 bugs, p = 0.0012 after Holm``."""
    found = pair.difference
    return (
        f"{pair.first} and {pair.second}, {pair.measure}: {found.value:+.2f} ({found.low:+.2f} to {found.high:+.2f}) "
        f"on {plural(pair.bugs, 'bug')}, p = {pair.p_holm:.2g} after Holm, odds ratio {pair.odds_ratio:.2g}"
    )


def exit_code_of(graded: Graded) -> int:
    """Fine, unless the machine kept a tool from answering."""
    return ENVIRONMENT if graded.environment_failures or graded.missing else FINE


def _table(graded: Graded, section: GradedSection, groups: Sequence[str]) -> Table:
    title = f"{graded.asked.task.value}: {plural(len(section.bugs), section.kind + ' bug')}"
    table = Table(title=title, box=None, title_justify="left")
    measures = list(dict.fromkeys(name for one in section.scores.values() for name in one.measures))
    for heading in ("tool", "applies", *measures, "median s"):
        table.add_column(heading)
    for tool, scores in section.scores.items():
        table.add_row(tool, *_cells(scores, measures))
        for group in groups:
            for label, some in section.groups[tool].get(group, {}).items():
                table.add_row(f"  {label}", *_cells(some, measures), style="dim")
    return table


def _cells(scores: ToolScores, measures: Sequence[str]) -> list[str]:
    applies = sum(scores.words.get(word, 0) for word in ("alarm", "silent", "tool-failure"))
    shown = [_cell(scores.measures.get(name)) for name in measures]
    return [f"{applies}/{scores.bugs}", *shown, f"{scores.median_seconds:.1f}"]


def _cell(measure: Share | Estimate | None) -> str:
    if measure is None or (isinstance(measure, Share) and not measure.of):
        return "–"
    if isinstance(measure, Share):
        low, high = measure.interval
        return f"{measure.value:.2f} ({low:.2f}–{high:.2f})"
    return f"{measure.value:.2f} ({measure.low:.2f}–{measure.high:.2f})"
