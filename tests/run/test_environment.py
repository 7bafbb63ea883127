"""Environments: keyed by content, built once, repaired, forgotten in the right order."""

from __future__ import annotations

import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from environment_builds import answer, digest, left, settle
from wheelhouse import Index

from bugloss.core.codec import encode
from bugloss.core.errors import BuildFailed, MissingInterpreter, Offline
from bugloss.run import environment
from bugloss.run.environment import (
    BuildPlan,
    built,
    installed,
    plan,
    provide,
    prune,
)
from bugloss.stacks.stack import Stack

PYTHON = "3.11"
STACK = Stack("some", "a stack", ("3.11",), ("a==1", "b==2", "c==3"), 1, 1, {"X": "1", "Y": "2"})


def builds(cache: Path) -> list[str]:
    """The stacks of the builds that the history tells of."""
    history = cache / "builds.jsonl"
    return [json.loads(line)["stack"] for line in history.read_text().splitlines()] if history.exists() else []


# The digest.


def test_the_digest_does_not_depend_on_order_nor_on_words_for_people() -> None:
    digest = BuildPlan(STACK, PYTHON).digest
    for packages in permutations(STACK.packages):
        assert BuildPlan(replace(STACK, packages=packages), PYTHON).digest == digest
    other_words = replace(STACK, name="x", title="y", notes="z", megabytes=9, build_seconds=9, python=("3.11", "3.12"))
    assert BuildPlan(replace(other_words, variables={"Y": "2", "X": "1"}), PYTHON).digest == digest


def test_the_digest_changes_with_all_that_changes_what_is_installed() -> None:
    digests = {
        BuildPlan(STACK, PYTHON).digest,
        BuildPlan(STACK, "3.12").digest,
        BuildPlan(replace(STACK, packages=("a==1", "b==2", "c==4")), PYTHON).digest,
        BuildPlan(replace(STACK, packages=("a==1", "b==2")), PYTHON).digest,
        BuildPlan(replace(STACK, variables={"X": "1", "Y": "3"}), PYTHON).digest,
        BuildPlan(replace(STACK, variables={}), PYTHON).digest,
    }
    assert len(digests) == 6
    assert all(len(digest) == 16 for digest in digests)


def test_the_digest_changes_with_the_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    here = BuildPlan(STACK, PYTHON).digest
    monkeypatch.setattr(platform, "libc_ver", lambda: ("musl", "1.2"))
    musl = BuildPlan(STACK, PYTHON).digest
    monkeypatch.setattr(sysconfig, "get_platform", lambda: "linux-riscv64")
    assert len({here, musl, BuildPlan(STACK, PYTHON).digest}) == 3


