"""Scores of repair tools on bugs whose fixes are known.

A patch is *plausible* when the bug's own test passes with it. It is *correct* when the test passes with a second seed
as well, and ``check`` finds no fault in the patched program that it does not find in the fixed one. A patch that a tool
offers as verified and with which the test fails in another way than before is a *regression*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from bugloss.core.codec import decode, encode
from bugloss.core.documents import parse_json
from bugloss.core.visible import json_text
from bugloss.evaluate.paired import Comparison, compare
from bugloss.evaluate.share import Share

FIRST = 5  # patches of an answer that are tested


@dataclass(frozen=True, slots=True)
class RepairRow:
    """What one tool did with one bug; ``plausible`` is the place of the first plausible patch, 0 without one."""

    bug: str
    tool: str
    group: str  # crash or silent
    patches: int
    offered: int  # shown to help, as the tool says
    plausible: int
    correct: bool
    regressions: int
    seconds: float
    verdict: str = ""
    text: str = ""  # what the first patch does
    failed: str = ""  # why the tool gave no answer


@dataclass(frozen=True, slots=True)
class RepairScores:
    """The scores of one tool on one group of bugs."""

    plausible_1: Share
    plausible_5: Share
    correct_1: Share
    regressions: Share  # of the patches that were offered as verified
    seconds: float  # the median

    @property
    def document(self) -> dict[str, object]:
        return {
            "plausible@1": self.plausible_1.document,
            "plausible@5": self.plausible_5.document,
            "correct@1": self.correct_1.document,
            "regressions": self.regressions.document,
            "median_seconds": self.seconds,
        }


def score(rows: Sequence[RepairRow]) -> RepairScores:
    """The scores of rows of one tool."""
    count = len(rows)
    return RepairScores(
        Share(sum(row.plausible == 1 for row in rows), count),
        Share(sum(1 <= row.plausible <= FIRST for row in rows), count),
        Share(sum(row.correct for row in rows), count),
        Share(sum(row.regressions for row in rows), sum(row.offered for row in rows)),
        round(median(row.seconds for row in rows), 1) if rows else 0.0,
    )


def score_groups(rows: Iterable[RepairRow]) -> Mapping[str, Mapping[str, RepairScores]]:
    """Tool → group, first "all" → scores."""
    by_tool: dict[str, list[RepairRow]] = {}
    for row in rows:
        by_tool.setdefault(row.tool, []).append(row)
    return {tool: _by_group(mine) for tool, mine in by_tool.items()}


def _by_group(rows: Sequence[RepairRow]) -> dict[str, RepairScores]:
    groups = sorted({row.group for row in rows})
    return {"all": score(rows)} | {group: score([row for row in rows if row.group == group]) for group in groups}


def compare_tools(rows: Sequence[RepairRow], first: str, second: str) -> Comparison:
    """Whether one tool repairs more bugs than another, on the bugs that both were given."""
    solved = {(row.tool, row.bug): float(1 <= row.plausible <= FIRST) for row in rows}
    shared = sorted({bug for tool, bug in solved if tool == first} & {bug for tool, bug in solved if tool == second})
    return compare([solved[first, bug] for bug in shared], [solved[second, bug] for bug in shared])


def write_row(row: RepairRow) -> str:
    """One row as a line."""
    return json_text(encode(row))


def read_rows(text: str) -> list[RepairRow]:
    """The rows of a file; a last line that is torn is left out."""
    found = []
    for line in text.splitlines():
        try:
            found.append(decode(RepairRow, parse_json(line)))
        except ValueError:
            continue
    return found
