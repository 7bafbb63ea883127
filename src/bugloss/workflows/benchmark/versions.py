"""Versions by content: a tool of ours has changed when a file has changed that its answers depend on."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path

from bugloss import __version__

_KINDS = {".py", ".toml", ".txt", ".json", ".gz"}


@cache
def rooms_digest(*rooms: str) -> str:
    """A digest of the files of some rooms."""
    root, content = Path(str(files("bugloss"))), hashlib.sha256()
    for room in rooms:
        for path in sorted((root / room).rglob("*")):
            if path.suffix in _KINDS and path.is_file():
                content.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return content.hexdigest()[:12]


def own_version(*rooms: str) -> str:
    """The version of a part of bugloss: the release, and the content of the rooms that its answers depend on."""
    return f"{__version__}+{rooms_digest('core', *rooms)}"
