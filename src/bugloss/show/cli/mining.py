"""Mined candidates for people: how much was read, then the best, with the reasons of each."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from bugloss.core.plural import plural
from bugloss.mine.candidate import Candidate
from bugloss.show.cli.output import console
from bugloss.workflows.mining import MinedRepository


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
