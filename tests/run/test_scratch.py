"""Scratch folders: removed by their owner, or by the next command when the owner was killed; nobody else's are touched."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from bugloss.run.sandbox.scratch import PREFIX, scratch_folder, sweep


def left_over(place: Path, name: str, age: float = 1000.0) -> Path:
    folder = place / f"{PREFIX}{name}"
    (folder / "work").mkdir(parents=True)
    (folder / "work" / "file").write_text("x")
    os.utime(folder, (folder.stat().st_mtime - age,) * 2)
    return folder


def test_a_folder_is_removed_by_its_owner_even_where_the_program_closed_parts_of_it(tmp_path: Path) -> None:
    with scratch_folder() as folder:
        (folder / "closed" / "deeper").mkdir(parents=True)
        (folder / "closed" / "deeper" / "file").write_text("x")
        (folder / "closed").chmod(0)
    assert not folder.exists()


def test_folders_nested_deeper_than_any_path_are_removed(tmp_path: Path) -> None:
    with scratch_folder() as folder:
        handle = os.open(folder, os.O_RDONLY)
        for _ in range(3000):
            os.mkdir("deeper", dir_fd=handle)
            below = os.open("deeper", os.O_RDONLY, dir_fd=handle)
            os.close(handle)
            handle = below
        os.close(handle)
    assert not folder.exists()


def test_folders_of_dead_owners_are_removed_and_links_in_them_are_not_followed(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    canary.mkdir()
    (canary / "file").write_text("x")
    dead = left_over(tmp_path, "dead")
    (dead / "link").symlink_to(canary)
    (dead / "work").chmod(0)
    os.utime(dead, (0, 0))
    sweep(tmp_path)
    assert not dead.exists()
    assert (canary / "file").exists()


def test_folders_that_somebody_holds_or_has_just_made_stay(tmp_path: Path) -> None:
    held, young = left_over(tmp_path, "held"), left_over(tmp_path, "young", age=0)
    young = young.rename(tmp_path / f"bugloss-new-{os.getpid()}-young")  # its name until it is locked
    handle = os.open(held, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        sweep(tmp_path)
        assert (held / "work" / "file").exists()
        assert (young / "work" / "file").exists()
    finally:
        os.close(handle)
    sweep(tmp_path)
    assert not held.exists()


def test_other_folders_files_and_links_stay(tmp_path: Path) -> None:
    other = tmp_path / "bugloss-of-mine"
    other.mkdir()
    os.utime(other, (0, 0))
    (tmp_path / f"{PREFIX}file").write_text("x")
    canary = tmp_path / "canary"
    canary.mkdir()
    os.utime(canary, (0, 0))
    (tmp_path / f"{PREFIX}link").symlink_to(canary)
    before = sorted(tmp_path.iterdir())
    sweep(tmp_path)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a folder of somebody else")
def test_folders_of_others_stay(tmp_path: Path) -> None:
    folder = left_over(tmp_path, "others")
    os.chown(folder, 65534, 65534)
    sweep(tmp_path)
    assert (folder / "work" / "file").exists()


def test_a_place_that_cannot_be_read_is_no_error(tmp_path: Path) -> None:
    sweep(tmp_path / "missing")
