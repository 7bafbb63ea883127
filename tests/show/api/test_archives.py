"""Archives that somebody sends."""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import tracemalloc
import zipfile
from typing import Literal

import pytest

from bugloss.show.api.security.archives import ArchiveRefused, pack, unpack
from bugloss.show.api.settings import ServerLimits

LIMITS = ServerLimits(unpacked_bytes=1_000_000, unpacked_files=20)


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return content.getvalue()


def tarred(*members: tarfile.TarInfo, data: bytes = b"") -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        for member in members:
            member.size = len(data) if member.isreg() else 0
            archive.addfile(member, io.BytesIO(data))
    return content.getvalue()


def linked(name: str, target: str, kind: bytes) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


@pytest.mark.parametrize(
    "name", ["../x", "a/../../x", "/etc/passwd", "..\\x", "C:\\x", "a\nb", "a\x1bb", "x/" * 9 + "y", "n" * 300]
)
def test_a_name_that_leads_outside_or_cannot_be_shown_is_refused(name: str) -> None:
    with pytest.raises(ArchiveRefused):
        unpack(zipped((name, b"x")), LIMITS)
    with pytest.raises(ArchiveRefused):
        unpack(tarred(tarfile.TarInfo(name), data=b"x"), LIMITS)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_are_refused(kind: bytes) -> None:
    with pytest.raises(ArchiveRefused, match="link or a device"):
        unpack(tarred(linked("buggy/main.py", "/etc/passwd", kind)), LIMITS)


def test_a_link_in_a_zip_is_refused() -> None:
    member = zipfile.ZipInfo("main.py")
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(ArchiveRefused, match="link or a device"):
        unpack(zipped((member, b"/etc/passwd")), LIMITS)


def test_a_bomb_is_refused_before_it_is_unpacked_whole() -> None:
    bomb = zipped(("zeros", b"\0" * 30_000_000))
    assert len(bomb) < 50_000
    with pytest.raises(ArchiveRefused, match="larger than 1 MB"):
        unpack(bomb, LIMITS)
    with pytest.raises(ArchiveRefused, match="larger than 1 MB"):
        unpack(tarred(tarfile.TarInfo("zeros"), data=b"\0" * 30_000_000), LIMITS)


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK])
def test_a_header_as_large_as_a_bomb_is_refused(kind: bytes) -> None:
    """Of 1.2 MB, one header became 1.2 GB, which were read before anything was counted."""
    header = tarfile.TarInfo("x")
    header.type, header.size = kind, 200_000_000
    content = io.BytesIO()
    with gzip.open(content, "wb", compresslevel=1) as stream:
        stream.write(header.tobuf(tarfile.USTAR_FORMAT))
        for _ in range(200):
            stream.write(b"\0" * 1_000_000)
    tracemalloc.start()
    with pytest.raises(ArchiveRefused, match="larger than 1 MB"):
        unpack(content.getvalue(), LIMITS)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20_000_000


@pytest.mark.parametrize("mode", ["w:bz2", "w:xz"])
def test_only_the_named_kinds_of_archives_are_read(mode: Literal["w:bz2", "w:xz"]) -> None:
    """Others can be compressed far more, and take as much memory as they say."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode=mode) as archive:
        archive.addfile(tarfile.TarInfo("a"))
    with pytest.raises(ArchiveRefused):
        unpack(content.getvalue(), LIMITS)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_BZIP2) as one:
        one.writestr("a", b"1")
    with pytest.raises(ArchiveRefused, match="not supported"):
        unpack(packed.getvalue(), LIMITS)


def test_too_many_files_are_refused() -> None:
    with pytest.raises(ArchiveRefused, match="more than 20 files"):
        unpack(zipped(*((f"f{number}", b"") for number in range(21))), LIMITS)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_one_name_twice_is_refused() -> None:
    with pytest.raises(ArchiveRefused, match="twice"):
        unpack(zipped(("a", b"1"), ("./a", b"2")), LIMITS)


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"PK\x03\x04" + b"x" * 100, b"hello", b"\x1f\x8b" + b"x" * 50, zipped()]
)
def test_what_is_not_an_archive_is_refused_in_one_sentence(content: bytes) -> None:
    with pytest.raises(ArchiveRefused):
        unpack(content, LIMITS)


def test_files_come_back_as_they_were_packed() -> None:
    files = {"bug.toml": b"x", "buggy/main.py": b"print(1)\n"}
    assert unpack(pack(files), LIMITS) == files
    outer = zipped(*((f"my-bug/{name}", data) for name, data in files.items()))
    assert unpack(outer, LIMITS) == files
