"""The page of all bugs, from their folders and the ledger."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from bugloss.corpus.collection import load
from bugloss.corpus.entry import Entry

ROOT = Path(__file__).resolve().parents[2]

HEADER = """\
# Bugs

Every bug is our own small re-creation of a documented one, or, with an id that starts with `up`, a public repository
before a fix, with a program and a test of ours; the origin is linked. *Verified* is the result of
`bugloss verify --record`: runs of the buggy program that failed, runs of the fixed program that passed.
"""


def document() -> str:
    """The whole page."""
    entries = list(load(ROOT / "bugs").values())
    head = [
        "| bug | what is wrong | origin | stack | category | bug type | symptom | fix pattern | oracle | verified |"
    ]
    head.append("|" + " --- |" * 10)
    return "\n".join([HEADER, *counts(entries), "", *head, *map(row, entries), ""])


def counts(entries: list[Entry]) -> list[str]:
    """How many bugs there are of each kind."""
    facets = {
        "kind": [entry.bug.kind.value for entry in entries],
        "framework": [entry.bug.framework.value for entry in entries],
        "stack": [entry.bug.stack for entry in entries],
        "category": [entry.bug.labels.category.value for entry in entries],
        "general type": [entry.bug.labels.general_type.value for entry in entries],
        "bug type": [entry.bug.labels.bug_type.value for entry in entries],
        "symptom": [entry.bug.labels.symptom.value for entry in entries],
        "oracle": [entry.bug.oracle.kind.value for entry in entries],
    }
    lines = [f"{len(entries)} bugs.", ""]
    for name, values in facets.items():
        ranked = sorted(Counter(values).items(), key=lambda item: (-item[1], item[0]))
        lines.append(f"- {name}: " + ", ".join(f"{value} {count}" for value, count in ranked))
    return lines


def row(entry: Entry) -> str:
    """One bug as a line of the table."""
    bug, labels = entry.bug, entry.bug.labels
    verified = f"{entry.verified.buggy}, {entry.verified.fixed}" if entry.verified else "not yet"
    cells = [
        f"[{bug.id}](../../bugs/{bug.home}/{bug.id})",
        bug.title,
        f"[{bug.origin.kind.value}]({bug.origin.url})",
    ]
    cells += [bug.stack, labels.category.value, labels.bug_type.value, labels.symptom.value, labels.fix_pattern.value]
    return f"| {' | '.join([*cells, bug.oracle.kind.value, verified])} |"
