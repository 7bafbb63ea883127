"""Where corpora lie: the one in force here, and the one that came with bugloss."""

from __future__ import annotations

import os
from pathlib import Path


def default_root() -> Path:
    """``$BUGLOSS_BUGS``, else ``bugs/`` here or above, else the corpus that came with bugloss."""
    explicit = os.environ.get("BUGLOSS_BUGS")
    if explicit:
        return Path(explicit)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "bugs" / "corpus.toml").is_file():
            return folder / "bugs"
    return shipped_root()


def shipped_root() -> Path:
    """The corpus that came with bugloss."""
    package = Path(__file__).resolve().parents[1]
    shipped = package / "bugs"
    return shipped if shipped.is_dir() else package.parents[1] / "bugs"
