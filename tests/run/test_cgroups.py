"""Control groups: where one may be made, what is written into it, and how it goes; on a folder that looks like them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bugloss.core.run import Isolation, Limits
from bugloss.run import sandbox
from bugloss.run.sandbox.cgroups import ControlGroup, find_place

CONTROLS = ("memory.max", "memory.swap.max", "memory.oom.group", "pids.max", "cgroup.kill", "cgroup.procs")


@pytest.fixture
def mount(tmp_path: Path) -> Path:
    """A hierarchy as systemd makes it for a user."""
    top = tmp_path / "cgroup"
    for place, controls in (
        ("", "cpu memory pids"),
        ("user.slice", "cpu memory pids"),
        ("user.slice/app.slice", "memory pids"),
        ("user.slice/app.slice/terminal.scope", ""),
    ):
        folder = top / place
        folder.mkdir()
        (folder / "cgroup.subtree_control").write_text(controls)
        (folder / "cgroup.procs").write_text("")
    return top


@pytest.fixture
def group(tmp_path: Path) -> ControlGroup:
    folder = tmp_path / "group"
    folder.mkdir()
    for name in CONTROLS:
        (folder / name).write_text("")
    return ControlGroup(folder)


def test_the_nearest_group_that_hands_limits_down_is_the_place(mount: Path) -> None:
    membership = "1:name=systemd:/\n0::/user.slice/app.slice/terminal.scope\n"
    assert find_place(mount, membership) == mount / "user.slice" / "app.slice"
    assert find_place(mount, "0::/user.slice") == mount / "user.slice"
    assert find_place(mount, "0::/") == mount


def test_without_version_2_or_its_controls_there_is_no_place(mount: Path) -> None:
    assert find_place(mount, "4:memory:/user.slice\n") is None
    for path in mount.rglob("cgroup.subtree_control"):
        path.write_text("cpu")
    assert find_place(mount, "0::/user.slice/app.slice/terminal.scope") is None
    assert find_place(mount.parent / "missing", "0::/user.slice") is None


def test_limits_are_written_and_files_in_memory_are_allowed_for(group: ControlGroup) -> None:
    limits = Limits(memory_megabytes=100, disk_megabytes=30, processes=20)
    group.limit(limits, files_in_memory=False)
    read = {name: (group.folder / name).read_text() for name in CONTROLS}
    assert read["memory.max"] == str(100 * 2**20)
    assert (read["memory.swap.max"], read["memory.oom.group"]) == ("0", "1")
    assert 20 < int(read["pids.max"]) < 40
    group.limit(limits, files_in_memory=True)
    assert (group.folder / "memory.max").read_text() == str(130 * 2**20)


def test_a_kernel_without_swap_accounting_is_enough(group: ControlGroup) -> None:
    (group.folder / "memory.swap.max").unlink()
    group.limit(Limits(), files_in_memory=False)
    assert not (group.folder / "memory.swap.max").exists()


def test_a_kill_by_the_kernel_is_seen(group: ControlGroup) -> None:
    assert not group.ran_out_of_memory()
    (group.folder / "memory.events").write_text("low 0\nhigh 0\nmax 7\noom 1\noom_kill 0\n")
    assert not group.ran_out_of_memory()
    (group.folder / "memory.events").write_text("low 0\nhigh 0\nmax 7\noom 1\noom_kill 3\n")
    assert group.ran_out_of_memory()


def test_a_group_is_killed_and_removed(tmp_path: Path) -> None:
    group = ControlGroup(tmp_path / "group")
    group.folder.mkdir()
    group.remove()
    assert not group.folder.exists()
    group.remove()  # twice is no error


def test_a_run_enters_its_group_first(group: ControlGroup, tmp_path: Path) -> None:
    room = sandbox.Room(tmp_path / "work", tmp_path / "home", (), group)
    command = sandbox.wrap(["/bin/true"], room, Isolation("limits"), Limits(memory_megabytes=7))
    assert f"group={group.folder}" in command[: command.index("--")]
    assert (group.folder / "memory.max").read_text() == str(7 * 2**20)
