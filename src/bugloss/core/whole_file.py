"""A file written whole or not at all: a full disk or a kill leaves the old content."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Replaces what the file holds, and keeps its mode and, through a link, its place; raises ``OSError``."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():  # a device or a pipe has no old content to keep
        target.write_bytes(content)
        return
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(13, "Permission denied", str(path))
    descriptor, draft = tempfile.mkstemp(prefix=".bugloss-", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        with suppress(FileNotFoundError):
            shutil.copymode(target, draft)
        Path(draft).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(draft).unlink()
        raise
