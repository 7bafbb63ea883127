"""One name for the content of some bugs: what is derived from them is kept under it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from bugloss.corpus.entry import Entry
from bugloss.corpus.unified_diff import bug_files


def digest_of(entries: Sequence[Entry]) -> str:
    """Names, sizes and times of all their files."""
    content = hashlib.sha256()
    for entry in entries:
        for file, _ in bug_files(entry.bug.folder).files:
            facts = file.path.stat()
            content.update(f"{file.path} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return content.hexdigest()[:16]
