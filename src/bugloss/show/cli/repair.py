"""A repair for people: what came of it, the best patch with its evidence, and writing it where it was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.text import Text

from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.patch import PatchVerdict, TriedPatch
from bugloss.core.written_file import write_named
from bugloss.show.answer.next_steps import shown
from bugloss.show.cli.output import console, error_console
from bugloss.workflows.patch_writing import apply_patch
from bugloss.workflows.repair import RepairOutcome

_MOST_OTHERS = 5
_MARKS = {True: "yes", False: "no ", None: "–  "}
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def show_repair(outcome: RepairOutcome) -> None:
    """The outcome, the best patch with its diff and every step, and what else was tried."""
    screen = console()
    screen.print(f"bugloss: {outcome.words}", markup=False, soft_wrap=True)
    best = outcome.best
    if best is not None:
        show_patch(best)
    others = [tried for tried in outcome.patches if tried is not best]
    for tried in others[:_MOST_OTHERS]:
        screen.print(f"{tried.verdict.value}: {_sentence(tried)}", markup=False, soft_wrap=True)
        if best is None and tried.verdict is PatchVerdict.NOT_RUN and tried.diff:
            screen.print(coloured(tried.diff))
    if len(others) > _MOST_OTHERS:
        screen.print(f"and {len(others) - _MOST_OTHERS} more patches that did not help")
    for remark in outcome.remarks:
        screen.print(f"note: {remark}", markup=False, soft_wrap=True)
    if best is not None:
        screen.print("to write it: bugloss repair … --apply (your file) or --patch FILE (for git apply)")


def show_patch(tried: TriedPatch) -> None:
    """The diff of a patch, why it is proposed, and its evidence step by step."""
    screen = console()
    screen.print(coloured(tried.diff))
    sure = f"{tried.patch.fix_pattern.value}, {tried.patch.safety.value}, {tried.patch.confidence:.0%}"
    screen.print(f"why: {tried.patch.reason} ({sure})", markup=False, soft_wrap=True)
    for result in tried.rungs:
        screen.print(f"  {_MARKS[result.passed]} {result.rung.value}: {result.words}", markup=False, soft_wrap=True)
    for warning in tried.patch.warnings:
        screen.print(f"  warning: {warning}", markup=False, soft_wrap=True)


def coloured(diff: str) -> Text:
    """A diff as a terminal shows it."""
    text = Text()
    for line in diff.splitlines(keepends=True):
        text.append(line, _COLOURS.get(line[:1], ""))
    return text


def _sentence(tried: TriedPatch) -> str:
    stopped = tried.stopped_at
    why = f" ({stopped.words})" if stopped is not None else ""
    return f"{tried.patch.edit.text}{why}"


def write_patch(outcome: RepairOutcome, file: Path, *, quiet: bool) -> None:
    """The best patch as a file for ``git apply``."""
    best = outcome.best
    if best is None:
        _say("no patch was written: none was shown to help", quiet)
        return
    try:
        write_named(file, best.diff)
    except OSError as error:
        raise EnvironmentFailure(f"{file} cannot be written: {error.strerror}.") from error
    _say(f"written: {file}; in {shown(outcome.root)}: git apply {file.resolve()}", quiet)


def choose_and_apply(outcome: RepairOutcome, *, ask: bool, force: bool, quiet: bool) -> None:
    """Writes the best patch, or the one that the user chooses, into the files."""
    chosen = _chosen(outcome) if ask else outcome.best
    if chosen is None:
        _say("nothing was changed", quiet)
        return
    backup = (outcome.folder.path if outcome.folder is not None else Path.cwd() / ".bugloss") / "backup"
    written = apply_patch(chosen, outcome.root, backup, force=force)
    files = ", ".join(shown(file) for file in written.files)
    _say(f"changed: {files}; as before: {shown(written.backup)}", quiet)


def _chosen(outcome: RepairOutcome) -> TriedPatch | None:
    """Walks through the patches that may help, with diff and evidence, until one is chosen."""
    for tried in _worth_asking(outcome):
        error_console().print(f"\n{tried.verdict.value}: {tried.patch.edit.text}", markup=False, soft_wrap=True)
        show_patch(tried)
        answer = _answer("apply this patch? [y]es, [n]ext, [q]uit: ")
        if answer.startswith("y"):
            return tried
        if answer.startswith("q"):
            return None
    return None


def _worth_asking(outcome: RepairOutcome) -> Iterator[TriedPatch]:
    kept = {PatchVerdict.FIXED, PatchVerdict.FLAKY, PatchVerdict.NOT_RUN, PatchVerdict.NOT_FIXED}
    return (tried for tried in outcome.patches if tried.verdict in kept and tried.diff)


def _answer(question: str) -> str:
    try:
        return input(question).strip().lower() or "n"
    except EOFError as error:
        raise InvalidInput("--interactive needs a terminal.", hint="Use --apply or --patch FILE.") from error


def _say(text: str, quiet: bool) -> None:
    if not quiet:
        error_console().print(text, markup=False, soft_wrap=True)
