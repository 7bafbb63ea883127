"""Environments in the cache: one that cannot be used, removing, pruning, forecasts."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from environment_builds import answer, digest, left, settle

from bugloss.core.codec import encode
from bugloss.core.errors import CacheUnusable, InvalidInput
from bugloss.run.environment import (
    Environment,
    environments_folder,
    forecast_seconds,
    installed,
    plan,
    provide,
    prune,
    remove,
)
from bugloss.stacks.stack import Stack, load_stack, stack_names

STACK = Stack("some", "a stack", ("3.11",), ("a==1", "b==2", "c==3"), 1, 1, {"X": "1", "Y": "2"})


# A cache that cannot be used.


def spoil_cache(cache: Path) -> Path:
    cache.write_text("")
    return cache


def spoil_environments(cache: Path) -> Path:
    cache.mkdir()
    (cache / "environments").write_text("")
    return cache / "environments"


@pytest.mark.parametrize("spoil", [spoil_cache, spoil_environments])
def test_a_file_in_the_place_of_the_cache_is_one_clear_sentence(
    tiny_stack: Stack, own_cache: Path, spoil: Callable[[Path], Path]
) -> None:
    spoil(own_cache)
    assert list(installed()) == []
    assert forecast_seconds(tiny_stack) == 1.0
    with pytest.raises(CacheUnusable) as caught:
        provide(tiny_stack)
    assert f"the cache folder {own_cache}/environments cannot be written" in caught.value.message
    assert "export BUGLOSS_CACHE=" in caught.value.hint


def test_a_file_in_the_place_of_an_environment_is_one_clear_sentence(tiny_stack: Stack) -> None:
    folder = plan(tiny_stack).folder
    folder.parent.mkdir(parents=True)
    folder.write_text("")
    with pytest.raises(CacheUnusable, match=folder.name):
        provide(tiny_stack)


def test_a_history_that_cannot_be_written_spoils_no_build(tiny_stack: Stack, own_cache: Path) -> None:
    (own_cache / "builds.jsonl").mkdir(parents=True)
    assert answer(provide(tiny_stack)) == "42"
    assert forecast_seconds(tiny_stack) == 1.0


READ_ONLY = """
mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || exit 77
shift
exec "$@"
"""
TRY = """
import json, sys
sys.path[:0] = json.loads(sys.argv[1])
from bugloss.core.codec import decode
from bugloss.core.errors import CacheUnusable
from bugloss.run.environment import provide
from bugloss.stacks.stack import Stack
for stack in json.loads(sys.argv[2]):
    try:
        print("served", provide(decode(Stack, stack)).digest)
    except CacheUnusable as error:
        print(error.message)
"""


@pytest.mark.stack
def test_a_read_only_cache_serves_what_it_has_and_says_why_it_builds_nothing(
    tiny_stack: Stack, own_cache: Path
) -> None:
    found = provide(tiny_stack)
    stacks = [encode(tiny_stack), encode(replace(tiny_stack, packages=("tinypack==2.0",)))]
    command = ["unshare", "--mount", "sh", "-c", READ_ONLY, "sh", str(own_cache)]
    command += [sys.executable, "-c", TRY, json.dumps(sys.path), json.dumps(stacks)]
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not installed")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode in {1, 77} and not done.stdout:
        pytest.skip(f"a read-only mount cannot be made here: {done.stderr.strip()}")
    served, sentence = done.stdout.splitlines()
    assert served == f"served {found.digest}"
    assert "cannot be written: " in sentence
    assert done.stderr == ""


# Removing and pruning.


def test_removing_takes_all_environments_of_a_stack_or_the_one_with_that_digest() -> None:
    for number, stack in enumerate(["a", "a", "b", "b"]):
        settle(digest(number), stack)
    assert [found.digest for found in remove("a")] == [digest(0), digest(1)]
    assert left() == [digest(2), digest(3)]
    remove(digest(3))
    assert left() == [digest(2)]
    assert not (environments_folder() / digest(3)).exists()


def test_removing_what_is_not_there_names_what_is() -> None:
    with pytest.raises(InvalidInput, match="no built environment is called 'torch'") as caught:
        remove("torch")
    assert caught.value.hint == "Built: none."
    settle(digest(1), "keras3")
    with pytest.raises(InvalidInput) as caught:
        remove("torch")
    assert caught.value.hint == "Built: keras3."


def test_pruning_takes_the_least_recently_used_first_and_stops_when_the_budget_holds() -> None:
    for number, used in enumerate([30, 10, 40, 20]):
        settle(digest(number), used=used)
    pruned = prune(250)
    assert [found.digest for found in pruned.removed] == [digest(1), digest(3)]
    assert pruned.kept_megabytes == 200
    assert left() == [digest(0), digest(2)]


def test_using_an_environment_makes_it_the_last_to_go(tiny_stack: Stack) -> None:
    used = provide(tiny_stack)
    os.utime(Path(used.path) / "ready.json", (0, 0))
    settle(digest(1), megabytes=100, used=time.time() - 1000)
    provide(tiny_stack)
    assert [found.digest for found in prune(50).removed] == [digest(1)]
    assert left() == [used.digest]


def test_a_budget_that_holds_removes_nothing_and_one_of_zero_everything() -> None:
    settle(digest(1))
    settle(digest(2))
    assert prune(200).removed == ()
    assert len(prune(0).removed) == 2
    assert left() == []


def test_leftovers_of_killed_builds_go_whatever_the_budget() -> None:
    settle(digest(1))
    (environments_folder() / digest(2) / "lib").mkdir(parents=True)
    Path(settle(digest(3)).path, "ready.json").write_text("{")
    pruned = prune(10_000)
    assert (pruned.removed, pruned.leftovers, pruned.kept_megabytes) == ((), 2, 100)
    assert sorted(path.name for path in environments_folder().iterdir() if path.is_dir()) == [digest(1)]


def test_a_dry_run_says_the_same_and_removes_nothing() -> None:
    settle(digest(1))
    (environments_folder() / digest(2)).mkdir()
    pruned = prune(0, dry_run=True)
    assert (len(pruned.removed), pruned.leftovers) == (1, 1)
    assert left() == [digest(1)]
    assert (environments_folder() / digest(2)).is_dir()
    assert prune(0) == pruned


def test_a_folder_that_another_process_is_building_is_left_alone() -> None:
    folder = environments_folder() / digest(1)
    folder.mkdir(parents=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert prune(0).leftovers == 0
        assert folder.is_dir()
    assert prune(0).leftovers == 1
    assert not folder.exists()


def test_what_does_not_look_like_an_environment_is_never_deleted(own_cache: Path) -> None:
    """BUGLOSS_CACHE may name a folder that holds other people's ``environments`` already."""
    mine = own_cache / "environments" / "my-conda-environment"
    mine.mkdir(parents=True)
    assert prune(0).leftovers == 0
    assert mine.is_dir()


