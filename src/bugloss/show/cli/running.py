"""What ``run`` and ``diagnose`` do once a program has ended: diagnose, write the page, say it in a few lines."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bugloss.record.runs import RunFolder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from bugloss.core.diagnosis import Diagnosis
    from bugloss.observe.tools.contract import ToolAnswer
    from bugloss.show.answer.sheet import Sheet
    from bugloss.show.page.patch_view import PatchView
    from bugloss.workflows.diagnosis import Examined

_MOST_SUSPECTS = 6


def finish(folder: RunFolder, *, quiet: bool) -> Examined:
    """Diagnoses a run that ended and says on standard error what was seen."""
    from bugloss.show.cli.output import error_console
    from bugloss.workflows.diagnosis import examine

    examined = examine(folder)
    page = write_page(examined)
    if not quiet:
        show_answer(examined, page, error_console())
    return examined


def show_answer(examined: Examined, page: Path, screen: Console, answers: Sequence[ToolAnswer] = ()) -> None:
    """The diagnosis for people, what named tools say, where the page is and what to type next."""
    from bugloss.show.answer.next_steps import show_next
    from bugloss.show.answer.sheet import Sheet

    show_cause(examined, screen)
    sheet = Sheet(screen)
    for answer in answers:
        _show_tool(answer, sheet)
    show_next(examined, page, sheet)


def show_cause(examined: Examined, screen: Console) -> None:
    """The diagnosis for people."""
    from bugloss.show.answer.cell_words import in_cells
    from bugloss.show.answer.diagnosis import DiagnosisAnswer, show_diagnosis
    from bugloss.show.answer.sheet import Sheet

    facts = examined.facts
    read = examined.case.sources.read
    answer = DiagnosisAnswer(examined.diagnosis, read, facts.script, bool(facts.curves), examined.cells)
    show_diagnosis(answer, Sheet(screen, in_cells(examined.cells)))


def page_of(examined: Examined, patch: PatchView | None = None) -> str:
    """The page for the browser."""
    from bugloss.show.page import page

    return page(examined.recording, examined.diagnosis, examined.facts, examined.case.sources.read, patch)


def write_page(examined: Examined) -> Path:
    """The page in the run's folder."""
    examined.folder.write_text("report.html", page_of(examined))
    return examined.folder.report


def write_beside(folder: RunFolder, name: str, text: str) -> Path:
    """Another page in a run's folder."""
    folder.write_text(name, text)
    return folder.path / name


def open_page(page: Path) -> None:
    """Shows a page in the browser; where there is none, says so."""
    import webbrowser

    if not webbrowser.open(page.resolve().as_uri()):
        print(f"bugloss: no browser was found; the page is {page}", file=sys.stderr)


def given_input() -> int:
    """Standard input where it is a file or a pipe; a sandboxed program gets no terminal, into which it could type."""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return subprocess.DEVNULL
    return 0 if stat.S_ISREG(mode) or stat.S_ISFIFO(mode) else subprocess.DEVNULL


def chosen_words(diagnosis: Diagnosis) -> str:
    """Where the program ran, and why there."""
    where = diagnosis.environment
    if where is None or not where.reason:
        return ""
    place = f"the stack {where.stack}" if where.stack else where.python
    added = f" with {', '.join(where.added)}" if where.added else ""
    return f"ran in {place}{added}: {where.reason}"


def exit_code(diagnosis: Diagnosis) -> int:
    """0 is an all-clear: it needs a training that was seen to a good end, by detectors that all worked."""
    from bugloss.show.cli.exit_codes import FINDINGS, FINE, INCONCLUSIVE

    return FINDINGS if diagnosis.troubled else FINE if diagnosis.clear else INCONCLUSIVE


def _show_tool(answer: ToolAnswer, sheet: Sheet) -> None:
    """What a named tool says."""
    sheet.gap()
    silent = "" if answer.causes or answer.suspects else ": no cause found"
    sheet.heading("·", "bold", (answer.tool, "bold"), silent)
    for cause in answer.causes[:3]:
        sheet.paragraph(f"{cause.cause} ({cause.confidence:.0%}): {cause.explanation}")
    for suspect in answer.suspects[:_MOST_SUSPECTS]:
        unit = "" if suspect.unit is None else f", unit {suspect.unit}"
        sheet.paragraph(f"{suspect.layer}{unit} {suspect.score:.3f}  {suspect.why}")
    sheet.entries("note", answer.remarks, "yellow")
