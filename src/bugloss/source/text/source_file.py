"""Source files: Python modules and notebooks as text with a syntax tree, or the reason why not."""

from __future__ import annotations

import ast
import errno
import io
import re
import tokenize
from dataclasses import dataclass, field
from pathlib import Path

from bugloss.core.documents import parse_json
from bugloss.core.errors import FileRefused, Refusal
from bugloss.core.foreign_file import not_a_file, read_bytes
from bugloss.core.named_file import read_named
from bugloss.core.python_text import parse_python

LARGEST_BYTES = 2_000_000
LARGEST_NOTEBOOK_BYTES = 100_000_000  # contains images and tables that cells printed, which are not read
_MAGIC = re.compile(r"^([ \t]*)(?:[%!?](?:.*\\\n)*+.*|[\w.]+\?{1,2}[ \t]*)$", re.MULTILINE)
# Magics of a whole cell whose other lines are Python; those of the others are text or another language.
_AROUND_PYTHON = re.compile(r"(?<![ \t])[ \t]*+%%(?:time|timeit|capture|prun|python3?)\b.*")
_ASSIGNED_MAGIC = re.compile(r"^([\w., \t]++=[ \t]*+)[%!].*$", re.MULTILINE)
# Codecs of domain names, slow on long texts, and one that always fails: not used for programs.
_NOT_FOR_SOURCE = {"idna", "punycode", "undefined"}
# Links to nowhere or in a circle, and what is gone since its folder was listed: there is nothing to check.
_NOTHING_THERE = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}
_IGNORE = re.compile(r"#\s*bugloss:\s*ignore(?:\[([^\]]{0,2000}+)\]|(?![\w\[-]))")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not checked, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Unreadable(Skipped):
    """A file that is there and that the system does not let us read."""


@dataclass(frozen=True, slots=True)
class Unparsed(Skipped):
    """A file that is not valid Python, or not a notebook: where, why, and its text as far as there is one."""

    message: str = ""
    line: int = 1
    column: int = 0
    text: str = ""
    cells: tuple[tuple[int, int], ...] = ()


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


def read_content(path: Path, shown: str, root: Path | None = None) -> bytes | Skipped:
    """The bytes of a file that is not too large to be looked at.

    A file that was found below a folder is read as somebody else's. One that was named may be a link.
    """
    largest = LARGEST_NOTEBOOK_BYTES if path.suffix == ".ipynb" else LARGEST_BYTES
    try:
        if root is not None:
            return read_bytes(root, path.relative_to(root).as_posix(), largest)
        if path.exists() and not path.is_file():  # a pipe would be empty when it is read again
            raise not_a_file(path, path.stat().st_mode)
        return read_named(path, largest)
    except FileRefused as error:
        if error.reason is Refusal.TOO_LARGE:
            return Skipped(shown, f"larger than {largest // 1_000_000} MB")
        absent = error.reason in {Refusal.MISSING, Refusal.OUTSIDE, Refusal.NOT_A_FILE}
        return (Skipped if absent else Unreadable)(shown, error.words)
    except (OSError, ValueError, MemoryError) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return (Skipped if getattr(error, "errno", None) in _NOTHING_THERE else Unreadable)(shown, reason)


def parse_content(content: bytes, path: Path, shown: str) -> SourceFile | Skipped:
    """Parses what a file holds, by its name a notebook or a module."""
    if path.suffix == ".ipynb":
        return parse_notebook(content, shown)
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        if encoding in _NOT_FOR_SOURCE:
            raise LookupError(encoding)
        text = content.decode(encoding)
    except (SyntaxError, UnicodeError, LookupError):
        reason = "not text in its declared encoding"
        return Unparsed(shown, reason, f"this file is {reason} (UTF-8 if none is declared)")
    return parse_source(text, shown)


def parse_source(text: str, shown: str, cells: tuple[tuple[int, int], ...] = ()) -> SourceFile | Skipped:
    """Parses Python text; its lines end with a line feed afterwards, whatever they ended with."""
    text = with_line_feeds(text).removeprefix("\ufeff")
    if "\x00" in text:
        line = text.count("\n", 0, text.index("\x00")) + 1
        return Unparsed(shown, "a binary file", "this is a binary file: it contains a null byte", line, 0, "", cells)
    if len(text) > LARGEST_BYTES:
        return Skipped(shown, f"more than {LARGEST_BYTES // 1_000_000} MB of code")
    try:
        return SourceFile(shown, text, parse_python(text), cells)
    except SyntaxError as error:
        return _unparsed(error, text, shown, cells)


def _unparsed(error: SyntaxError, text: str, shown: str, cells: tuple[tuple[int, int], ...]) -> Unparsed:
    python2 = re.search(r"^[ \t]*+print[ \t]++[\"'\w]", text, re.MULTILINE)
    said = error.msg + ("; it looks like Python 2" if python2 else "")
    place = f"{_place(error.lineno, cells)}: " if error.lineno else ""
    line, column = max(error.lineno or 1, 1), max((error.offset or 1) - 1, 0)
    reason, message = f"does not parse: {place}{said}", f"this file does not parse: {said}"
    return Unparsed(shown, reason, message, line, column, text, cells)


def parse_notebook(content: bytes, shown: str) -> SourceFile | Skipped:
    """Joins the code cells of a notebook; magics and shell lines become ``pass``."""
    try:
        document = parse_json(content)
        texts = [_cell_text(cell) for cell in document["cells"]]
    except (ValueError, KeyError, TypeError):
        reason = "not a notebook of format 4"
        return Unparsed(shown, reason, f"this file is {reason}")
    joined: list[str] = []
    places: list[tuple[int, int]] = []
    for number, text in enumerate(texts, 1):
        plain = text
        if text is not None and (around := _AROUND_PYTHON.match(text)):
            plain = _nothing(around[0]) + text[around.end() :]
        if plain is not None and not plain.lstrip().startswith("%%"):
            lines = without_magics(with_line_feeds(plain)).split("\n")
            joined += lines
            places += [(number, line) for line in range(1, len(lines) + 1)]
    return parse_source("\n".join(joined), shown, tuple(places))


def with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _place(line: int, cells: tuple[tuple[int, int], ...]) -> str:
    if 0 < line <= len(cells):
        return f"cell {cells[line - 1][0]}, line {cells[line - 1][1]}"
    return f"line {line}"


def without_magics(text: str) -> str:
    """Magics and shell lines replaced; a cell that parses has none, though a line of it may start with ``%``."""
    if not (_MAGIC.search(text) or _ASSIGNED_MAGIC.search(text)) or len(text) > LARGEST_BYTES:
        return text
    try:
        parse_python(text)
    except SyntaxError:
        # As many lines as before: places are counted in them.
        plain = _MAGIC.sub(_as_comment, text)
        return _ASSIGNED_MAGIC.sub(r"\1None", plain)
    return text


def _as_comment(magic: re.Match[str]) -> str:
    """A statement that does nothing, with the magic behind it, so that its line is recognised."""
    indent = magic[0][: len(magic[0]) - len(magic[0].lstrip())]
    return f"{indent}{_nothing(magic[0])}" + "\n" * magic[0].count("\n")


def _nothing(magic: str) -> str:
    first = magic.strip().split("\n")[0]
    return f"pass  # {first}" if first.isprintable() else "pass"


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
