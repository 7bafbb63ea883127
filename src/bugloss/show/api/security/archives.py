"""Opens an archive that somebody sends: into memory, within limits, plain files only.

Nothing is extracted by a library: names are checked, links and devices are refused, and bytes are counted while they
are unpacked, so that a small archive cannot become a large one. Headers count too: those of a tar archive may be of any
length, and the library reads them whole.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import IO

from bugloss.core.errors import InvalidInput
from bugloss.core.visible import is_hidden, visible
from bugloss.show.api.settings import ServerLimits

_DEEPEST = 6
_LONGEST_NAME = 200
_HINT = "Send the folder of one bug as a .zip or .tar.gz archive."
_CHUNK = 65_536
_HEADER = 4_096  # bytes that a tar archive may spend on one file beside its content: headers, long names, filling


class ArchiveRefused(InvalidInput):
    """An archive that is damaged, dangerous or too large."""

    kind = "archive-refused"


def unpack(content: bytes, limits: ServerLimits) -> dict[str, bytes]:
    """The files of a zip or tar archive by name; a single folder around them all is taken off."""
    try:
        members = _zip_members(content) if content[:2] == b"PK" else _tar_members(content, limits)
        files = _read(members, limits)
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise ArchiveRefused("the archive cannot be read.", hint=_HINT) from error
    except (NotImplementedError, RuntimeError, ValueError) as error:  # encrypted, an unknown method, a bad header
        raise ArchiveRefused("the archive uses features that are not supported.", hint=_HINT) from error
    if not files:
        raise ArchiveRefused("the archive contains no files.", hint=_HINT)
    return _without_outer_folder(files)


def pack(files: dict[str, bytes]) -> bytes:
    """Files as a zip archive of our own making."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            archive.writestr(name, data)
    return content.getvalue()


def _read(members: Iterator[tuple[str, IO[bytes]]], limits: ServerLimits) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    left = limits.unpacked_bytes
    for given, stream in members:
        name = _checked(given)
        if name in files:
            raise ArchiveRefused(f"the archive contains '{name}' twice.", hint=_HINT)
        if len(files) >= limits.unpacked_files:
            raise ArchiveRefused(f"the archive contains more than {limits.unpacked_files} files.", hint=_HINT)
        content = bytearray()
        while chunk := stream.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise _too_large(limits)
            content += chunk
        files[name] = bytes(content)
    return files


def _zip_members(content: bytes) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for member in archive.infolist():
            if member.is_dir():
                continue
            if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                raise NotImplementedError  # others take memory by what the archive says of itself
            kind = (member.external_attr >> 16) & 0o170000  # of the Unix mode; 0 where the archive states none
            if kind not in {0, 0o100000}:
                raise _not_plain(member.filename)
            with archive.open(member) as stream:
                yield member.filename, stream


def _tar_members(content: bytes, limits: ServerLimits) -> Iterator[tuple[str, IO[bytes]]]:
    if content[:2] == b"\x1f\x8b":
        most = limits.unpacked_bytes + limits.unpacked_files * _HEADER
        with gzip.open(io.BytesIO(content)) as packed:
            content = packed.read(most + 1)
        if len(content) > most:
            raise _too_large(limits)
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
        for member in archive:
            if member.isdir():
                continue
            stream = archive.extractfile(member) if member.isreg() else None
            if stream is None:
                raise _not_plain(member.name)
            yield member.name, stream


def _too_large(limits: ServerLimits) -> ArchiveRefused:
    most = limits.unpacked_bytes // 1_000_000
    return ArchiveRefused(f"the files of the archive are larger than {most} MB.", hint=_HINT)


def _not_plain(name: str) -> ArchiveRefused:
    return ArchiveRefused(f"'{visible(name)[:100]}' is a link or a device, not a file.", hint=_HINT)


def _checked(name: str) -> str:
    """A name below the archive's root, in one spelling."""
    path = PurePosixPath(name)
    parts = [part for part in path.parts if part != "."]
    bad = path.is_absolute() or ".." in parts or "\\" in name or ":" in name or is_hidden(name) or "\n" in name
    if bad or not parts or len(parts) > _DEEPEST or len(name) > _LONGEST_NAME:
        raise ArchiveRefused(f"the archive contains a file with the name '{visible(name)[:100]}'.", hint=_HINT)
    return "/".join(parts)


def _without_outer_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    outer = {name.split("/")[0] for name in files}
    if len(outer) != 1 or any("/" not in name for name in files):
        return files
    return {name.split("/", 1)[1]: content for name, content in files.items()}
