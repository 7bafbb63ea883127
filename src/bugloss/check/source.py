"""Source files: Python modules and notebooks as text with a syntax tree, or the reason why not."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
import warnings
from dataclasses import dataclass, field
from pathlib import Path

LARGEST_BYTES = 2_000_000
LARGEST_NOTEBOOK_BYTES = 100_000_000  # pictures and tables that cells printed are in there, and are not read
_MAGIC = re.compile(r"^([ \t]*)(?:[%!?].*|[\w.]+\?{1,2}[ \t]*)$", re.MULTILINE)
_ASSIGNED_MAGIC = re.compile(r"^([\w., \t]++=[ \t]*+)[%!].*$", re.MULTILINE)
_IGNORE = re.compile(r"#\s*bugloss:\s*ignore(?:\[([^\]]{0,2000}+)\]|(?![\w\[-]))")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not checked, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A parsed file. ``cells`` maps lines of a notebook's joined text to (cell, line in the cell)."""

    path: str
    text: str
    tree: ast.Module
    cells: tuple[tuple[int, int], ...] = ()
    lines: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", tuple(self.text.split("\n")))

    def segment(self, node: ast.expr | ast.stmt) -> str:
        """The source text of a node."""
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        lines = [line.encode() for line in self.lines[first : last + 1]]  # ``ast`` counts bytes
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return b"\n".join(lines).decode()


def read_source(path: Path, shown: str) -> SourceFile | Skipped:
    """Reads and parses one file."""
    content = read_content(path, shown)
    return content if isinstance(content, Skipped) else parse_content(content, path, shown)


def read_content(path: Path, shown: str) -> bytes | Skipped:
    """The bytes of a file that is not too large to be looked at."""
    try:
        largest = LARGEST_NOTEBOOK_BYTES if path.suffix == ".ipynb" else LARGEST_BYTES
        if path.stat().st_size > largest:
            return Skipped(shown, f"larger than {largest // 1_000_000} MB")
        return path.read_bytes()
    except OSError as error:
        return Skipped(shown, error.strerror or str(error))


def parse_content(content: bytes, path: Path, shown: str) -> SourceFile | Skipped:
    """Parses what a file holds, by its name a notebook or a module."""
    if path.suffix == ".ipynb":
        return parse_notebook(content, shown)
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        text = content.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return Skipped(shown, "not a text in the encoding it declares")
    return parse_source(text, shown)


def parse_source(text: str, shown: str, cells: tuple[tuple[int, int], ...] = ()) -> SourceFile | Skipped:
    """Parses Python text; its lines end with a line feed afterwards, whatever they ended with."""
    text = _with_line_feeds(text)
    if "\x00" in text:
        return Skipped(shown, "a binary file")
    if len(text) > LARGEST_BYTES:
        return Skipped(shown, f"more than {LARGEST_BYTES // 1_000_000} MB of code")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.removeprefix("\ufeff"))
    except SyntaxError as error:
        python2 = re.search(r"^[ \t]*+print[ \t]++[\"'\w]", text, re.MULTILINE)
        remark = "; it looks like Python 2" if python2 else ""
        return Skipped(shown, f"does not parse: {_place(error.lineno or 1, cells)}: {error.msg}{remark}")
    except (RecursionError, MemoryError):
        return Skipped(shown, "does not parse: nested too deeply")
    except ValueError as error:
        return Skipped(shown, f"does not parse: {error}")
    return SourceFile(shown, text.removeprefix("\ufeff"), tree, cells)


def parse_notebook(content: bytes, shown: str) -> SourceFile | Skipped:
    """Joins the code cells of a notebook; magics and shell lines become ``pass``."""
    try:
        cells = json.loads(content)["cells"]
        texts = [_cell_text(cell) for cell in cells]
    except (ValueError, KeyError, TypeError, RecursionError):
        return Skipped(shown, "not a notebook of format 4")
    joined: list[str] = []
    places: list[tuple[int, int]] = []
    for number, text in enumerate(texts, 1):
        if text is not None and not text.lstrip().startswith("%%"):
            lines = _without_magics(_with_line_feeds(text)).split("\n")
            joined += lines
            places += [(number, line) for line in range(1, len(lines) + 1)]
    return parse_source("\n".join(joined), shown, tuple(places))


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _place(line: int, cells: tuple[tuple[int, int], ...]) -> str:
    if 0 < line <= len(cells):
        return f"cell {cells[line - 1][0]}, line {cells[line - 1][1]}"
    return f"line {line}"


def _without_magics(text: str) -> str:
    """Magics and shell lines replaced; a cell that parses has none, though a line of it may start with ``%``."""
    if not (_MAGIC.search(text) or _ASSIGNED_MAGIC.search(text)) or len(text) > LARGEST_BYTES:
        return text
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _ASSIGNED_MAGIC.sub(r"\1None", _MAGIC.sub(r"\1pass", text))
    return text


def encoded_like(content: bytes, text: str) -> bytes | None:
    """A changed text in the encoding and with the line ends of the file it comes from; None where they are mixed."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    ends = set(re.findall(r"\r\n|\r|\n", content.decode(encoding)))
    if len(ends) > 1:
        return None
    try:
        return text.replace("\n", ends.pop() if ends else "\n").encode(encoding)
    except UnicodeEncodeError:
        return None


def _cell_text(cell: dict[str, object]) -> str | None:
    if cell["cell_type"] != "code":
        return None
    source = cell["source"]
    return "".join(source) if isinstance(source, list) else str(source)


def ignored_rules(source: SourceFile) -> dict[int, frozenset[str]]:
    """Lines with ``# bugloss: ignore[rule]``; the empty set ignores every rule."""
    if "bugloss:" not in source.text:
        return {}
    found: dict[int, frozenset[str]] = {}
    for number, line in enumerate(source.lines, 1):
        match = _IGNORE.search(line)
        if match:
            found[number] = frozenset(filter(None, re.split(r"[\s,]+", match[1] or "")))
    return found
