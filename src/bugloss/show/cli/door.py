"""The door to the terminal: what a verb writes to standard output or standard error passes here, and only here.

Foreign text is quoted: terminals obey no character of a report, a program or a file name. Under GitHub Actions no
foreign text becomes a workflow command. What ``bugloss run`` lets the user's own program print does not pass: that
program has the terminal as it would have without us.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

from bugloss.show.own_codes import quoted

# Lines that a runner takes for commands: "::" at their beginning, spaces aside, or "##[" anywhere.
_COMMAND = re.compile(r"^(?P<new>[^\S\n]*:):|(?P<old>##)\[", re.MULTILINE)


class Door:
    """A standard stream as verbs see it: it quotes what is written to it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._guards_commands = bool(os.environ.get("GITHUB_ACTIONS"))
        self._line = ""  # what matters of the line that was begun
        # The name under which rich looks for the stream behind a stream. Our console quotes text, then adds styles.
        self.rich_proxied_file = _Behind(self, stream)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        self._stream.write(quoted(self.without_commands(text)))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def write_exactly(self, text: str) -> None:
        """Data for another program: unchanged, unless a terminal or a workflow's log would obey it."""
        if self._stream.isatty():
            self.write(text)
        else:
            self._stream.write(text if self._is_file() else self.without_commands(text))

    def without_commands(self, text: str) -> str:
        """Breaks commands in foreign text: their last character is escaped, which JSON reads as the same text.

        Our own are not seen here: a mark stands before each of their characters.
        """
        if not self._guards_commands:
            return text
        whole = self._line + text
        broken = _COMMAND.sub(lambda found: f"{found['new'] or found['old']}\\u{ord(found[0][-1]):04x}", whole)
        last = whole.rsplit("\n", 1)[-1]
        begun, self._line = len(self._line), last.strip() if last.strip() in {"", ":"} else f"x{last[-2:]}"
        return broken[begun:]

    def _is_file(self) -> bool:
        with suppress(OSError, ValueError):
            return stat.S_ISREG(os.fstat(self._stream.fileno()).st_mode)
        return False


class _Behind:
    """The way past the quoting, for text that was quoted before codes of our own were put in."""

    def __init__(self, door: Door, stream: TextIO) -> None:
        self._door = door
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        return self._stream.write(self._door.without_commands(text))


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Both standard streams behind doors, as long as a verb runs."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast("TextIO", Door(stream)) if stream is not None else stream for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def write_exactly(text: str) -> None:
    """Writes data for another program to standard output."""
    stream = sys.stdout
    if isinstance(stream, Door):
        stream.write_exactly(text)
    else:
        stream.write(text)


def write_codes(stream: TextIO, text: str) -> None:
    """Writes our own codes, and text that was made visible, to a standard stream."""
    getattr(stream, "rich_proxied_file", stream).write(text)