def test_an_environment_serves_whichever_python_runs_bugloss(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another patch release, or another of the stack's versions that comes first now, used to build it once more."""
    found = settle(BuildPlan(STACK, "3.12").digest)
    asked: list[Sequence[str]] = []
    monkeypatch.setattr(environment, "find_interpreter", asked.append)
    assert provide(replace(STACK, python=("3.11", "3.12"))) == found
    assert asked == []


# Building.


def test_an_environment_is_built_once_and_then_found(tiny_stack: Stack, own_cache: Path) -> None:
    notes: list[str] = []
    first = provide(tiny_stack, notify=notes.append)
    assert notes
    assert all(note.startswith("tiny-one: ") for note in notes)
    assert answer(first) == "42"
    notes.clear()
    assert provide(tiny_stack, notify=notes.append) == first
    assert notes == []
    assert builds(own_cache) == ["tiny-one"]
    assert list(installed()) == [first]
    assert built(plan(tiny_stack)) == first


def test_a_second_stack_with_the_same_content_builds_nothing(tiny_stack: Stack, own_cache: Path) -> None:
    first = provide(tiny_stack)
    assert provide(replace(tiny_stack, name="another", title="other words")) == first
    assert builds(own_cache) == ["tiny-one"]


def test_nothing_is_built_by_looking(tiny_stack: Stack, own_cache: Path) -> None:
    assert built(plan(tiny_stack)) is None
    assert list(installed()) == []
    assert not own_cache.exists()


def test_an_environment_records_what_a_run_must_know(tiny_stack: Stack) -> None:
    found = provide(replace(tiny_stack, variables={"KERAS_BACKEND": "torch"}))
    assert found.digest == Path(found.path).name
    assert found.python == f"{found.path}/bin/python"
    assert found.packages == ("tinypack==1.0",)
    assert found.variables == {"KERAS_BACKEND": "torch"}
    assert found.builder == "uv"
    assert 0 < found.seconds < 60
    assert (Path(found.prefix) / "bin").is_dir()


@pytest.mark.stack
def test_a_failed_build_leaves_nothing_that_counts_as_built_and_the_next_one_starts_afresh(
    tiny_stack: Stack, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels = os.environ["PIP_FIND_LINKS"]
    monkeypatch.setenv("PIP_FIND_LINKS", "/nonexistent")
    with pytest.raises(BuildFailed):
        provide(tiny_stack)
    assert list(installed()) == []
    assert builds(own_cache) == []
    monkeypatch.setenv("PIP_FIND_LINKS", wheels)
    notes: list[str] = []
    assert answer(provide(tiny_stack, notify=notes.append)) == "42"
    assert notes[0] == "tiny-one: removing the remains of an interrupted build"


def test_offline_with_nothing_cached_is_an_error_of_its_own(tiny_stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    with pytest.raises(Offline, match="the stack 'tiny-one' is not built"):
        provide(replace(tiny_stack, packages=("six==1.17.0",)), offline=True)


def test_offline_serves_what_is_built(tiny_stack: Stack) -> None:
    assert provide(tiny_stack) == provide(tiny_stack, offline=True)


def test_a_missing_interpreter_is_said_before_anything_is_written(own_cache: Path) -> None:
    with pytest.raises(MissingInterpreter):
        provide(replace(STACK, python=("3.99",)))
    assert not own_cache.exists()


# Repair.


@pytest.mark.stack
def test_a_folder_without_its_record_is_built_anew(tiny_stack: Stack, own_cache: Path) -> None:
    found = provide(tiny_stack)
    (Path(found.path) / "ready.json").unlink()
    (Path(found.path) / "half-written").touch()
    again = provide(tiny_stack)
    assert answer(again) == "42"
    assert not (Path(found.path) / "half-written").exists()
    assert builds(own_cache) == ["tiny-one", "tiny-one"]


def _damage(change: Callable[[dict[str, object]], object]) -> Callable[[str], bytes]:
    return lambda text: json.dumps(change(json.loads(text))).encode()


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: b"",
        lambda text: text.encode()[: len(text) // 2],
        lambda text: b"\xff\xfe\x00garbage",
        lambda text: b"[" * 100_000,
        _damage(lambda record: [record]),
        _damage(lambda record: None),
        _damage(lambda record: {**record, "surprise": 1}),
        _damage(lambda record: {name: value for name, value in record.items() if name != "prefix"}),
        _damage(lambda record: {**record, "megabytes": "many"}),
        _damage(lambda record: {**record, "path": "/", "python": "/bin/sh"}),
    ],
    ids=["empty", "cut", "binary", "nested", "list", "null", "surprise", "lacking", "wrong-type", "elsewhere"],
)
def test_a_corrupted_record_is_not_believed(damage: Callable[[str], bytes]) -> None:
    record = Path(settle(digest(1)).path) / "ready.json"
    assert left() == [digest(1)]
    record.write_bytes(damage(record.read_text()))
    assert left() == []


@pytest.mark.stack
def test_an_environment_with_a_corrupted_record_is_built_anew(tiny_stack: Stack, own_cache: Path) -> None:
    record = Path(provide(tiny_stack).path) / "ready.json"
    record.write_text(record.read_text()[:50])
    assert answer(provide(tiny_stack)) == "42"
    assert builds(own_cache) == ["tiny-one", "tiny-one"]


@pytest.mark.stack
def test_an_interpreter_that_has_gone_means_a_new_build(tiny_stack: Stack, own_cache: Path) -> None:
    python = Path(provide(tiny_stack).python)
    python.unlink()
    python.symlink_to("/nonexistent/python3.11")
    assert list(installed()) == []
    assert answer(provide(tiny_stack)) == "42"
    assert len(builds(own_cache)) == 2


def test_a_cache_reached_by_another_name_is_still_the_same(
    tiny_stack: Stack, own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = provide(tiny_stack)
    (tmp_path / "link").symlink_to(own_cache)
    monkeypatch.setenv("BUGLOSS_CACHE", str(tmp_path / "link"))
    assert provide(tiny_stack) == found


@pytest.mark.stack
def test_a_moved_cache_is_built_anew_because_environments_know_their_place(
    tiny_stack: Stack, own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provide(tiny_stack)
    shutil.copytree(own_cache, tmp_path / "copy", symlinks=True)
    monkeypatch.setenv("BUGLOSS_CACHE", str(tmp_path / "copy"))
    assert provide(tiny_stack).path.startswith(str(tmp_path / "copy"))


# Two processes.

PROVIDE = """
import json, sys
sys.path[:0] = json.loads(sys.argv[1])
from bugloss.core.codec import decode
from bugloss.run.environment import provide
from bugloss.stacks.stack import Stack
print(provide(decode(Stack, json.loads(sys.argv[2])), notify=lambda text: print(text, flush=True)).path)
"""


def start(stack: Stack) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROVIDE, json.dumps(sys.path), json.dumps(encode(stack))]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def wait_for(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen"
        time.sleep(0.01)


@pytest.fixture
def index() -> Iterator[Index]:
    """An index that keeps every build waiting until it may go on."""
    server = Index(["waiting==1.0"])
    server.held.set()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def waiting_stack(tiny_stack: Stack, index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stack:
    """A stack with a package that only that index has."""
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("UV_DEFAULT_INDEX", index.url)
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv-cache"))  # else it is fetched once and never waited for again
    return replace(tiny_stack, packages=("tinypack==1.0", "waiting==1.0"))


@pytest.mark.stack
def test_two_processes_that_ask_at_once_build_once(waiting_stack: Stack, own_cache: Path, index: Index) -> None:
    with start(waiting_stack) as first:
        wait_for(index.asked.is_set, "the first build")
        with start(waiting_stack) as second:
            assert second.stdout is not None
            assert second.stdout.readline() == "tiny-one: waiting for another process that builds it\n"
            index.go_on.set()
            place = second.communicate()[0].splitlines()[-1]
        assert first.communicate()[0].splitlines()[-1] == place
    assert (first.returncode, second.returncode) == (0, 0)
    assert builds(own_cache) == ["tiny-one"]
    assert built(plan(waiting_stack)) is not None


@pytest.mark.stack
def test_many_processes_that_ask_at_once_build_once(tiny_stack: Stack, own_cache: Path) -> None:
    running = [start(tiny_stack) for _ in range(4)]
    places = {process.communicate()[0].splitlines()[-1] for process in running}
    assert [process.returncode for process in running] == [0] * 4
    assert len(places) == 1
    assert builds(own_cache) == ["tiny-one"]


@pytest.mark.stack
def test_a_build_that_is_killed_is_repaired_when_its_orphans_are_done(
    waiting_stack: Stack, own_cache: Path, index: Index
) -> None:
    """kill -9 hits bugloss and not uv, which goes on writing into the folder: the next build must not start yet."""
    with start(waiting_stack) as first:
        wait_for(index.asked.is_set, "the first build")
        os.kill(first.pid, signal.SIGKILL)
    folder = plan(waiting_stack).folder
    assert folder.is_dir()
    assert built(plan(waiting_stack)) is None
    assert prune(0).leftovers == 0, "the orphan still works there"
    with start(waiting_stack) as second:
        assert second.stdout is not None
        assert second.stdout.readline() == "tiny-one: waiting for another process that builds it\n"
        index.go_on.set()
        words = second.communicate()[0].splitlines()
    assert second.returncode == 0
    assert words[0] == "tiny-one: removing the remains of an interrupted build"
    found = built(plan(waiting_stack))
    assert found is not None
    assert answer(found) == "42"
    assert builds(own_cache) == ["tiny-one"]
