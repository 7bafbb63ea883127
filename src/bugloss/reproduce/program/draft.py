"""The program while it is being edited: its text, and of every line who wrote it."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from functools import lru_cache

from bugloss.core.python_text import parse_python


class Origin(Enum):
    """Who wrote a line. An error that a line of ours raises says nothing about the report."""

    REPORTED = "reported"
    CHANGED = "changed"  # the reporter's, edited
    RESTORED = "restored"  # put back from the report's traceback or words
    OURS = "ours"


@dataclass(frozen=True, slots=True)
class Draft:
    """A program's text with the origin of each line."""

    text: str
    origins: tuple[Origin, ...]

    @classmethod
    def reported(cls, text: str) -> Draft:
        """A text that is all the reporter's."""
        return cls(text, (Origin.REPORTED,) * len(text.split("\n")))

    def becoming(self, text: str, inserted: Origin = Origin.OURS) -> Draft:
        """The draft after an edit: lines that stay keep their origin, changed ones are marked, new ones get theirs."""
        return Draft(text, _carried(self.text.split("\n"), self.origins, text.split("\n"), inserted))

    def origin(self, line: int) -> Origin:
        """Who wrote a line, counted from 1; what lies outside is ours."""
        return self.origins[line - 1] if 0 < line <= len(self.origins) else Origin.OURS

    @property
    def tree(self) -> ast.Module | None:
        """The syntax tree; None where the text does not parse."""
        return parsed(self.text)


def _carried(old: list[str], origins: tuple[Origin, ...], new: list[str], inserted: Origin) -> tuple[Origin, ...]:
    result: list[Origin] = []
    for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            result += origins[first:last]
        elif tag == "replace":
            result += _replaced(old[first:last], origins[first:last], new[start:end], inserted)
        elif tag == "insert":
            result += [inserted] * (end - start)
    return tuple(result)


def _replaced(old: list[str], origins: tuple[Origin, ...], new: list[str], inserted: Origin) -> list[Origin]:
    """Each new line takes after the old line that is most like it, if any is."""
    result = []
    for line in new:
        likeness = [SequenceMatcher(None, line.strip(), other.strip()).ratio() for other in old]
        best = max(range(len(old)), key=likeness.__getitem__)
        if likeness[best] < 0.5:
            result.append(inserted)
        else:
            reporters = origins[best] in {Origin.REPORTED, Origin.CHANGED}
            same = line.strip() == old[best].strip()
            result.append(Origin.CHANGED if reporters and not same else origins[best])
    return result


@lru_cache(maxsize=64)
def parsed(text: str) -> ast.Module | None:
    """The syntax tree of a text, or None."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parse_python(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
