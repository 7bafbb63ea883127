"""The public address of a repository on this machine: its remote, or the name of its place in a mirror."""

from __future__ import annotations

import re
from pathlib import Path

from bugloss.localize.repository.git_layout import find_layout, read_settings

_REMOTE = re.compile(r"(?:https?://|ssh://git@|git@)([A-Za-z0-9.-]+)(?::\d+)?[/:]([\w.-]+/[\w.-]+?)(?:\.git)?/?")
_IN_MIRROR = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*)\+([\w.-]+?)(?:\.git)?")
GITHUB = "https://github.com/"


def public_address(folder: Path) -> str:
    """An https address; empty where nothing names one. Names of a mirror (OWNER+NAME) are those of GitHub."""
    layout = find_layout(folder)
    remote = _REMOTE.fullmatch(read_settings(layout.common / "config").get("remote.url", ""))
    if remote:
        return f"https://{remote[1]}/{remote[2]}"
    place = folder.absolute()
    named = next((found for name in (place.name, place.parent.name) if (found := _IN_MIRROR.fullmatch(name))), None)
    return f"{GITHUB}{named[1]}/{named[2]}" if named else ""
