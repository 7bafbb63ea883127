"""The two programs of a bug, file by file, as the gates compare them."""

from __future__ import annotations

import ast
import difflib
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.core.bug import Bug, Twin
from bugloss.core.errors import FileRefused
from bugloss.core.foreign_file import read_text
from bugloss.core.python_text import parse_python
from bugloss.corpus.unified_diff import text_files

_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that differ; ``line`` is the first of them in the buggy program, counted from 1."""

    line: int
    removed: tuple[str, ...]
    added: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilePair:
    """A file of both programs whose text differs."""

    name: str
    buggy: str
    fixed: str

    def hunks(self) -> Iterator[Hunk]:
        before, after = self.buggy.splitlines(), self.fixed.splitlines()
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        for kind, start, end, start_after, end_after in matcher.get_opcodes():
            if kind != "equal":
                yield Hunk(start + 1, tuple(before[start:end]), tuple(after[start_after:end_after]))


def changed_files(bug: Bug) -> Iterator[FilePair]:
    """The files that differ and can be read; what cannot is reported by other checks."""
    names = sorted({name for twin in Twin for name in text_files(bug.folder / twin.value)})
    for name in names:
        texts = [_text(bug, f"{twin.value}/{name}") for twin in (Twin.BUGGY, Twin.FIXED)]
        if texts[0] is not None and texts[1] is not None and texts[0] != texts[1]:
            yield FilePair(name, texts[0], texts[1])


def tree_of(text: str) -> ast.Module | None:
    """The syntax of a Python file; None where it does not parse, which another check reports."""
    try:
        return parse_python(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def words_of_code(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The tokens of some lines without comments and white space; parts of a statement count too."""
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(line.strip() for line in lines)).readline):
            if token.type not in _LAYOUT:
                found.append(token.string)
    except (tokenize.TokenError, IndentationError, SyntaxError):
        pass  # a bracket that a line outside of these closes: what was read up to there is compared
    return tuple(found)


def _text(bug: Bug, name: str) -> str | None:
    try:
        return read_text(bug.folder, name)
    except FileRefused:
        return None
