"""Messages that the frameworks raise and bugloss understands: per framework, and by which part of it.

``scripts/error_sites.py`` reads the messages from the installed releases, so that they are the frameworks' own and not
our examples. What a message computes is filled in by what its name says: a shape, a type, a number, a word. A message
is understood where a pattern knows it: *specific* are patterns of single failures, *concept* those of a kind of demand
(axes, types, bounds, choices …), *stated* a demand whose parts alone are read. For the rest a diagnosis falls back on
the values and the signature of the crashing line.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from bench.measurement import ROOT
from bugloss.core.raised import RaisedException
from bugloss.observe.crash.explanation import recognise
from bugloss.observe.crash.families.demands import PATTERNS as STATED

SITES = ROOT / "bench" / "data" / "error_sites.txt.gz"
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
# By what the computed part of a message is called; the first that fits.
_FILLINGS = (
    (r"dtype|_type\b", "float64"),
    (r"shape|size\(\)|sizes", "(32, 10)"),
    (r"type\(|__class__|cls", "<class 'list'>"),
    (r"len\(|ndim|dim|rank|size|num|count|index|axis|idx|\bn\b|step|epoch", "3"),
    (r"name|key|mode|identifier|activation|path|file|arg|attr|func|op\b", "alpha"),
)


def measure() -> dict[str, object]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    unknown: dict[str, Counter[str]] = defaultdict(Counter)
    for framework, exception, where, message in rows():
        pattern = recognise(RaisedException(exception, exception, message))
        kind = "unknown" if pattern is None else "specific"
        if pattern is not None and pattern.general:
            kind = "stated" if pattern in STATED else "concept"
        counts[framework][kind] += 1
        if pattern is None:
            unknown[framework][where.split(":")[1]] += 1
    result = {framework: summary(found) for framework, found in sorted(counts.items())}
    for framework, numbers in result.items():
        print(f"   {framework}: {numbers}")
    return {"messages": result, "unknown": {name: dict(found.most_common(15)) for name, found in unknown.items()}}


def summary(found: Counter[str]) -> dict[str, float]:
    total = sum(found.values())
    understood = total - found["unknown"]
    return {
        "messages": total,
        **{kind: found[kind] for kind in ("specific", "concept", "stated")},
        "understood": understood,
        "share": round(understood / total, 3),
    }


def rows() -> Iterator[tuple[str, str, str, str]]:
    """Framework, exception, where it is raised, and the message with its computed parts filled in."""
    for line in gzip.decompress(SITES.read_bytes()).decode().splitlines():
        framework, exception, where, template = line.split("\t", 3)
        yield framework, exception, where, _PLACEHOLDER.sub(lambda found: filling(found[1]), template)


def filling(what: str) -> str:
    """A value as the computed part of a message may have it."""
    return next((value for words, value in _FILLINGS if re.search(words, what.lower())), "7")


if __name__ == "__main__":
    measure()
