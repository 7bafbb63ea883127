"""The one door for files that somebody else named: a program's evidence, a project's settings, a bug, a recorded run.

A name is looked up below a root folder, part by part, each from the open folder before it, so that nothing can be
swapped between a check and its use. Links are followed as long as they stay below the root. Only regular files are
opened, never waiting for anybody, and what they hold is read up to a limit, whatever size they claim to have.
"""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from bugloss.core.errors import FileRefused, Refusal

LARGEST_TEXT = 5_000_000  # bytes; source files, reports and settings are far below

_CHUNK = 1 << 16
_MOST_LINKS = 40  # as many as Linux follows in one name
_QUIETLY = os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK
_FILE = os.O_RDONLY | os.O_NOFOLLOW | _QUIETLY
_ROOT = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC
_FOLDER = _ROOT | os.O_NOFOLLOW
_KINDS = {stat.S_IFDIR: "folder", stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket", stat.S_IFLNK: "link"}


@dataclass(frozen=True, slots=True)
class ForeignFile:
    """A file below a root folder, to be read through the door when its content is needed."""

    root: Path
    name: str
    limit: int = LARGEST_TEXT

    @property
    def path(self) -> Path:
        return self.root / self.name

    def read_bytes(self) -> bytes:
        return read_bytes(self.root, self.name, self.limit)


def read_bytes(root: Path, name: str, limit: int = LARGEST_TEXT) -> bytes:
    """What the file of that name below the root holds; ``FileRefused`` says why not."""
    with open_inside(root, name) as file:
        return read_limited(file, limit, root / name)


def read_text(root: Path, name: str, limit: int = LARGEST_TEXT, *, errors: str = "strict") -> str:
    """The same as text in UTF-8, its lines ended by line feeds."""
    try:
        text = read_bytes(root, name, limit).decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise refused(root / name, Refusal.NOT_TEXT, "it is not UTF-8 text") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def is_inside(root: Path, name: str) -> bool:
    """Whether there is a regular file of that name below the root."""
    try:
        open_inside(root, name).close()
    except FileRefused:
        return False
    return True


def open_inside(root: Path, name: str) -> BinaryIO:
    """The regular file of that name below the root, open for reading; who reads from it sets the limit."""
    try:
        return os.fdopen(_open(root, name), "rb")
    except OSError as error:
        raise from_system(root / name, error) from error
    except ValueError as error:  # a null byte, or characters that no file system encodes
        raise refused(root / "?", Refusal.UNREADABLE, "its name is not a valid file name") from error


def read_limited(file: BinaryIO, limit: int, path: Path) -> bytes:
    """Everything from a file that has no more than the limit: its size is asked first, and then not relied on."""
    size = os.fstat(file.fileno()).st_size
    if size > limit:
        raise _too_large(path, limit)
    content = bytearray()
    try:
        # The size is only a guess; None comes where a file of the kernel's would make its reader wait.
        while chunk := file.read(min(max(size, _CHUNK), limit + 1 - len(content))):
            content += chunk
            if len(content) > limit:
                raise _too_large(path, limit)
    except OSError as error:
        raise from_system(path, error) from error
    return bytes(content)


def refused(path: Path, reason: Refusal, words: str) -> FileRefused:
    """The refusal of a file, as one sentence."""
    return FileRefused(f"{shown(path)} cannot be read: {words}.", reason=reason, words=words)


def from_system(path: Path, error: OSError) -> FileRefused:
    """The refusal that the system's own words give."""
    reason = Refusal.MISSING if error.errno in {errno.ENOENT, errno.ENOTDIR} else Refusal.UNREADABLE
    reason = Refusal.NOT_A_FILE if error.errno == errno.EISDIR else reason
    return refused(path, reason, error.strerror or str(error))


def not_a_file(path: Path, mode: int) -> FileRefused:
    """The refusal of what is not a regular file."""
    if stat.S_ISDIR(mode):
        return refused(path, Refusal.NOT_A_FILE, os.strerror(errno.EISDIR))
    return refused(path, Refusal.NOT_A_FILE, f"it is a {kind_of(mode)}, not a file")


def kind_of(mode: int) -> str:
    """What an entry of a folder is, in a word."""
    return _KINDS.get(stat.S_IFMT(mode), "device")


def shown(path: Path | str) -> str:
    """A path from somebody else, without characters that a terminal would obey."""
    text = str(path)
    return text if text.isprintable() else ascii(text)[1:-1]


def _too_large(path: Path, limit: int) -> FileRefused:
    size = f"{limit // 1_000_000} MB" if limit >= 1_000_000 else f"{limit} bytes"
    return refused(path, Refusal.TOO_LARGE, f"it is larger than {size}")


def _outside(root: Path, name: str, words: str) -> FileRefused:
    return refused(root / name, Refusal.OUTSIDE, f"{words} {shown(root)}")


def _open(root: Path, name: str) -> int:
    """Goes down from the root; the last of ``folders`` is where the next part of the name is looked up."""
    path = root / name
    if name.startswith("/") or ".." in name.split("/"):
        raise _outside(root, name, "its name points outside")
    pending = _reversed_parts(name)
    folders = [os.open(root, _ROOT)]
    links = 0
    try:
        while pending:
            part = pending.pop()
            if part == "..":  # only the targets of links have these
                if len(folders) == 1:
                    raise _outside(root, name, "it is a link that points outside")
                os.close(folders.pop())
                continue
            mode = os.stat(part, dir_fd=folders[-1], follow_symlinks=False).st_mode
            if stat.S_ISLNK(mode):
                links += 1
                if links > _MOST_LINKS:
                    raise refused(path, Refusal.MISSING, os.strerror(errno.ELOOP))  # a circle leads nowhere
                pending += _reversed_parts(_target(root, name, os.readlink(part, dir_fd=folders[-1]), folders))
            elif pending:
                folders.append(os.open(part, _FOLDER, dir_fd=folders[-1]))
            elif stat.S_ISREG(mode):  # asked before it is opened: opening alone makes some devices act
                return _opened(part, folders[-1], path)
            else:
                raise not_a_file(path, mode)
        raise not_a_file(path, stat.S_IFDIR)
    finally:
        for folder in folders:
            os.close(folder)


def _opened(part: str, folder: int, path: Path) -> int:
    """The file, if it still is a regular one now that it is open."""
    handle = os.open(part, _FILE, dir_fd=folder)
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        raise not_a_file(path, mode)
    return handle


def _target(root: Path, name: str, target: str, folders: list[int]) -> str:
    """What a link says, as seen from the last folder; a whole path starts again at the root, if it is below it."""
    if not target.startswith("/"):
        return target
    for top in {os.path.realpath(root), os.path.abspath(root)}:  # noqa: PTH100 - links of the root's own path
        if target.startswith(f"{top.rstrip('/')}/"):
            while len(folders) > 1:
                os.close(folders.pop())
            return target.removeprefix(top)
    raise _outside(root, name, "it is a link that points outside")


def _reversed_parts(name: str) -> list[str]:
    return [part for part in reversed(name.split("/")) if part not in {"", "."}]
