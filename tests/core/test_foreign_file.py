"""The door for files that somebody else named: what it lets through, what it refuses and with which words."""

from __future__ import annotations

import os
import socket
import stat
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core import foreign_file
from bugloss.core.errors import FileRefused, Refusal
from bugloss.core.foreign_file import ForeignFile, is_inside, open_inside, read_bytes, read_text

SECRET = b"canary"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a file, a folder and a neighbour that is none of its business."""
    (tmp_path / "secret").write_bytes(SECRET)
    folder = tmp_path / "root"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.py").write_bytes(b"a = 1\r\n")
    (folder / "sub" / "b.py").write_bytes(b"b = 2\n")
    return folder


def reason(root: Path, name: str, limit: int = 1000) -> Refusal:
    with pytest.raises(FileRefused) as caught:
        read_bytes(root, name, limit)
    assert "\n" not in caught.value.message
    assert caught.value.words in caught.value.message
    return caught.value.reason


@pytest.mark.parametrize("name", ["sub/b.py", "./sub/b.py", "sub//b.py", "sub/./b.py"])
def test_a_file_below_the_root_is_read(root: Path, name: str) -> None:
    assert read_bytes(root, name) == b"b = 2\n"
    assert ForeignFile(root, name).read_bytes() == b"b = 2\n"
    assert is_inside(root, name)


def test_text_has_line_feeds_and_is_text(root: Path) -> None:
    assert read_text(root, "a.py") == "a = 1\n"
    (root / "latin").write_bytes(b"\xe9")
    with pytest.raises(FileRefused, match="not UTF-8 text"):
        read_text(root, "latin")
    assert read_text(root, "latin", errors="replace") == "\ufffd"


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret", "sub/../../secret", "sub/../a.py", "..", "/"])
def test_a_name_that_leads_out_is_refused_before_anything_is_opened(root: Path, name: str) -> None:
    assert reason(root, name) is Refusal.OUTSIDE


@pytest.mark.parametrize(
    ("target", "content"),
    [("a.py", b"a = 1\r\n"), ("sub/b.py", b"b = 2\n"), ("sub/../a.py", b"a = 1\r\n"), ("{root}/sub/b.py", b"b = 2\n")],
)
def test_links_that_stay_inside_are_followed(root: Path, target: str, content: bytes) -> None:
    (root / "link").symlink_to(target.format(root=root))
    (root / "sub" / "far").symlink_to("../link")
    assert read_bytes(root, "link") == content
    assert read_bytes(root, "sub/far") == content


@pytest.mark.parametrize("target", ["../secret", "sub/../../secret", "{root}/../secret", "/etc/passwd", "/dev/zero"])
def test_links_that_leave_are_refused_also_through_others_and_through_folders(root: Path, target: str) -> None:
    (root / "link").symlink_to(target.format(root=root))
    (root / "sub" / "far").symlink_to("../link")
    (root / "away").symlink_to("..")
    assert [reason(root, name) for name in ("link", "sub/far", "away/secret")] == [Refusal.OUTSIDE] * 3


def test_the_root_itself_may_be_reached_by_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "door").symlink_to(root)
    (root / "whole").symlink_to(tmp_path / "door" / "a.py")
    assert read_bytes(tmp_path / "door", "a.py") == read_bytes(tmp_path / "door", "whole") == b"a = 1\r\n"


def test_links_in_a_circle_end(root: Path) -> None:
    (root / "loop").symlink_to("loop")
    (root / "sub" / "up").symlink_to("..")
    assert reason(root, "loop") is Refusal.MISSING  # a circle leads nowhere
    assert read_bytes(root, "sub/up/sub/up/a.py") == b"a = 1\r\n"
    assert reason(root, "sub/up/" * 41 + "a.py") is Refusal.MISSING


def test_only_regular_files_are_opened(root: Path, tmp_path: Path) -> None:
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(root / "socket"))
        assert [reason(root, name) for name in ("pipe", "socket", "sub", ".", "")] == [Refusal.NOT_A_FILE] * 5
    assert reason(Path("/dev"), "zero") is Refusal.NOT_A_FILE
    assert not is_inside(root, "pipe")


@pytest.mark.parametrize("name", ["nothing", "sub/nothing", "a.py/deeper", "nothing/at/all"])
def test_what_is_missing_is_told_apart(root: Path, name: str) -> None:
    assert reason(root, name) is Refusal.MISSING


def test_a_root_that_is_missing_holds_nothing(tmp_path: Path) -> None:
    assert reason(tmp_path / "nowhere", "a.py") is Refusal.MISSING


@pytest.mark.parametrize("size", [1001, 10**10])
def test_a_file_beyond_the_limit_is_refused_however_little_of_it_is_there(root: Path, size: int) -> None:
    with (root / "large").open("wb") as file:
        file.truncate(size)
    assert reason(root, "large", 1000) is Refusal.TOO_LARGE
    with pytest.raises(FileRefused, match="larger than 1000 bytes"):
        read_bytes(root, "large", 1000)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="there is no /proc here")
def test_the_limit_holds_for_files_that_claim_to_be_empty() -> None:
    assert Path("/proc/self/maps").stat().st_size == 0
    assert reason(Path("/proc/self"), "maps", 100) is Refusal.TOO_LARGE
    assert read_bytes(Path("/proc/self"), "maps", 10**8)


def test_the_limit_holds_for_a_file_that_grows_after_its_size_was_asked(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fstat

    def fstat(handle: int) -> os.stat_result:
        found = real(handle)
        if stat.S_ISREG(found.st_mode):
            (root / "a.py").write_bytes(b"x" * 2000)
        return found

    monkeypatch.setattr(foreign_file.os, "fstat", fstat)
    assert reason(root, "a.py", 1000) is Refusal.TOO_LARGE


@pytest.mark.parametrize("swapped", ["link", "pipe"])
def test_what_is_put_in_a_files_place_between_check_and_opening_is_refused(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, swapped: str
) -> None:
    real = os.stat

    def look(path: str, *, dir_fd: int, follow_symlinks: bool) -> os.stat_result:
        found = real(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)
        if path == "a.py":
            (root / "a.py").unlink()
            (root / "a.py").symlink_to(tmp_path / "secret") if swapped == "link" else os.mkfifo(root / "a.py")
        return found

    monkeypatch.setattr(foreign_file.os, "stat", look)
    assert reason(root, "a.py") in {Refusal.UNREADABLE, Refusal.NOT_A_FILE}


def test_a_folder_that_becomes_a_link_while_names_are_looked_up_is_refused(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "b.py").write_bytes(SECRET)
    real = os.stat

    def look(path: str, *, dir_fd: int, follow_symlinks: bool) -> os.stat_result:
        found = real(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)
        if path == "sub":
            (root / "sub").rename(root / "old")
            (root / "sub").symlink_to(tmp_path / "elsewhere")
        return found

    monkeypatch.setattr(foreign_file.os, "stat", look)
    assert reason(root, "sub/b.py") in {Refusal.UNREADABLE, Refusal.MISSING}


def test_no_handle_stays_open_and_none_is_inherited(root: Path) -> None:
    (root / "out").symlink_to("../secret")
    before = os.listdir("/dev/fd")
    with open_inside(root, "sub/b.py") as file:
        assert not os.get_inheritable(file.fileno())
    for name in ("a.py", "out", "sub", "nothing", "sub/b.py/x"):
        is_inside(root, name)
    assert os.listdir("/dev/fd") == before


def test_a_name_that_a_terminal_would_obey_is_quoted(root: Path) -> None:
    with pytest.raises(FileRefused) as caught:
        read_bytes(root, "\x1b]52;c;aGk=\x07.py")
    assert "\x1b" not in caught.value.message
    assert "\\x1b]52" in caught.value.message


PARTS = st.sampled_from(["a.py", "sub", "b.py", "link", "away", "up", "loop", "..", ".", "", "secret", "etc", "passwd"])
NAMES = st.one_of(
    st.text(), st.lists(PARTS, max_size=8).map("/".join), st.lists(PARTS).map(lambda p: "/" + "/".join(p))
)


@pytest.fixture(scope="module")
def maze(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with links of every kind, and a secret one step outside."""
    top = tmp_path_factory.mktemp("maze")
    (top / "secret").write_bytes(SECRET)
    folder = top / "root"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.py").write_bytes(b"inside")
    (folder / "sub" / "b.py").write_bytes(b"inside")
    for name, target in {"link": "../secret", "away": "..", "up": "sub/..", "loop": "loop", "sub/up": ".."}.items():
        (folder / name).symlink_to(target)
    (folder / "sub" / "secret").symlink_to(top / "secret")
    return folder


