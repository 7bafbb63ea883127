"""What a subject program gets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bugloss.run.sandbox.cgroups import ControlGroup

INSIDE_WORK = "/subject/work"
INSIDE_HOME = "/subject/home"


@dataclass(frozen=True, slots=True)
class Room:
    """The folders of one run: working copy and home side by side in a scratch folder, and what may be read besides.

    With ``bubblewrap`` the program works on copies in memory; at the other levels on these folders themselves.
    """

    work: Path
    home: Path
    readable: tuple[Path, ...]
    group: ControlGroup | None = None

    @property
    def scratch(self) -> Path:
        """The folder around both; what is next to them is out of the program's sight or only read by it."""
        return self.home.parent
