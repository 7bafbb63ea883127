"""The texts behind findings, read once: lines to show, places in notebooks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bugloss.core.finding import Finding
from bugloss.source.text.source_file import SourceFile, Unparsed, read_source


class Texts:
    """The sources of the files that have findings."""

    def __init__(self) -> None:
        self._texts: dict[str, tuple[str, tuple[tuple[int, int], ...]]] = {}

    def text(self, path: str) -> str:
        """The text that a file's findings count lines in; for a notebook its joined cells."""
        return self._load(path)[0]

    def line(self, finding: Finding) -> str:
        lines = self.text(finding.path).split("\n")
        return lines[finding.span.line - 1] if finding.span.line <= len(lines) else ""

    def place(self, finding: Finding) -> dict[str, object]:
        """Line and column from 1; in a notebook also the cell, and the line inside it."""
        span, cells = finding.span, self._load(finding.path)[1]
        place: dict[str, object] = {"line": span.line, "column": span.column + 1, "end_line": span.end_line}
        if cells and span.line <= len(cells):
            cell, line = cells[span.line - 1]
            place |= {"cell": cell, "line": line, "end_line": line + span.end_line - span.line}
        return place

    def numbers(self, finding: Finding) -> Callable[[int], int]:
        """The number that a line is shown with: in a notebook that inside the cell of the finding, elsewhere 0."""
        cells, line = self._load(finding.path)[1], finding.span.line
        if not 1 <= line <= len(cells):
            return int
        inside = {at: number for at, (cell, number) in enumerate(cells, 1) if cell == cells[line - 1][0]}
        return lambda line: inside.get(line, 0)

    def is_notebook(self, path: str) -> bool:
        return bool(self._load(path)[1])

    def _load(self, path: str) -> tuple[str, tuple[tuple[int, int], ...]]:
        if path not in self._texts:
            source = read_source(Path(path), path)
            found = (source.text, source.cells) if isinstance(source, SourceFile | Unparsed) else ("", ())
            self._texts[path] = found
        return self._texts[path]
