"""A ranking for people: what to open first, and why."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bugloss.core.ranking import RankedFile, Ranking
from bugloss.core.triage import OriginGuess
from bugloss.show.cli.output import console


def show_ranking(ranking: Ranking) -> None:
    """Prints a ranking."""
    screen = console()
    for remark in ranking.remarks:
        screen.print(Text(f"! {remark}", "yellow"))
    if ranking.outside is not None:
        _show_outside(screen, ranking.outside, ranking.settings)
    if ranking.functions:
        _show_functions(screen, ranking)
    else:
        _show_files(screen, ranking.files)
    shown = len(ranking.functions or ranking.files)
    what = "functions" if ranking.functions else f"of {ranking.candidates} files"
    screen.print(Text(f"{shown} {what} at {ranking.commit[:10]}, {ranking.method}, {ranking.seconds:.2f} s", "dim"))


def _show_outside(screen: Console, outside: OriginGuess, settings: Sequence[RankedFile]) -> None:
    kind = f" ({outside.kind.title.lower()})" if outside.kind else ""
    screen.print(Text(f"The cause may be outside the source code{kind} ({outside.probability:.0%}):", "bold yellow"))
    for found in outside.evidence[:3]:
        screen.print(Text(f"  “{' '.join(found.text.split())}”", "yellow"))
    for file in settings:
        screen.print(Text.assemble("  ", (file.path, "bold"), (f"  {'; '.join(file.why)}", "dim")))
    screen.print()


def _show_files(screen: Console, files: Sequence[RankedFile]) -> None:
    for rank, file in enumerate(files, 1):
        screen.print(Text.assemble((f"{rank:>3}. ", "dim"), (file.path, "bold"), (f"  {file.score:.2f}", "dim")))
        for reason in file.why:
            screen.print(Text(f"       {reason}", "dim"))
        names = ", ".join(f"{one.name}:{one.line}" for one in file.functions)
        if names:
            screen.print(Text.assemble("       see ", (names, "cyan")))


def _show_functions(screen: Console, ranking: Ranking) -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    for rank, one in enumerate(ranking.functions, 1):
        table.add_row(f"{rank:>3}.", Text(one.name, "bold"), Text(f"{one.path}:{one.line}", "cyan"), f"{one.score:.2f}")
    screen.print(table)
