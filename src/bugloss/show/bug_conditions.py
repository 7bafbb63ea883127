"""Where else a bug shows and under which conditions, in words, for the terminal and the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bugloss.core.bug import Bug


def conditions_of(bug: Bug) -> dict[str, str]:
    """What ``bug.toml`` says of it, by name; empty where it says nothing."""
    words = {}
    if bug.counterparts:
        words["the same fault as"] = ", ".join(bug.counterparts)
    if bug.releases is not None:
        words["releases"] = f"fails with {bug.releases.fails}, works with {bug.releases.works}"
    if bug.settings:
        words["only with"] = ", ".join(setting.value.replace("-", " ") for setting in bug.settings)
    return words
