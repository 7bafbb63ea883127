"""Finds the copy of a public repository in a folder of local copies."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from urllib.parse import urlsplit

from bugloss.core.errors import InvalidInput
from bugloss.localize.repository.git_layout import find_layout


def mirror_folder(given: Path | None = None) -> Path | None:
    """The folder that was given, else ``$BUGLOSS_MIRROR``."""
    named = os.environ.get("BUGLOSS_MIRROR")
    folder = given or (Path(named) if named else None)
    if folder is not None and not folder.is_dir():
        raise InvalidInput(
            f"the mirror {folder} is not a folder.", hint="Pass a folder of git repositories: --mirror DIR"
        )
    return folder


def copies_of(address: str, mirror: Path) -> Iterator[Path]:
    """Repositories of the mirror whose place says that they are copies of the one at an address, the surest first.

    Known are HOST/OWNER/NAME, OWNER/NAME, OWNER+NAME and NAME, with or without ``.git``, or a folder of that name
    that contains the repository.
    """
    parts = urlsplit(address)
    path = parts.path.strip("/").removesuffix(".git")
    names = dict.fromkeys((f"{parts.hostname}/{path}", path, path.replace("/", "+"), path.rsplit("/", 1)[-1]))
    for name, ending in product(names, (".git", "")):
        place = mirror / f"{name}{ending}"
        if _is_repository(place):
            yield place
        elif place.is_dir():
            yield from (below for below in sorted(place.iterdir()) if _is_repository(below))


def _is_repository(folder: Path) -> bool:
    """Whether a folder is a repository itself, and not only inside of one."""
    try:
        layout = find_layout(folder)
    except InvalidInput:
        return False
    return folder.resolve() in {layout.git_folder, layout.work_tree}
