"""Places of a value: from where it shows to where it was made."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import Enum

from bugloss.core.edit import Span


class PlaceKind(Enum):
    """How the value got to a place from the next one; the first place of an origin is its use."""

    USE = "used here"
    ASSIGNED = "assigned here"
    CHANGED = "changed in place here"
    PASSED = "passed here"
    DEFAULT = "the default of a parameter"
    ATTRIBUTE = "the attribute is set here"
    ELEMENT = "an element of what stands here"
    SETTING = "a setting that is given here"
    RETURNED = "returned here"
    LOOPED = "looped over here"
    HANDED_ON = "handed on unchanged"


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of source that holds a value."""

    path: str
    span: Span
    text: str
    kind: PlaceKind = PlaceKind.USE

    @property
    def line(self) -> int:
        return self.span.line

    @property
    def literal(self) -> object:
        """The value that stands there, None where it is no literal."""
        try:
            return ast.literal_eval(self.text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None


@dataclass(frozen=True, slots=True)
class ValueOrigin:
    """The places of a value, from where it shows to where to change it; never empty.

    It is certain where no other way through the program gives the value.
    """

    places: tuple[Place, ...]
    certain: bool = True

    @property
    def made(self) -> Place:
        """The literal or call that made the value: what a person would change."""
        return self.places[-1]
