"""Mined candidates for people: how much was read, then the best, with the reasons of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from bugloss.core.errors import InvalidInput
from bugloss.core.plural import plural
from bugloss.mine.candidate import Candidate
from bugloss.show.cli.output import console
from bugloss.workflows.mined_scaffolds import Scaffold
from bugloss.workflows.mining import MinedRepository


def check_options(scaffold: Path | None, reproduce: bool, reports: Path | None) -> None:
    """Refuses options that would have no effect, and a folder of reports that is not there."""
    if reproduce and scaffold is None:
        raise InvalidInput("--reproduce writes bug folders.", hint="Name a folder for them: --scaffold DIR")
    if reports is not None and not reproduce:
        raise InvalidInput("--reports has an effect only with --reproduce.")
    if reports is not None and not reports.is_dir():
        raise InvalidInput(f"{reports} is not a folder.", hint="Name a folder with saved issues, NUMBER.md or .json.")


def show_scaffolds(scaffolds: Sequence[Scaffold]) -> None:
    """Prints which folders were written, and which of them show their bug already."""
    if not scaffolds:
        return
    screen = console()
    screen.print()
    for made in scaffolds:
        level = f"{made.level.value}, gone with the fix" if made.shows_the_bug and made.level else made.reason
        screen.print(f"{made.folder}: {level or 'a template to fill in'}", soft_wrap=True)


def show_candidates(mined: Sequence[MinedRepository], best: Sequence[Candidate]) -> None:
    """Prints the repositories and the best candidates."""
    screen = console()
    for repository in mined:
        counts = (
            plural(repository.commits, "commit"),
            plural(repository.fixes, "fix", "fixes"),
            plural(len(repository.candidates), "candidate"),
        )
        screen.print(f"{repository.name}: {', '.join(counts)} in {repository.seconds:.1f} s")
        for reason in repository.lost:
            screen.print(f"  a part of it could not be read: {reason}", style="red")
    for candidate in best:
        screen.print()
        head = Text.assemble(
            (f"{candidate.score:.2f}  ", "bold"), (candidate.commit[:10], "cyan"), f"  {candidate.subject}"
        )
        screen.print(head, soft_wrap=True)
        facts = [candidate.day, candidate.stack, ", ".join(pattern.value for pattern in candidate.patterns)]
        issues = ", ".join(f"#{number}" for number in candidate.issues)
        screen.print("      " + " · ".join(filter(None, [candidate.repository, *facts, issues])), style="dim")
        screen.print("      " + ", ".join(candidate.files))
        screen.print("      " + "; ".join(candidate.reasons), style="dim")
