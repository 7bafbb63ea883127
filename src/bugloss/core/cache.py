"""The one folder outside the checkout that bugloss writes to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bugloss.core.errors import CacheUnusable


def cache_folder() -> Path:
    """``$BUGLOSS_CACHE``, or the user's cache folder."""
    explicit = os.environ.get("BUGLOSS_CACHE")
    folder = Path(explicit) if explicit else Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "bugloss"
    try:
        return folder.expanduser().absolute()
    except RuntimeError as error:  # no HOME, and a user id without a name: many containers
        hint = "Set a writable folder: export BUGLOSS_CACHE=/path"
        raise CacheUnusable("the cache has no folder: this user has no home folder.", hint=hint) from error


def writable(folder: Path) -> Path:
    """The folder, made if needed; a clear error where it cannot be written."""
    with cache_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(13, "Permission denied", str(folder))
    return folder


@contextmanager
def cache_errors(folder: Path) -> Iterator[None]:
    """Turns what the file system says about the cache into our error."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise CacheUnusable(
            f"the cache folder {folder} cannot be written: {reason}.",
            hint="Free some space there or set another folder: export BUGLOSS_CACHE=/path",
        ) from error
