"""Scores of repair tools for people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from bugloss.core.plural import plural
from bugloss.evaluate.repair import RepairRow, RepairScores, compare_tools, score_groups
from bugloss.evaluate.share import Share
from bugloss.show.cli.output import console


def show_repair_scores(rows: Sequence[RepairRow]) -> None:
    """A table of tools and groups, and whether the first tool is better than the others."""
    screen = console()
    title = plural(len({row.bug for row in rows}), "bug")
    table = Table(title=title, box=None, title_justify="left")
    for heading in ("tool", "plausible@1", "plausible@5", "correct@1", "regressions", "seconds"):
        table.add_column(heading)
    scores = score_groups(rows)
    for tool, groups in scores.items():
        for group, one in groups.items():
            table.add_row(tool if group == "all" else f"  {group}", *_cells(one), style="" if group == "all" else "dim")
    screen.print(table)
    first, *others = scores
    for other in others:
        found = compare_tools(rows, first, other)
        screen.print(
            f"{first} and {other}: {found.difference:+.3f} plausible@5 on {found.pairs} bugs, p = {found.p:.2g}"
        )


def _cells(scores: RepairScores) -> list[str]:
    shares = (scores.plausible_1, scores.plausible_5, scores.correct_1, scores.regressions)
    return [*map(_cell, shares), f"{scores.seconds:.0f}"]


def _cell(share: Share) -> str:
    low, high = share.interval
    return f"{share.value:.0%} ({share.count}/{share.of}; {low:.0%}–{high:.0%})"
