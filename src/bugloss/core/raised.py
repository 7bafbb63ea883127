"""An exception that escaped a program. Apart from runs, so that whoever only reads tracebacks need not load them."""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.core.bounded_text import LONGEST_BLANK, bounded, middle_cut

LONGEST_MESSAGE = 16_000  # characters; TensorFlow's longest, with the stack that made an operation, have about 8,000


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

    def __post_init__(self) -> None:
        # A message is foreign text that dozens of patterns search: all of them pass here.
        if len(self.message) > LONGEST_BLANK:
            object.__setattr__(self, "message", middle_cut(bounded(self.message), LONGEST_MESSAGE))

    def is_a(self, name: str) -> bool:
        """Whether the exception has that class, by short or qualified name, or inherits from it."""
        return name in {self.kind, self.qualified} or name in self.bases
