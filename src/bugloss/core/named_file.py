"""Files that the user named on the command line: links are fine, and so are pipes that somebody writes to.

``bugloss lookup <(command)`` and ``/dev/stdin`` work. A folder, a device, a pipe without a writer and a file beyond the
limit are refused in one sentence; nothing is read without end.
"""

from __future__ import annotations

import os
import select
import stat
import sys
from collections import deque
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

from bugloss.core.errors import FileRefused, InvalidInput, Refusal
from bugloss.core.foreign_file import from_system, not_a_file, refused

LARGEST_DATA = 1_000_000_000  # bytes; tables and rankings that a user hands in
_PATIENCE = 2.0  # seconds for a writer to come: shells open their end of a pipe at about the same time as we do
_CHUNK = 1 << 16
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class Keep(Enum):
    """What is kept of more bytes than the limit allows."""

    NOTHING = "nothing"  # the file is refused
    BEGINNING = "beginning"
    END = "end"


def read_named(path: Path, limit: int, keep: Keep = Keep.NOTHING) -> bytes:
    """What a file, a pipe or a terminal that the user named holds; ``FileRefused`` says why not."""
    try:
        handle = os.open(path, _FLAGS)
    except OSError as error:
        raise from_system(path, error) from error
    except ValueError as error:
        raise refused(path, Refusal.UNREADABLE, "its name is not a valid file name") from error
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISREG(mode):
            return _of_file(handle, path, limit, keep)
        if stat.S_ISFIFO(mode) or os.isatty(handle):
            return _gathered(_chunks(handle, path), path, limit, keep)
        raise not_a_file(path, mode)
    except OSError as error:
        raise from_system(path, error) from error
    finally:
        os.close(handle)


def read_named_text(path: Path, limit: int = LARGEST_DATA, *, errors: str = "strict") -> str:
    """The same as text in UTF-8, its lines ended by line feeds."""
    try:
        text = read_named(path, limit).decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise refused(path, Refusal.NOT_TEXT, "it is not UTF-8 text") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_standard_input(limit: int, keep: Keep) -> bytes:
    """What comes on standard input, up to its end or the limit."""
    if sys.stdin is None:
        raise InvalidInput("standard input is closed.", hint="Pass a file, or pipe the text in.")
    stream = sys.stdin.buffer
    try:
        return _gathered(iter(lambda: stream.read(_CHUNK), b""), Path("standard input"), limit, keep)
    except (OSError, ValueError) as error:  # ValueError: somebody closed it in this process
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInput(f"standard input cannot be read: {reason}.") from error


def _of_file(handle: int, path: Path, limit: int, keep: Keep) -> bytes:
    size = os.fstat(handle).st_size
    if keep is Keep.NOTHING and size > limit:
        raise _too_large(path, limit)
    if keep is Keep.END:
        os.lseek(handle, max(size - limit, 0), os.SEEK_SET)
    return _gathered(iter(lambda: os.read(handle, _CHUNK), b""), path, limit, keep)


def _gathered(chunks: Iterator[bytes], path: Path, limit: int, keep: Keep) -> bytes:
    """The bytes that are kept; no more than the limit and one chunk are ever held."""
    held: deque[bytes] = deque()
    size = total = 0
    for chunk in chunks:
        held.append(chunk)
        size += len(chunk)
        total += len(chunk)
        if size > limit and keep is Keep.NOTHING:
            raise _too_large(path, limit)
        if size >= limit and keep is Keep.BEGINNING:
            break
        while keep is Keep.END and size - len(held[0]) >= limit:
            size -= len(held.popleft())
        if total > max(limit, LARGEST_DATA):
            raise _too_large(path, max(limit, LARGEST_DATA))
    content = b"".join(held)
    return content[-limit:] if keep is Keep.END else content[:limit]


def _chunks(handle: int, path: Path) -> Iterator[bytes]:
    """What a writer sends, waiting as long as there is one; where none comes, the pipe is refused."""
    waiting = select.poll()
    waiting.register(handle, select.POLLIN | select.POLLHUP)
    was_there = os.isatty(handle)
    while True:
        try:
            chunk = os.read(handle, _CHUNK)
        except BlockingIOError:
            was_there = True
            waiting.poll()
            continue
        if chunk:
            was_there = True
            yield chunk
        elif was_there:
            return
        elif not waiting.poll(_PATIENCE * 1000):
            raise refused(path, Refusal.NOT_A_FILE, "it is a pipe without a writer")
        else:
            was_there = True


def _too_large(path: Path, limit: int) -> FileRefused:
    return refused(path, Refusal.TOO_LARGE, f"it is larger than {limit // 1_000_000} MB")
