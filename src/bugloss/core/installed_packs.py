"""Which packs are installed: ours, and those that other distributions offer under ``bugloss.packs``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from bugloss.core.pack import Pack

_OUR_DISTRIBUTION = "bugloss"
ENTRY_POINT_GROUP = "bugloss.packs"
# Rooms with a pack.py, as names: core imports no room.
_OURS = ("check", "localize", "observe", "repair", "reproduce", "run")


def our_packs() -> Iterator[Pack]:
    """The packs that bugloss ships."""
    return (Pack(room, f"bugloss.{room}.pack", _OUR_DISTRIBUTION) for room in _OURS)


def packs_of_others() -> Iterator[Pack]:
    """The packs that other installed distributions offer, by name."""
    if not any(_may_offer_packs(Path(folder)) for folder in sys.path):
        return
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name):
        distribution = point.dist.name if point.dist else "an unknown distribution"
        if distribution != _OUR_DISTRIBUTION:
            yield Pack(point.name, point.value, distribution)


def _may_offer_packs(folder: Path) -> bool:
    """Whether to ask importlib.metadata, which takes longer to load than everything else that a short command does."""
    try:
        names = os.listdir(folder)
    except NotADirectoryError:
        return True  # an archive: only importlib.metadata looks into it
    except OSError:
        return False
    others = (name for name in names if not name.startswith(f"{_OUR_DISTRIBUTION}-"))
    described = [folder / name for name in others if name.endswith((".dist-info", ".egg-info"))]
    return any(_mentions_packs(path / "entry_points.txt") for path in described)


def _mentions_packs(path: Path) -> bool:
    try:
        return path.is_file() and ENTRY_POINT_GROUP.encode() in path.read_bytes()
    except OSError:
        return False
