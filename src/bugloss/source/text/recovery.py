"""Reads Python that does not parse as far as possible: what cannot be read is left out, line by line.

For pasted code and for files that crashed because of their syntax. Lines and columns of all nodes are those of the
text as it was given. ``ast`` reads the rest: a tree of another parser would need a second version of everything that
reads trees.
"""

from __future__ import annotations

import ast
import re

from bugloss.core.python_text import parse_python
from bugloss.source.text.source_file import SourceFile, parse_source, with_line_feeds, without_magics

_BLANKS = {0: " ", 0xA0: " "}  # null bytes, and blanks that do not break lines, which web pages put into code
_MOST_REPAIRS = 40  # parses of one text; every repair needs another
_MOST_CHARACTERS = 4_000_000  # in all parses of one text together
_PROMPT = re.compile(r"^(?:>>>|\.\.\.|In \[\d+\]:)(?: |$)")
_HEADER_LINE = re.compile(r"on line (\d+)")
_TRY = re.compile(r"[ \t]*try[ \t]*:")
# A string that does not end reaches to the end of its line.
_STRING_OR_COMMENT = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?|#.*")
_CLOSER = re.compile(r"[ \t]*[)\]}]")


def read_tolerantly(text: str, shown: str) -> SourceFile:
    """A file of all that can be read of a text; an empty tree where nothing can."""
    source = parse_source(text, shown)
    if isinstance(source, SourceFile):
        return source
    given = without_magics(with_line_feeds(text).removeprefix("\ufeff").translate(_BLANKS))
    return SourceFile(shown, given, _Repair(given).tree())


class _Repair:
    """The lines of a text that does not parse, and by how much each was moved to the left."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._moved = [0] * len(self._lines)
        self._length = max(len(text), 1)

    def tree(self) -> ast.Module:
        self._strip_prompts()
        for _ in range(min(_MOST_REPAIRS, _MOST_CHARACTERS // self._length)):
            try:
                return self._moved_back(parse_python("\n".join(self._lines)))
            except SyntaxError as error:
                self._leave_out(error)
        return self._head()

    def _head(self) -> ast.Module:
        """All before the first thing that is still wrong."""
        for _ in range(3):
            try:
                return self._moved_back(parse_python("\n".join(self._lines)))
            except SyntaxError as error:
                first = self._start(self._number(error))
                self._lines[first:] = [""] * (len(self._lines) - first)
        return ast.Module(body=[], type_ignores=[])

    def _strip_prompts(self) -> None:
        if any(line.startswith((">>>", "In [")) for line in self._lines):
            for number, line in enumerate(self._lines):
                prompt = _PROMPT.match(line)
                if prompt:
                    self._lines[number], self._moved[number] = line[prompt.end() :], prompt.end()
                elif line.strip():
                    self._lines[number] = ""  # what the interpreter printed

    def _number(self, error: SyntaxError) -> int:
        """The index of the line that is wrong."""
        return min(max((error.lineno or 1) - 1, 0), len(self._lines) - 1)

    def _leave_out(self, error: SyntaxError) -> None:
        number = self._number(error)
        message = error.msg or ""
        header = _HEADER_LINE.search(message)
        tried = [at for at in range(number + 1) if _TRY.match(self._lines[at])]
        if message.startswith("expected an indented block") and header:
            self._lines[int(header[1]) - 1] = self._blank(int(header[1]) - 1, "pass")
        elif message.startswith("expected 'except'") and tried:
            self._lines[tried[-1]] = self._blank(tried[-1], "if 1:")
        elif message.startswith(("unexpected indent", "unindent does not match")):
            self._reindent(number)
        else:
            first = self._start(number)
            last = max(self._end(first, unclosed="never closed" in message), number)
            deeper = self._indent_after(last) > self._indent(first)
            replacement = self._blank(first, "if 1:" if deeper else "pass")
            self._lines[first : last + 1] = [replacement, *[""] * (last - first)]

    def _blank(self, number: int, statement: str) -> str:
        """A line that says nothing; nothing at all where it said so already."""
        line = " " * self._indent(number) + statement
        return "" if self._lines[number] in (line, "") else line

    def _indent(self, number: int) -> int:
        line = self._lines[number].expandtabs()
        return len(line) - len(line.lstrip(" "))

    def _indent_after(self, number: int) -> int:
        """The indentation of the next line that says anything."""
        following = (at for at in range(number + 1, len(self._lines)) if self._lines[at].strip())
        return next((self._indent(at) for at in following), 0)

    def _start(self, number: int) -> int:
        """The first line of the statement: lines before it that leave a bracket open or go on belong to it."""
        for first in range(number, max(number - 30, -1), -1):
            if self._lines[first].strip() and _opens("\n".join(self._lines[first:number])) <= 0:
                before = self._lines[first - 1].rstrip() if first else ""
                inside = first and _opens("\n".join(self._lines[max(first - 30, 0) : first])) > 0
                if not before.endswith(("\\", ",", "(", "[", "{")) or not inside:
                    return first
        return number

    def _end(self, first: int, *, unclosed: bool) -> int:
        """The last line of the statement: brackets closed, or before the next line that is not deeper."""
        depth = 0
        for last in range(first, len(self._lines)):
            if last > first and self._lines[last].strip():
                outer = self._indent(last) <= self._indent(first) and not _CLOSER.match(self._lines[last])
                if (unclosed or depth > 0) and outer:
                    return last - 1
            depth += _opens(self._lines[last])
            if depth <= 0 and not self._lines[last].rstrip().endswith("\\"):
                return last
        return first if unclosed else len(self._lines) - 1

    def _reindent(self, number: int) -> None:
        """Moves a run of lines that are indented too far, or to no level, to the level of the statement before."""
        wrong = self._indent(number)
        outer = [self._indent(at) for at in range(number) if self._lines[at].strip()]
        level = max((one for one in outer if one <= wrong), default=0)
        if level == wrong or (outer and outer[-1] < wrong):
            level = outer[-1] if outer else 0
        for at in range(number, len(self._lines)):
            if self._lines[at].strip():
                if self._indent(at) < wrong:
                    break
                self._move(at, self._indent(at) - wrong + level)

    def _move(self, number: int, indent: int) -> None:
        """Gives a line another indentation."""
        line = " " * indent + self._lines[number].lstrip(" \t")
        self._moved[number] += len(self._lines[number]) - len(line)
        self._lines[number] = line

    def _moved_back(self, tree: ast.Module) -> ast.Module:
        if any(self._moved):
            for node in ast.walk(tree):
                if isinstance(node, (ast.stmt, ast.expr, ast.arg, ast.keyword, ast.alias, ast.excepthandler)):
                    node.col_offset += self._moved[node.lineno - 1]
                    if node.end_lineno is not None and node.end_col_offset is not None:
                        node.end_col_offset += self._moved[node.end_lineno - 1]
        return tree


def _opens(line: str) -> int:
    """How many more brackets a text opens than it closes, those in strings and comments not counted."""
    plain = _STRING_OR_COMMENT.sub("", line)
    return sum(plain.count(one) for one in "([{") - sum(plain.count(one) for one in ")]}")
