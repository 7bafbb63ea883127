"""An exception that escaped a program. Apart from runs, so that whoever only reads tracebacks need not load them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of a traceback."""

    path: str
    line: int
    function: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class RaisedException:
    """An exception that escaped the program; frames run from the outermost to the innermost."""

    kind: str
    qualified: str
    message: str
    bases: tuple[str, ...] = ()
    frames: tuple[Frame, ...] = ()

    def is_a(self, name: str) -> bool:
        """Whether the exception has that class, by short or qualified name, or inherits from it."""
        return name in {self.kind, self.qualified} or name in self.bases