@given(name=NAMES)
def test_whatever_the_name_nothing_outside_comes_back(maze: Path, name: str) -> None:
    try:
        content = read_bytes(maze, name, 10_000)
    except FileRefused as refused:
        assert refused.message.isprintable()
    else:
        assert content == b"inside"
        assert Path(os.path.realpath(maze / name)).is_relative_to(maze)


@given(parts=st.lists(PARTS.filter(lambda part: part not in {"loop", "", "."}), min_size=1, max_size=6))
def test_what_stays_inside_by_the_systems_own_word_is_read(maze: Path, parts: list[str]) -> None:
    """Names without ``..`` behave as the system's own look-up does, as long as it ends in a file below the root."""
    name = "/".join(part for part in parts if part != "..")
    real = Path(os.path.realpath(maze / name))
    steps = [Path(os.path.realpath(maze.joinpath(*name.split("/")[:count]))) for count in range(len(name.split("/")))]
    if real.is_file() and real.is_relative_to(maze) and all(step.is_relative_to(maze) for step in steps):
        assert read_bytes(maze, name) == b"inside"
    else:
        assert not is_inside(maze, name)


def test_a_pipe_does_not_make_anybody_wait(root: Path) -> None:
    os.mkfifo(root / "pipe")
    reader = threading.Thread(target=is_inside, args=(root, "pipe"), daemon=True)
    reader.start()
    reader.join(30)
    assert not reader.is_alive()
