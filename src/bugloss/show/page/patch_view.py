"""A patch that was shown to help, as plain values for the template."""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.core.patch import TriedPatch
from bugloss.study.risk import risk_of

_MARKS = {True: "passed", False: "failed", None: "reported"}
_LINES = {"+": "added", "-": "removed"}


@dataclass(frozen=True, slots=True)
class PatchView:
    """What it does and why, its lines with their kinds, and every step of its validation."""

    text: str
    reason: str
    label: str
    lines: tuple[tuple[str, str], ...]
    steps: tuple[tuple[str, str, str], ...]
    warnings: tuple[str, ...]
    risk: str


def patch_view(tried: TriedPatch) -> PatchView:
    """A tried patch as the page shows it."""
    patch = tried.patch
    return PatchView(
        patch.edit.text,
        patch.reason,
        f"{patch.fix_pattern.value}, {patch.safety.value}",
        tuple((_LINES.get(line[:1], ""), line) for line in tried.diff.splitlines()),
        tuple((one.rung.value, _MARKS[one.passed], one.words) for one in tried.rungs),
        patch.warnings,
        risk_of(patch.fix_pattern),
    )
