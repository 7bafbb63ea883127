"""Writes the patch of a repair where it was asked for, and asks which one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.patch import PatchVerdict, TriedPatch
from bugloss.core.written_file import write_named
from bugloss.show.answer.next_steps import shown
from bugloss.show.answer.repair import show_patch
from bugloss.show.answer.sheet import Sheet
from bugloss.show.cli.output import error_console
from bugloss.workflows.patch_writing import apply_patch, patch_for_git
from bugloss.workflows.repair import RepairOutcome

_ANSWERS = {"y", "yes", "n", "next", "no", "q", "quit"}


def write_patch(outcome: RepairOutcome, file: Path, *, quiet: bool) -> None:
    """The best patch as a file for ``git apply``."""
    best = outcome.best
    if best is None:
        _say("no patch was written: none was shown to help", quiet)
        return
    try:
        write_named(file, patch_for_git(best.diff, outcome.root))
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
    """Walks through the patches that may help, with diff and evidence, until one is chosen.

    The best one was shown just now, as the answer.
    """
    for tried in _worth_asking(outcome):
        if tried is not outcome.best:
            show_patch(tried, Sheet(error_console()))
        answer = _answer("apply this patch? [y]es, [n]ext, [q]uit: ")
        if answer == "y":
            return tried
        if answer == "q":
            return None
    return None


def _worth_asking(outcome: RepairOutcome) -> Iterator[TriedPatch]:
    kept = {PatchVerdict.FIXED, PatchVerdict.FLAKY, PatchVerdict.NOT_RUN, PatchVerdict.NOT_FIXED}
    return (tried for tried in outcome.patches if tried.verdict in kept and tried.diff)


def _answer(question: str) -> str:
    """The letter of the answer; an empty line means the next patch, and anything else is asked again."""
    while True:
        try:
            given = input(question).strip().lower() or "n"
        except EOFError as error:
            raise InvalidInput("--interactive needs a terminal.", hint="Use --apply or --patch FILE.") from error
        if given in _ANSWERS:
            return given[0]
        _say("answer y, n or q", quiet=False)


def _say(text: str, quiet: bool) -> None:
    if not quiet:
        error_console().print(text, markup=False, soft_wrap=True)
