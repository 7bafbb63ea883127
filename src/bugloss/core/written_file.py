"""Writing where somebody else may have put links: a result never lands in a file that a link points to.

What goes into a folder is written beside its place and moved there whole, which replaces a link instead of following
it; a full disk or a kill leaves the old content. A file that the user names may not be a link, but for the devices
below ``/dev`` and ``/proc``.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from bugloss.core.errors import InvalidInput

_QUIETLY = os.O_CLOEXEC | os.O_NOCTTY
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_DRAFT = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | _QUIETLY
_DEVICES = ("/dev/", "/proc/")


def write_inside(folder: Path, name: str, content: bytes | str) -> None:
    """Writes the file of that name below a folder, whole or not at all; folders on the way are made.

    The folder itself may be a link, for it was named by the user; nothing below it is followed. Raises ``OSError``.
    """
    parts = name.split("/")
    if any(part in {"", ".", ".."} for part in parts):
        raise OSError(errno.EINVAL, f"'{name}' does not name a file in a folder")
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            below = _entered(part, place)
            os.close(place)
            place = below
        _replace(parts[-1], _as_bytes(content), place)
    finally:
        os.close(place)


def write_named(path: Path, content: bytes | str) -> None:
    """Writes the file that the user named, whole or not at all; a link is refused. Raises ``OSError``.

    A pipe or a device has no old content to keep: it takes what it is given.
    """
    absolute = os.path.abspath(path)  # noqa: PTH100 - resolve() would follow links
    try:
        mode = os.lstat(absolute).st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG
    if absolute.startswith(_DEVICES) or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        handle = os.open(path, os.O_WRONLY | os.O_NONBLOCK | _QUIETLY)  # a pipe without a reader is an error
        os.set_blocking(handle, True)
        with os.fdopen(handle, "wb") as file:
            file.write(_as_bytes(content))
        return
    if stat.S_ISLNK(mode):
        raise OSError(errno.ELOOP, "it is a link; pass the file it points to", str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if Path(absolute).exists() and not os.access(absolute, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    write_inside(Path(absolute).parent, Path(absolute).name, content)


def lay_out(folder: Path, content: Mapping[str, bytes]) -> list[str]:
    """Writes files into a new or empty folder, all or none; returns their names."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, part in content.items():
            write_inside(folder, name, part)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise InvalidInput(f"{folder} cannot be written: {error.strerror}.") from error
    return sorted(content)


def refuse_used_folder(folder: Path) -> None:
    """A folder that a user names for new files is missing or empty, and no link."""
    if folder.is_symlink():
        raise InvalidInput(f"{folder} is a link, not a folder.", hint="Pass the folder itself with -w.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInput(f"{folder} exists and is not an empty folder.", hint="Choose another folder with -w.")


def without_links(path: str, flags: int) -> int:
    """An ``opener`` for ``open``: the last part of the path is a regular file, or becomes one."""
    handle = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | _QUIETLY, 0o666)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is not a regular file", path)
    return handle


def _entered(part: str, place: int) -> int:
    with suppress(FileExistsError):
        os.mkdir(part, dir_fd=place)
    try:
        return os.open(part, _FOLDER, dir_fd=place)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENOTDIR}:
            raise OSError(error.errno, f"{part} is not a folder, or is a link") from error
        raise


def _replace(name: str, content: bytes, place: int) -> None:
    draft = f".{name}.{secrets.token_hex(4)}"
    handle = os.open(draft, _DRAFT, 0o666, dir_fd=place)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            with suppress(FileNotFoundError):
                before = os.stat(name, dir_fd=place, follow_symlinks=False)
                if stat.S_ISREG(before.st_mode):
                    os.fchmod(file.fileno(), stat.S_IMODE(before.st_mode))
        os.replace(draft, name, src_dir_fd=place, dst_dir_fd=place)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft, dir_fd=place)
        raise


def _as_bytes(content: bytes | str) -> bytes:
    return content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
