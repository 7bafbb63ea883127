"""Where the clone of a foreign bug's project is, in the folder of clones that the user named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bugloss.core.foreign_bug import ForeignBug, ForeignSource


def clone_of(source: ForeignSource, project: str) -> Path | None:
    """``owner/name`` as owner/name, owner__name, owner-name or name, bare or not; None where there is none."""
    if not source.repositories or any(part in {"", ".", ".."} for part in project.split("/")):
        return None
    root = Path(source.repositories)
    return next((root / name for name in _names(project) if (root / name).is_dir()), None)


def with_clone(source: ForeignSource, bug: ForeignBug) -> ForeignBug:
    """The bug; where its programs are commits of a project that is not here, with a sentence that says so."""
    if not bug.buggy.commit or clone_of(source, bug.project) is not None:
        return bug
    address = bug.url if bug.url.startswith("https://") else f"https://github.com/{bug.project}"
    where = "in the folder named by --repos" if source.repositories else "and no folder of clones was named by --repos"
    words = f"its programs are commits of {bug.project or 'a project'}, which is not here ({address}), {where}"
    words = words.replace("), in the folder", ") in the folder")
    return replace(bug, obstacles=(*bug.obstacles, words))


def _names(project: str) -> Iterator[str]:
    for name in (project, project.replace("/", "__"), project.replace("/", "-"), project.rpartition("/")[2]):
        yield from (name, f"{name}.git")
