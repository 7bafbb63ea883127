"""How often each fix pattern repaired bugs of a library and of a kind, counted in a published study."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from bugloss.core.taxonomy import FixPattern

_LIBRARIES = {"torch": ("torch",), "keras": ("keras", "tensorflow")}
# The bug types of the study that mostly stop a program; the others let it run and learn something else.
_CRASHING = ("API Bug", "Data Bug", "Coding Bug", "SB.Data flow Bug")
_UNCOUNTED = 0.3  # of the patterns that the study does not have: as often as the middle one that it has


def expected_share(pattern: FixPattern, framework: str, *, crashed: bool) -> float:
    """How often the pattern repairs such bugs, relative to the commonest one: between 0 and 1."""
    if pattern.ours:
        return _UNCOUNTED
    libraries = _LIBRARIES.get(framework, ())
    by_library = _relative("library", lambda name: not libraries or name in libraries, pattern)
    by_kind = _relative("bug type", lambda name: (name in _CRASHING) == crashed, pattern)
    return (by_library + by_kind) / 2


def _relative(by: str, is_meant: Callable[[str], bool], pattern: FixPattern) -> float:
    totals = Counter[str]()
    for (kind, name, fixed_by), count in _counts().items():
        if kind == by and is_meant(name):
            totals[fixed_by] += count
    return totals[pattern.value] / max(totals.values())


@cache
def _counts() -> dict[tuple[str, str, str], int]:
    """Fixes by library or bug type, its name, and the pattern."""
    text = (files("bugloss.repair") / "fix_counts.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    return {(row["by"], row["name"], row["fix_pattern"]): int(row["fixes"]) for row in rows}
