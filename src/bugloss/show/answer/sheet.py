"""Lays out an answer: headings, labelled entries that wrap under themselves, and code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rich.console import Console
from rich.text import Text

from bugloss.core.visible import visible
from bugloss.show.formats.frame import FrameLine

_INDENT = 2
_LABEL = 8  # columns of the longest label

Part = str | tuple[str, str]  # text, or text and its style


class Sheet:
    """Everything is as wide as the console, and wraps between words."""

    def __init__(self, screen: Console, reword: Callable[[str], str] = str) -> None:
        self._screen, self._reword = screen, reword

    @property
    def width(self) -> int:
        return self._screen.width

    def heading(self, mark: str, style: str, *parts: Part) -> None:
        """``✗ words``: a mark, and words that wrap beside it."""
        self._hang(Text(f"{mark} ", style), parts)

    def entry(self, label: str, *parts: Part) -> None:
        """``  because words``."""
        self._hang(Text(f"{' ' * _INDENT}{label:<{_LABEL}} ", "cyan"), parts)

    def entries(self, label: str, lines: Iterable[str], style: str = "") -> None:
        """Several entries below one label."""
        for number, line in enumerate(lines):
            self.entry("" if number else label, (line, style))

    def paragraph(self, *parts: Part) -> None:
        self._hang(Text(" " * _INDENT), parts)

    def _hang(self, first: Text, parts: Sequence[Part]) -> None:
        """Words beside what stands first, and below themselves where they wrap; nothing trails on a line."""
        worded = [self._reword(part) if isinstance(part, str) else (self._reword(part[0]), part[1]) for part in parts]
        words, indent = assemble(*worded), len(first)
        for number, line in enumerate(words.wrap(self._screen, max(self.width - indent, 20)) or [Text()]):
            line.rstrip()
            self._screen.print(Text.assemble(Text(" " * indent) if number else first, line), soft_wrap=True)

    def code(self, lines: Iterable[FrameLine], style: str) -> None:
        """A frame of code, the mark in a colour."""
        for line in lines:
            shown = Text.assemble((f"{line.gutter} ", "dim"), (visible(line.text), style if line.is_mark else ""))
            shown.rstrip()
            self._screen.print(shown, no_wrap=True, overflow="ellipsis", crop=True)

    def gap(self) -> None:
        self._screen.print()


def assemble(*parts: Part) -> Text:
    """Text with its styles; foreign characters are made visible before they are measured."""
    return Text.assemble(*(visible(part) if isinstance(part, str) else (visible(part[0]), part[1]) for part in parts))
