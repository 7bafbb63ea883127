"""How often each fix pattern repaired bugs of a library and of a kind, counted in a published study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from bugloss.core.taxonomy import FixPattern
from bugloss.core.taxonomy.fix_counts import BY_BUG_TYPE, BY_LIBRARY, published_fix_counts

_LIBRARIES = {"torch": ("torch",), "keras": ("keras", "tensorflow")}
# The bug types of the study that mostly stop a program; the others let it run and learn something else.
_CRASHING = ("API Bug", "Data Bug", "Coding Bug", "SB.Data flow Bug")
_UNCOUNTED = 0.3  # of the patterns that the study does not have: as often as the middle one that it has


def expected_share(pattern: FixPattern, framework: str, *, crashed: bool) -> float:
    """How often the pattern repairs such bugs, relative to the commonest one: between 0 and 1."""
    if pattern.ours:
        return _UNCOUNTED
    libraries = _LIBRARIES.get(framework, ())
    by_library = _relative(BY_LIBRARY, lambda name: not libraries or name in libraries, pattern)
    by_kind = _relative(BY_BUG_TYPE, lambda name: (name in _CRASHING) == crashed, pattern)
    return (by_library + by_kind) / 2


def _relative(by: str, is_meant: Callable[[str], bool], pattern: FixPattern) -> float:
    totals = Counter[FixPattern]()
    for count in published_fix_counts():
        if count.by == by and is_meant(count.name):
            totals[count.pattern] += count.fixes
    return totals[pattern] / max(totals.values())
