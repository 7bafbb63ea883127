"""Whether files differ from a commit: found by size, time and bytes, in every kind of index and checkout."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_repository import TinyRepository

from bugloss.localize.repository.objects import Repository
from bugloss.localize.repository.work_tree import LARGEST_READ

LONG_AGO = 1_000_000_000


@pytest.fixture
def made(tmp_path: Path) -> TinyRepository:
    repository = TinyRepository.at(tmp_path / "r")
    repository.commit({"a.py": "one = 1\n", "größe/b c.py": "two = 2\n", "line\nend.py": "", "empty.py": ""})
    return repository


def is_dirty(folder: Path) -> bool:
    repository = Repository(folder)
    return repository.is_dirty(repository.tree(repository.resolve("HEAD")))


def touch(repository: TinyRepository, name: str = "a.py") -> None:
    os.utime(repository.folder / name, (LONG_AGO, LONG_AGO))


def rewrite(repository: TinyRepository) -> None:
    (repository.folder / "a.py").write_text("one = 2\n")


def lengthen(repository: TinyRepository) -> None:
    (repository.folder / "a.py").write_text("one = 1 + 1\n")


def empty(repository: TinyRepository) -> None:
    (repository.folder / "a.py").write_text("")


def fill(repository: TinyRepository) -> None:
    (repository.folder / "empty.py").write_text("no more\n")


def delete(repository: TinyRepository) -> None:
    (repository.folder / "a.py").unlink()


def stage(repository: TinyRepository) -> None:
    rewrite(repository)
    repository.git("add", "a.py")


def stage_and_take_back(repository: TinyRepository) -> None:
    stage(repository)
    (repository.folder / "a.py").write_text("one = 1\n")


def add(repository: TinyRepository) -> None:
    (repository.folder / "new.py").write_text("")
    repository.git("add", "new.py")


def remove_from_the_index(repository: TinyRepository) -> None:
    repository.git("rm", "-q", "--cached", "a.py")


def put_a_pipe_in_its_place(repository: TinyRepository) -> None:
    delete(repository)
    os.mkfifo(repository.folder / "a.py")


def put_a_link_in_its_place(repository: TinyRepository) -> None:
    delete(repository)
    (repository.folder / "a.py").symlink_to("größe/b c.py")


Change = Callable[[TinyRepository], None]
CHANGES: list[Change] = [rewrite, lengthen, empty, fill, delete, stage, stage_and_take_back, add, remove_from_the_index]
CHANGES += [put_a_pipe_in_its_place, put_a_link_in_its_place]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_that_is_not_committed_is_noticed(made: TinyRepository, change: Change) -> None:
    assert not is_dirty(made.folder)
    change(made)
    assert is_dirty(made.folder)


def prepare_nothing(repository: TinyRepository) -> None:
    pass


def prefix_compression(repository: TinyRepository) -> None:
    repository.git("update-index", "--index-version", "4")


def split_index(repository: TinyRepository) -> None:
    repository.git("update-index", "--split-index")
    repository.commit({"c.py": "three = 3\n"})


@pytest.mark.parametrize("form", [prepare_nothing, prefix_compression, split_index])
def test_every_form_of_index_is_read(made: TinyRepository, form: Change) -> None:
    form(made)
    assert not is_dirty(made.folder)
    rewrite(made)
    assert is_dirty(made.folder)


def test_a_file_that_was_touched_but_not_changed_is_clean(made: TinyRepository) -> None:
    touch(made)
    touch(made, "empty.py")
    assert not is_dirty(made.folder)


def test_a_copy_of_a_repository_with_times_of_its_own_is_clean(made: TinyRepository, tmp_path: Path) -> None:
    shutil.copytree(made.folder, tmp_path / "copy", copy_function=shutil.copyfile)
    assert not is_dirty(tmp_path / "copy")


def test_a_change_in_the_moment_of_the_checkout_is_noticed(made: TinyRepository) -> None:
    """The size is the same and the time as well; git calls this racy, and looks at the bytes."""
    index = made.folder / ".git" / "index"
    before = (made.folder / "a.py").stat().st_mtime_ns
    rewrite(made)
    os.utime(made.folder / "a.py", ns=(before, before))
    os.utime(index, ns=(before, before))
    assert is_dirty(made.folder)


def test_line_ends_that_the_checkout_set_are_no_change(made: TinyRepository, tmp_path: Path) -> None:
    made.git("clone", "-q", "-c", "core.autocrlf=true", str(made.folder), str(tmp_path / "windows"))
    windows = TinyRepository(tmp_path / "windows")
    assert b"\r\n" in (windows.folder / "a.py").read_bytes()
    assert not is_dirty(windows.folder)
    touch(windows)
    assert not is_dirty(windows.folder)
    (windows.folder / "a.py").write_bytes(b"one = 2\r\n")
    assert is_dirty(windows.folder)


def test_files_that_are_not_checked_out_are_not_missed(made: TinyRepository) -> None:
    made.git("sparse-checkout", "set", "--no-cone", "/größe/")
    assert not (made.folder / "a.py").exists()
    assert not is_dirty(made.folder)


def test_files_that_are_not_tracked_are_no_change(made: TinyRepository) -> None:
    (made.folder / "new.py").write_text("")
    assert not is_dirty(made.folder)


def test_a_large_file_is_judged_by_its_size_and_never_read(made: TinyRepository) -> None:
    made.commit({"data.bin": "x" * (LARGEST_READ + 1)})
    touch(made, "data.bin")
    assert not is_dirty(made.folder)
    os.truncate(made.folder / "data.bin", 10**12)
    assert is_dirty(made.folder)
