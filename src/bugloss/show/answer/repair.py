"""What a repair says: the best patch with its lines and its evidence, what else was tried, the next command."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from bugloss.core.patch import PatchVerdict, Rung, RungResult, TriedPatch
from bugloss.core.plural import plural
from bugloss.core.reported_patch import ReportedPatch
from bugloss.record.repairs import PATCH_FILE
from bugloss.show.answer.next_steps import shown
from bugloss.show.answer.sheet import Sheet
from bugloss.workflows.repair import RepairOutcome

_MOST_OTHERS = 5
_MOST_UNRUN = 2  # that are shown with their lines
_LONGEST_DIFF = 40  # lines; the rest is in the patch file
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
_HEADINGS = {
    PatchVerdict.FIXED: ("✓", "bold green"),
    PatchVerdict.NOT_FIXED: ("✗", "bold red"),
    PatchVerdict.REGRESSED: ("✗", "bold red"),
    PatchVerdict.NOT_APPLIED: ("✗", "bold red"),
    PatchVerdict.NOT_RUN: ("?", "bold yellow"),
    PatchVerdict.FLAKY: ("?", "bold yellow"),
}
_SHORT = {  # steps that are said in one line where they pass
    Rung.APPLIES: "applies",
    Rung.HONEST: "training, data and tests untouched",
    Rung.CHECK: "no new finding",
    Rung.SIGNATURES: "same signatures",
}


def show_repair(outcome: RepairOutcome, sheet: Sheet, *, offer: bool = True) -> None:
    """The whole answer; ``offer`` adds the command that writes the patch."""
    best = outcome.best
    if best is not None:
        show_patch(best, sheet)
    else:
        mark, style = ("✓", "bold green") if outcome.healthy else ("✗", "bold red")
        sheet.heading(mark, style, (outcome.words, "bold"))
    not_run = [one for one in outcome.patches if one.verdict is PatchVerdict.NOT_RUN and one.diff and one is not best]
    said = [best] if best is not None else not_run[:_MOST_UNRUN]
    for tried in said if best is None else ():
        if tried is not None:
            sheet.gap()
            show_patch(tried, sheet)
    _show_others([one for one in outcome.patches if one not in said and one not in outcome.parts], sheet)
    if outcome.search is not None and outcome.search.open:
        sheet.entry("open", ", ".join(outcome.search.open))
    sheet.entries("note", outcome.remarks, "yellow")
    if best is not None and offer:
        sheet.gap()
        command = f"bugloss repair {shlex.quote(outcome.target)} --apply"
        sheet.entry("next", (_git_apply(outcome) or command, "bold"), ("   writes it into your files", "dim"))


def _git_apply(outcome: RepairOutcome) -> str:
    """Applies what was found just now without another search."""
    if outcome.folder is None:
        return ""
    file, inside = outcome.folder.path / PATCH_FILE, outcome.root.resolve() == Path.cwd()
    if inside:
        return f"git apply {shlex.quote(shown(file))}"
    return f"git -C {shlex.quote(str(outcome.root))} apply {shlex.quote(str(file))}"


def show_patch(tried: TriedPatch, sheet: Sheet) -> None:
    """A patch: what it does, why, its lines, its evidence."""
    patch = tried.patch
    mark, style = _HEADINGS[tried.verdict]
    label = f"{patch.fix_pattern.value}, {patch.safety.value}"
    sheet.heading(mark, style, (_verdict_words(tried), style), (f"  {label}", "dim"))
    sheet.paragraph(patch.reason)
    sheet.gap()
    _show_lines(tried.diff.splitlines(), sheet)
    sheet.gap()
    sheet.entry("fix", (patch.edit.text, "green"))
    sheet.entries("because", _evidence(tried.rungs))
    sheet.entries("warning", patch.warnings, "yellow")


def show_reported(reported: ReportedPatch, sheet: Sheet) -> None:
    """The same change on the lines of the report."""
    if reported.diff:
        sheet.gap()
        sheet.paragraph(("the same change on the lines of the report:", "bold"))
        _show_lines(reported.diff.splitlines()[2:], sheet)
    if reported.elsewhere:
        sheet.gap()
        sheet.paragraph(("changed lines that the report does not have:", "bold"))
        _show_lines(reported.elsewhere, sheet)


def _show_lines(lines: Sequence[str], sheet: Sheet) -> None:
    for line in lines[:_LONGEST_DIFF]:
        sheet.paragraph((line, _COLOURS.get(line[:1], "")))
    if len(lines) > _LONGEST_DIFF:
        sheet.paragraph((f"… {plural(len(lines) - _LONGEST_DIFF, 'more line')}", "dim"))


def _verdict_words(tried: TriedPatch) -> str:
    return "not run" if tried.verdict is PatchVerdict.NOT_RUN else tried.verdict.value.replace("-", " ")


def _evidence(results: Sequence[RungResult]) -> Iterator[str]:
    """The steps that pass without being read in one line; each of the others in its own."""
    short = [_SHORT[one.rung] for one in results if one.rung in _SHORT and one.passed]
    if short:
        yield ", ".join(dict.fromkeys(short))
    for one in results:
        if one.rung not in _SHORT or not one.passed:
            yield one.words if one.passed is not False else f"{one.rung.value} fails: {one.words}"


def _show_others(others: Sequence[TriedPatch], sheet: Sheet) -> None:
    if others:
        sheet.gap()
    for number, tried in enumerate(others[:_MOST_OTHERS]):
        stopped = tried.stopped_at
        why = f": {stopped.words}" if stopped is not None else ""
        label = "" if number else "tried"
        sheet.entry(label, (_verdict_words(tried), _HEADINGS[tried.verdict][1]), f" {tried.patch.edit.text}{why}")
    if len(others) > _MOST_OTHERS:
        sheet.entry("", (f"and {plural(len(others) - _MOST_OTHERS, 'more patch', 'more patches')}", "dim"))
