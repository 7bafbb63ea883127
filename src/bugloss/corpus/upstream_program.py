"""The programs of an upstream bug: files of a public repository at two commits, with files of ours beside them.

They are not part of the corpus. ``workflows.upstream`` lays them out in the cache, under a name that is made from
their content; this module knows that name, and what is wrong with a ``[upstream]`` section.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from bugloss.core.bug import Bug, Twin, Upstream
from bugloss.core.cache import cache_folder
from bugloss.core.errors import InvalidInput, SourcesMissing
from bugloss.core.foreign_file import shown
from bugloss.corpus.unified_diff import bug_files

OWN_FILES = "program"  # the folder of a bug with the files of ours that both programs contain
_LAYOUT = 1  # changes when the same section leads to other files
_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(:\d+)?(/[A-Za-z0-9._~+-]+)+/?")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def upstream_folder() -> Path:
    """Where clones and programs are kept."""
    return cache_folder() / "upstream"


def program_of(bug: Bug, upstream: Upstream, twin: Twin) -> Path:
    """The folder of a program that was laid out."""
    place = program_place(bug, upstream)
    if not place.is_dir():
        raise SourcesMissing(
            f"the sources of {bug.id} are not on this machine: they come from {upstream.repository}.",
            hint=f"With a network or a mirror: bugloss checkout {bug.id} -w work",
        )
    return place / twin.value


def program_place(bug: Bug, upstream: Upstream) -> Path:
    """Where both programs are, or will be."""
    return upstream_folder() / "programs" / identity_of(bug, upstream)


def identity_of(bug: Bug, upstream: Upstream) -> str:
    """A digest of everything that the two programs consist of; from where they were cloned does not matter."""
    chosen = (_LAYOUT, upstream.before, upstream.fix, upstream.sources, upstream.root, upstream.patch)
    content = hashlib.sha256(repr(chosen).encode())
    for file, size in bug_files(bug.folder / OWN_FILES).files:
        content.update(f"{file.name}\0{size}\0".encode() + file.read_bytes())
    return content.hexdigest()[:16]


def check_upstream(upstream: Upstream) -> None:
    """What the schema of single keys cannot see."""
    if not _ADDRESS.fullmatch(upstream.repository):
        raise InvalidInput(f"upstream.repository '{shown(upstream.repository)}' is not an https address.")
    for name, commit in {"before": upstream.before, "fix": upstream.fix}.items():
        if not _COMMIT.fullmatch(commit):
            hint = "Write all its digits, as git rev-parse prints them."
            raise InvalidInput(f"upstream.{name} '{shown(commit)}' is not the full id of a commit.", hint=hint)
    if upstream.before == upstream.fix:
        raise InvalidInput("upstream.before and upstream.fix are the same commit.")
    if not upstream.sources:
        raise InvalidInput("upstream.sources names no file or folder of the repository.")
    for path in (*upstream.sources, *upstream.patch, *([upstream.root] if upstream.root else [])):
        if not path.isprintable() or any(part in {"", ".", ".."} for part in path.split("/")):
            raise InvalidInput(f"'{shown(path)}' is not a path in the repository.")
