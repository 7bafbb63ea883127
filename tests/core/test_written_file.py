"""Writing where somebody else may have put links."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bugloss.core.written_file import without_links, write_inside, write_named


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file of the user's that a link points to."""
    (tmp_path / "home").mkdir()
    path = tmp_path / "home" / "victim"
    path.write_text("mine")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    return tmp_path / "folder"


def test_a_file_is_written_whole_with_the_folders_on_the_way(folder: Path) -> None:
    write_inside(folder, "a/b/c.txt", "text \ud800")
    assert (folder / "a" / "b" / "c.txt").read_text() == "text \\ud800"
    assert [path.name for path in (folder / "a" / "b").iterdir()] == ["c.txt"]
    umask = os.umask(0)
    os.umask(umask)
    assert (folder / "a" / "b" / "c.txt").stat().st_mode & 0o777 == 0o666 & ~umask


def test_a_link_is_replaced_and_not_followed(folder: Path, victim: Path) -> None:
    (folder / "page.html").symlink_to(victim)
    write_inside(folder, "page.html", "page")
    assert (victim.read_text(), (folder / "page.html").read_text()) == ("mine", "page")
    assert not (folder / "page.html").is_symlink()


def test_a_folder_below_that_is_a_link_is_refused(folder: Path, victim: Path) -> None:
    (folder / "run").symlink_to(victim.parent)
    with pytest.raises(OSError, match="run is not a folder, or is a link"):
        write_inside(folder, "run/victim", "x")
    assert victim.read_text() == "mine"
    assert list(victim.parent.iterdir()) == [victim]


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/x", "", ".", "a/"])
def test_names_that_lead_out_are_refused(folder: Path, name: str) -> None:
    with pytest.raises(OSError, match="does not name a file"):
        write_inside(folder, name, "x")
    assert list(folder.iterdir()) == []


def test_a_failure_leaves_nothing_behind(folder: Path) -> None:
    (folder / "taken").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_inside(folder, "taken", "x")
    assert [path.name for path in folder.iterdir()] == ["taken"]
    with pytest.raises(FileNotFoundError):
        write_inside(folder / "nowhere", "x", "x")


def test_a_named_file_is_emptied_and_written_but_a_link_is_not(folder: Path, victim: Path) -> None:
    (folder / "out").write_text("a long text from before")
    write_named(folder / "out", "new")
    assert (folder / "out").read_text() == "new"
    (folder / "link").symlink_to(victim)
    (folder / "dangling").symlink_to(victim.parent / "fresh")
    for name in ("link", "dangling"):
        with pytest.raises(OSError, match="it is a link"):
            write_named(folder / name, "x")
    assert victim.read_text() == "mine"
    assert not (victim.parent / "fresh").exists()


def test_standard_output_by_its_name_stays_what_it_is(folder: Path) -> None:
    code = (
        "from pathlib import Path; from bugloss.core.written_file import write_named as w; w(Path('/dev/stdout'), 'x')"
    )
    piped = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    with (folder / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (piped.stdout, (folder / "out").read_bytes()) == (b"x", b"x")


def test_a_pipe_that_nobody_reads_is_an_error_and_no_wait(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(OSError, match="No such device"):
        write_named(folder / "pipe", "x")


def test_appending_follows_no_link_and_waits_for_no_pipe(folder: Path, victim: Path) -> None:
    with open(folder / "log", "a", opener=without_links) as log:
        log.write("line")
    (folder / "link").symlink_to(victim)
    os.mkfifo(folder / "pipe")
    for name in ("link", "pipe"):
        with pytest.raises(OSError, match=r".+"), open(folder / name, "ab+", opener=without_links):
            pass
    assert ((folder / "log").read_text(), victim.read_text()) == ("line", "mine")