def test_a_record_that_names_another_folder_cannot_get_that_folder_deleted(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    (precious / "bin").mkdir(parents=True)
    (precious / "bin" / "python").symlink_to(sys.executable)
    found = settle(digest(1), "evil")
    record = replace(found, path=str(precious), python=str(precious / "bin" / "python"))
    (environments_folder() / digest(1) / "ready.json").write_text(json.dumps(encode(record)))
    with pytest.raises(InvalidInput):
        remove("evil")
    assert prune(0).leftovers == 1
    assert (precious / "bin").is_dir()


def test_pruning_an_empty_cache_is_fine() -> None:
    assert prune(0) == prune(100)


# The forecast.


def test_without_history_the_shipped_figure_is_the_forecast() -> None:
    assert forecast_seconds(STACK) == 1.0


def test_the_last_build_of_the_stack_is_the_forecast(own_cache: Path) -> None:
    own_cache.mkdir()
    lines = [("some", 40.5), ("other", 99), ("some", 12.5), ("other", 77)]
    history = "".join(json.dumps({"stack": stack, "seconds": seconds}) + "\n" for stack, seconds in lines)
    (own_cache / "builds.jsonl").write_text(history)
    assert forecast_seconds(STACK) == 12.5


def test_a_real_build_becomes_the_forecast(tiny_stack: Stack) -> None:
    assert forecast_seconds(replace(tiny_stack, build_seconds=999)) == 999
    found = provide(tiny_stack)
    assert forecast_seconds(replace(tiny_stack, build_seconds=999)) == found.seconds


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b'"some"',
        b'{"stack": "some"}',
        b'{"stack": "some", "seconds": null}',
        b'{"stack": "some", "seconds": "soon"}',
        b'{"stack": "some", "seconds": NaN}',
        b'{"stack": "some", "seconds": Infinity}',
        b'{"stack": "some", "seconds": -5}',
        b'{"stack": "some", "seconds": 0}',
        b'{"stack": "some", "seconds": 1' + b"0" * 400 + b"}",
        b"[" * 100_000,
    ],
)
def test_a_damaged_history_is_read_as_far_as_it_goes(own_cache: Path, line: bytes) -> None:
    own_cache.mkdir()
    (own_cache / "builds.jsonl").write_bytes(b'{"stack": "some", "seconds": 7}\n' + line + b"\n")
    assert forecast_seconds(STACK) == 7.0


# Shipped stacks, built for real.


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("name", stack_names())
def test_a_shipped_stack_installs_exactly_what_it_pins(stack: Callable[[str], Environment], name: str) -> None:
    """A package that the stack does not name would be another one next year, under the same digest."""
    found = stack(name)
    distributions = [path.name.removesuffix(".dist-info") for path in Path(found.path).glob("lib/*/*/*.dist-info")]
    pairs = [distribution.lower().partition("-") for distribution in distributions]
    there = {f"{project.replace('_', '-')}=={version.partition('+')[0]}" for project, _, version in pairs}
    if found.builder == "pip":  # venv brings what it installs with
        there = {pin for pin in there if not pin.startswith(("pip==", "setuptools=="))}
    assert there == set(load_stack(name).packages)
