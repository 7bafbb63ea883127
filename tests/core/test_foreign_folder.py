"""A walk over a folder that somebody else made: its regular files, and what is left alone and why."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bugloss.core.foreign_folder import content_of


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_text("canary")
    folder = tmp_path / "root"
    for name in ("b.py", "a.py", "sub/c.py", "sub/deep/d.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


def left_alone(root: Path, **limits: int) -> dict[str, str]:
    return {left.name: left.why for left in content_of(root, **limits).left_alone}  # type: ignore[arg-type]


def test_files_come_by_name_with_their_sizes_and_can_be_read(root: Path) -> None:
    found = content_of(root)
    assert found.names == ["a.py", "b.py", "sub/c.py", "sub/deep/d.py"]
    assert [size for _, size in found.files] == [4, 4, 8, 13]
    assert [file.read_bytes().decode() for file, _ in found.files] == found.names
    assert found.left_alone == ()


def test_a_folder_that_is_missing_or_a_file_holds_nothing(root: Path) -> None:
    assert content_of(root / "nowhere").names == content_of(root / "a.py").names == []


def test_links_to_files_inside_count_and_all_others_are_named(root: Path) -> None:
    links = {"inside": "a.py", "out": "../secret", "folder": "sub", "away": "..", "loop": "loop", "gone": "nothing"}
    for name, target in links.items():
        (root / name).symlink_to(target)
    os.mkfifo(root / "pipe")
    assert "inside" in content_of(root).names
    why = left_alone(root)
    assert why.keys() == {"out", "folder", "away", "loop", "gone", "pipe"}
    assert why["out"] == why["away"] == "it is a link that points outside the folder"
    assert why["folder"] == "it is a link to a folder"
    assert why["pipe"] == "it is a pipe, not a file"


def test_what_the_caller_skips_is_neither_found_nor_named(root: Path) -> None:
    found = content_of(root, skip=lambda entry: entry.name in {"sub", "b.py"})
    assert (found.names, found.left_alone) == (["a.py"], ())


def test_limits_keep_the_nearest_files_and_say_what_they_left_out(root: Path) -> None:
    assert content_of(root, most_files=2).names == ["a.py", "b.py"]
    assert left_alone(root, most_files=2).keys() == {"sub/c.py", "sub/deep/d.py"}
    with (root / "a-sparse").open("wb") as file:
        file.truncate(10**11)
    assert left_alone(root).keys() == {"a-sparse"}
    assert content_of(root, deepest=1).names == ["a.py", "b.py", "sub/c.py"]
    assert left_alone(root, deepest=1) == {
        "a-sparse": "the folder contains more than 5000 files or 200 MB",
        "sub/deep/": "it is nested more than 1 folders deep",
    }


def test_a_folder_with_very_many_entries_ends_the_walk(root: Path) -> None:
    for number in range(30):
        (root / "sub" / f"link{number}").symlink_to("nothing")
    found = content_of(root, most_files=2)
    assert "more than 20 entries" in found.left_alone[-1].why
    assert found.names == ["a.py", "b.py"]


def test_folders_below_folders_without_end_end(tmp_path: Path) -> None:
    place = tmp_path
    for _ in range(60):
        place = place / "d"
    place.mkdir(parents=True)
    (place / "x.py").write_text("")
    found = content_of(tmp_path)
    assert found.names == []
    assert found.left_alone[0].why == "it is nested more than 40 folders deep"
