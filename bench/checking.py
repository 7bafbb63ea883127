"""``bugloss check`` on the corpus: bugs found in the buggy programs, alarms on the fixed ones.

A bug counts as found when a rule complains about its buggy program, at warning or above, and that complaint is gone in
the fixed one. Every complaint at warning or above about a fixed program is a false alarm.
"""

from __future__ import annotations

from collections import defaultdict

from bugloss.check.running.inspection import check_paths
from bugloss.check.running.selection import Selection
from bugloss.core.finding import Finding
from bugloss.corpus.collection import load
from bugloss.corpus.entry import Entry


def measure() -> dict[str, object]:
    by_category: dict[str, dict[str, int]] = defaultdict(lambda: {"bugs": 0, "found": 0, "false_alarms": 0})
    rows = {}
    for entry in load().values():
        if entry.bug.upstream is not None:  # libraries, not programs that train
            continue
        row = judge(entry)
        rows[entry.id] = row
        counts = by_category[entry.bug.labels.category.value]
        counts["bugs"] += 1
        counts["found"] += bool(row["found_by"])
        counts["false_alarms"] += len(row["alarms_on_fixed"])
    for category, counts in sorted(by_category.items()):
        print(f"   {category:<9} {counts}")
    found = sum(bool(row["found_by"]) for row in rows.values())
    alarms = sum(len(row["alarms_on_fixed"]) for row in rows.values())
    print(f"   found {found} of {len(rows)}; {alarms} alarms on fixed programs")
    totals = {"bugs": len(rows), "found": found, "alarms_on_fixed": alarms}
    return {"totals": totals, "categories": dict(by_category), "bugs": rows}


def judge(entry: Entry) -> dict[str, list[str]]:
    """The rules whose complaints the fix silences, and every complaint about the fixed program."""
    buggy, fixed = (serious(entry, twin) for twin in ("buggy", "fixed"))
    said_of_fixed = {(finding.rule, finding.message) for finding in fixed}
    found = sorted({finding.rule for finding in buggy if (finding.rule, finding.message) not in said_of_fixed})
    return {"found_by": found, "alarms_on_fixed": [f"{finding.rule}: {finding.message}" for finding in fixed]}


def serious(entry: Entry, twin: str) -> list[Finding]:
    inspection = check_paths([entry.program(twin)], Selection(target=target(entry)))
    return [finding for finding in inspection.findings if finding.severity.rank > 0]


def target(entry: Entry) -> dict[str, str]:
    """The releases that the bug's own stack pins."""

    pins = dict(package.split("==") for package in entry.stack.packages)
    names = ("torch", "keras", "tensorflow", "tensorflow-cpu", "numpy")
    return {name.removesuffix("-cpu"): pins[name] for name in names if name in pins}
