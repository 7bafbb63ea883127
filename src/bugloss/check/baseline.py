"""Known findings of a project, so that only new ones are reported.

A finding is recognised by its rule, its file and the text of its line, not by the line's number: code that
moves keeps its baseline.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from bugloss.core.documents import parse_json
from bugloss.core.errors import InvalidInput
from bugloss.core.finding import Finding
from bugloss.core.whole_file import write_whole

LineOf = Callable[[Finding], str]


def fingerprint(finding: Finding, line: str) -> str:
    """Sixteen digits that survive moving the line and changing its indentation."""
    content = "\x00".join((finding.rule, finding.path, " ".join(line.split())))
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def write_baseline(path: Path, findings: Sequence[Finding], line_of: LineOf) -> None:
    """Writes every finding of now as known."""
    counts = Counter(fingerprint(finding, line_of(finding)) for finding in findings)
    text = json.dumps({"version": 1, "known": dict(sorted(counts.items()))}, indent=1) + "\n"
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise InvalidInput(f"the baseline {path} cannot be written: {error.strerror}.") from error


def without_known(findings: Sequence[Finding], path: Path, line_of: LineOf) -> list[Finding]:
    """The findings that the baseline does not hold; each known one excuses one finding."""
    try:
        table = parse_json(path.read_text(encoding="utf-8"))["known"]
        known = Counter({str(key): int(count) for key, count in table.items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        hint = f"Write it: bugloss check --write-baseline {path}"
        raise InvalidInput(f"the baseline {path} cannot be read.", hint=hint) from error
    fresh = []
    for finding in findings:
        key = fingerprint(finding, line_of(finding))
        if known[key] > 0:
            known[key] -= 1
        else:
            fresh.append(finding)
    return fresh
