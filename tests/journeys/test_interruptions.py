"""Ctrl-C, and two at once: nothing is lost, and the next command works.

Builds here are real: uv resolves, downloads and installs every package of a shipped stack. The packages come
from a listener on loopback and hold nothing, so a build takes a second and can be held up where a test wants.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import CommandLine
from tiny_corpus import KINDS, TinyCorpus, write_bug
from wheelhouse import Index

from bugloss.record.trials import TrialArchive
from bugloss.run.build import find_uv
from bugloss.stacks.stack import load_stack

STACK = "keras3"
SLEEP = "import time\ndef run():\n    time.sleep(600)\n"


@pytest.fixture
def index(cli: CommandLine, tmp_path: Path) -> Iterator[Index]:
    """The command line with this index and no other, and an empty cache for uv."""
    if find_uv() is None:
        pytest.skip("not run: there is no uv here")
    server = Index(load_stack(STACK).packages)
    server.start()
    server.configure(cli.variables, str(tmp_path / "uv"))
    yield server
    server.stop()


def environments(cache: Path) -> list[Path]:
    return [path.parent for path in (cache / "environments").glob("*/ready.json") if STACK in path.read_text()]


@pytest.mark.stack
def test_an_interrupted_build_leaves_nothing_in_the_way_of_the_next(
    cli: CommandLine, index: Index, own_cache: Path
) -> None:
    index.held.set()
    process = cli.start("env", "build", STACK)
    done = cli.interrupt(process, index.asked.is_set)
    assert done.code == 130
    assert done.err.endswith("bugloss: interrupted.\n")
    assert environments(own_cache) == []
    index.held.clear()
    index.go_on.set()
    again = cli("env", "build", STACK)
    assert again.code == 0
    assert "removing the remains of an interrupted build" in again.err
    (built,) = environments(own_cache)
    assert str(built) in again.out
    names = {path.name.partition("-")[0] for path in built.glob("lib/python*/site-packages/*.dist-info")}
    assert len(names) == len(load_stack(STACK).packages)


@pytest.mark.stack
def test_an_interrupted_build_with_json_is_one_error_document(cli: CommandLine, index: Index) -> None:
    index.held.set()
    done = cli.interrupt(cli.start("env", "build", STACK, "--json"), index.asked.is_set)
    assert done.code == 130
    assert done.document["error"] == "interrupted"


@pytest.mark.stack
def test_two_builds_at_once_make_one_environment(cli: CommandLine, index: Index, own_cache: Path) -> None:
    index.held.set()
    first = cli.start("env", "build", STACK)
    index.asked.wait(60)
    second = cli.start("env", "build", STACK)
    assert second.stderr is not None
    said = b""
    while b"waiting for another process that builds it" not in said:
        line = second.stderr.readline()
        assert line, f"the second build did not wait: {said.decode()}"
        said += line
    index.go_on.set()
    one, two = cli.finish(first), cli.finish(second)
    assert (one.code, two.code) == (0, 0)
    assert one.out == two.out
    assert len(environments(own_cache)) == 1
    assert len((own_cache / "builds.jsonl").read_text().splitlines()) == 1


@pytest.mark.stack
def test_a_builder_that_is_killed_outright_frees_the_one_that_waits(
    cli: CommandLine, index: Index, own_cache: Path
) -> None:
    index.held.set()
    first = cli.start("env", "build", STACK)
    index.asked.wait(60)
    second = cli.start("env", "build", STACK)
    first.kill()
    first.communicate(timeout=30)
    index.held.clear()
    index.go_on.set()
    assert cli.finish(second).code == 0
    assert len(environments(own_cache)) == 1


def runs(folder: Path) -> int:
    return len(list(TrialArchive(folder)))


def test_ctrl_c_during_a_verification_keeps_the_runs_and_resume_finishes(
    cli: CommandLine, tiny: TinyCorpus, tmp_path: Path
) -> None:
    tiny.add("torch-0001")
    slow = tiny.add("torch-0002", files={"fixed/program.py": SLEEP})
    out = cli.folder / "out"
    done = cli.interrupt(cli.start("verify", "--runs", "1", "-o", "out"), lambda: runs(out) == 3)
    assert done.code == 130
    assert "The finished runs are stored. Continue with: bugloss verify --resume -o out\n" in done.err
    assert done.err.endswith("bugloss: interrupted.\n")
    assert runs(out) == 3
    assert json.loads((out / "request.json").read_text())["bugs"] == ["torch-0001", "torch-0002"]
    (slow / "fixed" / "program.py").write_text(KINDS["exception"][1])
    finished = cli("verify", "--resume", "-o", "out")
    assert finished.code == 0
    assert "2 runs are already done, 2 to go" in finished.err
    assert finished.out.startswith("2 bugs: 2 active, 0 flaky, 0 broken, 0 not-run\n")


def test_ctrl_c_during_a_verification_with_json_is_one_error_document(cli: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001", files={"fixed/program.py": SLEEP})
    process = cli.start("verify", "--runs", "1", "-j", "2", "-o", "out", "--json")
    done = cli.interrupt(process, lambda: runs(cli.folder / "out") == 1)
    assert (done.code, done.err) == (130, "")
    assert done.document["error"] == "interrupted"


def test_ctrl_c_during_a_test_stops_the_program_with_it(cli: CommandLine, tiny: TinyCorpus, tmp_path: Path) -> None:
    beat = tmp_path / "beat"
    write = f"with open({str(beat)!r}, 'a') as beat:\n            beat.write('x')"
    program = f"import time\ndef run():\n    while True:\n        {write}\n        time.sleep(0.02)\n"
    tiny.add("torch-0001", files={"buggy/program.py": program})
    done = cli.interrupt(cli.start("test", "torch-0001"), beat.exists)
    assert (done.code, done.out) == (130, "")
    before = beat.stat().st_size
    threading.Event().wait(0.3)
    assert beat.stat().st_size == before


def test_ctrl_c_during_a_submission_adds_nothing_and_promises_nothing(cli: CommandLine, tiny: TinyCorpus) -> None:
    mark = cli.folder / "started"
    program = f"import time\ndef run():\n    open({str(mark)!r}, 'w').close()\n    time.sleep(600)\n"
    write_bug(cli.folder / "my-bug", files={"buggy/program.py": program})
    done = cli.interrupt(cli.start("submit", "my-bug", "--runs", "1"), mark.exists)
    assert done.code == 130
    assert "resume" not in done.err
    assert list(tiny.load()) == []
