"""What a plug-in of this room looks like."""

from __future__ import annotations

from typing import Protocol

from bugloss.stacks.stack import Stack


class EnvironmentExporter(Protocol):
    """Writes a stack down in a format of another tool."""

    name: str
    filename: str

    def render(self, stack: Stack) -> str:
        """The whole file as text."""
        ...
