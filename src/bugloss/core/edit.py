"""A change of a program: where, what is there, what to write, and the sentence that says so.

The fix of a finding, the edit of a cause, the trial of an experiment and the patch of a repair are this one object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

_LONGEST_QUOTE = 70  # characters of code in a sentence; the place says where the rest is


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file: lines from 1, columns from 0, as ``ast`` counts them (columns in characters)."""

    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def start(self) -> Span:
        """The empty stretch before it: where to insert."""
        return Span(self.line, self.column, self.line, self.column)

    @property
    def end(self) -> Span:
        """The empty stretch after it."""
        return Span(self.end_line, self.end_column, self.end_line, self.end_column)


@dataclass(frozen=True, slots=True, order=True)
class TextChange:
    """Replaces a stretch of a file, which reads ``old``, by ``new``; an empty stretch inserts."""

    path: str
    span: Span
    old: str
    new: str

    @property
    def line(self) -> int:
        """The line of what goes; a comma and the line end before it are not meant by it."""
        separator = self.old[: len(self.old) - len(self.old.lstrip(" \t\n,"))]
        return self.span.line + (separator.count("\n") if separator != self.old else 0)

    @property
    def words(self) -> str:
        """What to do at this place."""
        old, new = quoted(self.old), quoted(self.new)
        line = f"in line {self.line}"
        if not old.strip("`"):
            return f"insert {new} {line}"
        return f"write {new} instead of {old} {line}" if new.strip("`") else f"remove {old} {line}"


@dataclass(frozen=True, slots=True)
class Edit:
    """Changes that belong together, in one file or in several, and the sentence that a person reads.

    The first change is at the line that a person is shown.
    """

    text: str
    changes: tuple[TextChange, ...]

    @classmethod
    def of(cls, *changes: TextChange) -> Edit:
        """An edit whose text is made of its changes."""
        return cls(" and ".join(change.words for change in changes), changes)

    @property
    def path(self) -> str:
        return self.changes[0].path

    @property
    def line(self) -> int:
        return self.changes[0].line

    @property
    def paths(self) -> tuple[str, ...]:
        """Every file that is changed."""
        return tuple(dict.fromkeys(change.path for change in self.changes))

    def moved(self, rename: Callable[[str], str]) -> Edit:
        """The same edit under other paths."""
        return replace(self, changes=tuple(replace(change, path=rename(change.path)) for change in self.changes))

    def fits(self, path: str, text: str) -> bool:
        """Whether a file still reads as it did when the edit was made."""
        return all(read_span(text, change.span) == change.old for change in self.changes if change.path == path)

    def apply(self, path: str, text: str) -> str:
        """The text of a file with its part of the edit made; layout and comments stay."""
        return apply_changes(text, (change for change in self.changes if change.path == path))

    @property
    def inverse(self) -> Edit:
        """The edit that undoes this one."""
        by_file = groupby(sorted(set(self.changes)), key=lambda change: change.path)
        return Edit.of(*(undone for _, changes in by_file for undone in _undone(changes)))

    @property
    def document(self) -> dict[str, object]:
        """The edit as outside programs read it: the first change, the sentence, and every change."""
        changes = [_document(change) for change in self.changes]
        return {**changes[0], "line": self.line, "text": self.text, "changes": changes}


def merged(edits: Sequence[Edit]) -> Edit:
    """One edit for the same change at several places, described by the first of them."""
    first, others = edits[0], len({edit.changes for edit in edits}) - 1
    more = f" (and at {others} more place{'s' if others > 1 else ''})" if others else ""
    return Edit(first.text + more, tuple(dict.fromkeys(change for edit in edits for change in edit.changes)))


def apply_changes(text: str, changes: Iterable[TextChange]) -> str:
    """The text with all changes made; they must not overlap."""
    starts = _line_starts(text)
    for change in sorted(set(changes), reverse=True):
        start, end = _offsets(starts, change.span, text)
        text = text[:start] + change.new + text[end:]
    return text


def read_span(text: str, span: Span) -> str:
    """The text of a span."""
    start, end = _offsets(_line_starts(text), span, text)
    return text[start:end]


def quoted(code: str) -> str:
    """Code in a sentence: its first line, shortened where it is long."""
    first, _, rest = code.strip().partition("\n")
    short = first if len(first) <= _LONGEST_QUOTE and not rest else f"{first[:_LONGEST_QUOTE].rstrip()} …"
    return f"`{short}`"


def _undone(changes: Iterable[TextChange]) -> Iterator[TextChange]:
    """The changes of one file, from its beginning, turned round and at the places where they are afterwards."""
    lines = columns = last = 0  # how far what follows was moved: down, and to the right on the line that ended last
    for change in changes:
        span, added = change.span, change.new.split("\n")
        line, column = span.line + lines, span.column + (columns if span.line == last else 0)
        end = (line, column + len(added[0])) if len(added) == 1 else (line + len(added) - 1, len(added[-1]))
        yield TextChange(change.path, Span(line, column, *end), change.new, change.old)
        lines, columns, last = end[0] - span.end_line, end[1] - span.end_column, span.end_line


def _document(change: TextChange) -> dict[str, object]:
    span = change.span
    return {
        "path": change.path,
        "line": span.line,
        "column": span.column + 1,
        "end_line": span.end_line,
        "end_column": span.end_column + 1,
        "from": change.old,
        "to": change.new,
    }


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _offsets(starts: list[int], span: Span, text: str) -> tuple[int, int]:
    return tuple(  # type: ignore[return-value]
        min(len(text), starts[min(line, len(starts)) - 1] + column)
        for line, column in ((span.line, span.column), (span.end_line, span.end_column))
    )
