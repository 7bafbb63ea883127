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
from bugloss.core.errors import FileRefused, InvalidInput, Refusal
from bugloss.core.finding import Finding
from bugloss.core.foreign_file import ForeignFile, shown
from bugloss.core.named_file import LARGEST_DATA, read_named
from bugloss.core.written_file import write_named

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
        write_named(path, text)
    except OSError as error:
        raise InvalidInput(f"the baseline {path} cannot be written: {error.strerror}.") from error


def without_known(findings: Sequence[Finding], baseline: Path | ForeignFile, line_of: LineOf) -> list[Finding]:
    """The findings that the baseline does not hold; each known one excuses one finding.

    A path is the user's own word; what the project's settings name is a file of the project.
    """
    path = baseline.path if isinstance(baseline, ForeignFile) else baseline
    try:
        content = baseline.read_bytes() if isinstance(baseline, ForeignFile) else read_named(baseline, LARGEST_DATA)
        known = Counter({str(key): int(count) for key, count in parse_json(content)["known"].items()})
    except (FileRefused, ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise _unreadable(path, error) from error
    fresh = []
    for finding in findings:
        key = fingerprint(finding, line_of(finding))
        if known[key] > 0:
            known[key] -= 1
        else:
            fresh.append(finding)
    return fresh


def _unreadable(path: Path, error: Exception) -> InvalidInput:
    if isinstance(error, FileRefused) and error.reason is Refusal.OUTSIDE:
        hint = "Move it into the project, or pass it: --baseline FILE"
        return InvalidInput(f"the configured baseline {shown(path)} cannot be read: {error.words}.", hint=hint)
    hint = f"Write it: bugloss check --write-baseline {shown(path)}"
    reason = f": {error.words}" if isinstance(error, FileRefused) and error.reason is not Refusal.MISSING else ""
    return InvalidInput(f"the baseline {shown(path)} cannot be read{reason}.", hint=hint)
