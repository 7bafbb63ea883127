"""The folder for what users keep with bugloss: which other benchmarks they added."""

from __future__ import annotations

import os
from pathlib import Path

from bugloss.core.errors import InvalidInput


def data_folder() -> Path:
    """``$BUGLOSS_DATA``, or the user's folder for data; it need not be there."""
    explicit = os.environ.get("BUGLOSS_DATA")
    folder = Path(explicit) if explicit else Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share") / "bugloss"
    try:
        return folder.expanduser().absolute()
    except RuntimeError as error:  # no HOME, and a user id without a name
        hint = "Set a folder: export BUGLOSS_DATA=/path"
        raise InvalidInput("there is no folder for data: this user has no home folder.", hint=hint) from error
