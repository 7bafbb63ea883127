"""The program while it is being edited: its text, and of every line who wrote it."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from enum import Enum
from functools import lru_cache

from bugloss.core.python_text import parse_python
from bugloss.reproduce.data.spec import generator_line
from bugloss.reproduce.program.decisions import Decisions
from bugloss.source.undefined_uses import NameUse, undefined_uses


class LineOrigin(Enum):
    """Who wrote a line. An error that a line of ours raises says nothing about the report."""

    REPORTED = "reported"
    CHANGED = "changed"  # the reporter's, edited
    RESTORED = "restored"  # put back from the report's traceback or words
    OURS = "ours"
    DATA = "data"  # ours, too: a line of the stand-in data, which another choice of data replaces

    @property
    def is_ours(self) -> bool:
        return self in {LineOrigin.OURS, LineOrigin.DATA}


@dataclass(frozen=True, slots=True)
class Draft:
    """A program's text with the origin of each line, and what was decided on the way."""

    text: str
    origins: tuple[LineOrigin, ...]
    decisions: Decisions = field(default_factory=Decisions)

    @classmethod
    def reported(cls, text: str) -> Draft:
        """A text that is all the reporter's."""
        return cls(text, (LineOrigin.REPORTED,) * len(text.split("\n")))

    def becoming(self, text: str, inserted: LineOrigin = LineOrigin.OURS) -> Draft:
        """The draft after an edit: lines that stay keep their origin, changed ones are marked, new ones get theirs."""
        origins = _carried(self.text.split("\n"), self.origins, text.split("\n"), inserted)
        return replace(self, text=text, origins=origins)

    @property
    def without_data(self) -> Draft:
        """The program without the lines of its stand-in data."""
        lines = zip(self.text.split("\n"), self.origins, strict=True)
        kept = [(line, origin) for line, origin in lines if origin is not LineOrigin.DATA]
        return replace(self, text="\n".join(line for line, _ in kept), origins=tuple(origin for _, origin in kept))

    def with_seed(self, seed: int) -> Draft:
        """The program with another seed for its stand-in data: one line of ours changes, and no other."""
        lines = [
            generator_line(seed) if origin is LineOrigin.DATA and line == generator_line(0) else line
            for line, origin in zip(self.text.split("\n"), self.origins, strict=True)
        ]
        return replace(self, text="\n".join(lines))

    def origin(self, line: int) -> LineOrigin:
        """Who wrote a line, counted from 1; other lines are ours."""
        return self.origins[line - 1] if 0 < line <= len(self.origins) else LineOrigin.OURS

    @property
    def tree(self) -> ast.Module | None:
        """The syntax tree; None where the text does not parse."""
        return parsed(self.text)


def _carried(
    old: list[str], origins: tuple[LineOrigin, ...], new: list[str], inserted: LineOrigin
) -> tuple[LineOrigin, ...]:
    result: list[LineOrigin] = []
    for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            result += origins[first:last]
        elif tag == "replace":
            result += _replaced(old[first:last], origins[first:last], new[start:end], inserted)
        elif tag == "insert":
            result += [inserted] * (end - start)
    return tuple(result)


def _replaced(
    old: list[str], origins: tuple[LineOrigin, ...], new: list[str], inserted: LineOrigin
) -> list[LineOrigin]:
    """Each new line takes after the old line that is most like it, if any is."""
    result = []
    for line in new:
        ratios = [SequenceMatcher(None, line.strip(), other.strip()).ratio() for other in old]
        best = max(range(len(old)), key=ratios.__getitem__)
        if ratios[best] < 0.5:
            result.append(inserted)
        else:
            reporters = origins[best] in {LineOrigin.REPORTED, LineOrigin.CHANGED}
            same = line.strip() == old[best].strip()
            result.append(LineOrigin.CHANGED if reporters and not same else origins[best])
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


@lru_cache(maxsize=32)
def undefined(text: str, also: frozenset[str] = frozenset()) -> dict[str, NameUse]:
    """The names that a text uses and does not define; none where it does not parse. ``also``: see the room source."""
    tree = parsed(text)
    return undefined_uses(tree, text, also) if tree is not None else {}
