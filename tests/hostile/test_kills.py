"""SIGKILL at random moments: nothing is lost, nothing is wrong afterwards, nothing is left behind.

Each scenario starts a real command in a process of its own, kills it after a random share of the time that it takes
undisturbed, runs the same command again and compares with an undisturbed run. ``BUGLOSS_KILLS`` sets how many moments
are tried over all scenarios (CI: 20; ``make kills``: 200), ``BUGLOSS_KILL_SEED`` which ones.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from command_line import CommandLine, Done
from tiny_corpus import TinyCorpus
from wheelhouse import Index

from bugloss.record.trials import TrialArchive
from bugloss.stacks.stack import load_stack

KILLS = int(os.environ.get("BUGLOSS_KILLS", "20"))
SEED = int(os.environ.get("BUGLOSS_KILL_SEED", str(int(time.time()) // 86_400)))
SCENARIOS = 6  # that share the kills
STACK = "keras3"
PATIENCE = 20.0  # seconds for what was started to be gone after its parent was killed

TRAINING = """import time
total = 0
for step in range(60):
    total += step
    time.sleep(0.01)
print("total", total)
"""

REPORT = """# list index out of range

Tags: python

```python
rows = [1, 2, 3]
def last(rows):
    return rows[len(rows)]
print(last(rows))
```

```
Traceback (most recent call last):
  File "a.py", line 4, in <module>
    print(last(rows))
  File "a.py", line 3, in last
    return rows[len(rows)]
IndexError: list index out of range
```
"""

PROGRAM = """def run():
    return [1, 2, 3][{}]


run()
"""
SIDES = {"buggy/program.py": 3, "fixed/program.py": 2}

FAULTY = """import torch
from torch import nn

model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(30, 2))
loss_function = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in [(torch.randn(4, 10), torch.randint(0, 2, (4,)))]:
    loss = loss_function(model(x), y)
    loss.backward()
    optimizer.step()
"""


@dataclass(frozen=True)
class Scenario:
    """A command, what to run after it was killed, and what must then be true."""

    command: tuple[str, ...]
    again: Callable[[], Done]
    holds: Callable[[Done], None]
    reset: Callable[[], None] = lambda: None


@pytest.fixture
def scratch(cli: CommandLine, tmp_path: Path) -> Path:
    """Everything temporary of the command goes here, so that what it leaves can be seen."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    cli.variables["TMPDIR"] = str(folder)
    return folder


def processes_that_name(place: Path) -> list[str]:
    """Live processes whose command line or variables name a folder; this process and its parents aside."""
    mark, found = os.fsencode(str(place)), []
    for entry in Path("/proc").glob("[0-9]*"):
        if int(entry.name) in {os.getpid(), os.getppid()}:
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            if mark in command or mark in (entry / "environ").read_bytes():
                found.append(command.replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            continue
    return found


def moments(share: int, whole: float) -> Iterator[float]:
    """When to kill: random shares of the time that the command takes by itself."""
    chosen = random.Random(f"{SEED} {share} {whole > 0}")
    for _ in range(max(1, KILLS // SCENARIOS)):
        yield chosen.uniform(0.0, 1.05) * whole


def kill_at_random(cli: CommandLine, scenario: Scenario, scratch: Path, share: int) -> None:
    scenario.reset()
    start = time.monotonic()
    undisturbed = cli.finish(cli.start(*scenario.command))
    whole = time.monotonic() - start
    scenario.holds(undisturbed)
    for moment in moments(share, whole):
        scenario.reset()
        process = cli.start(*scenario.command)
        time.sleep(moment)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
        wait_until_gone(scratch, moment)
        done = scenario.again()
        scenario.holds(done)
        left = [path.name for path in scratch.iterdir()]
        assert not left, f"killed after {moment:.3f} s of {whole:.3f} s, left behind: {left}"


def wait_until_gone(scratch: Path, moment: float) -> None:
    deadline = time.monotonic() + PATIENCE
    while alive := processes_that_name(scratch):
        assert time.monotonic() < deadline, f"killed after {moment:.3f} s, still running: {alive}"
        time.sleep(0.02)


@pytest.mark.stack
def test_a_killed_build_is_finished_by_the_next(
    cli: CommandLine, scratch: Path, own_cache: Path, tmp_path: Path
) -> None:
    index = Index(load_stack(STACK).packages)
    index.start()
    index.configure(cli.variables, str(scratch.parent / "uv"))
    whole: list[set[str]] = []

    def reset() -> None:
        for digest in built():
            cli.inside("env", "remove", digest)

    def built() -> list[str]:
        folder = own_cache / "environments"
        return [path.parent.name for path in folder.glob("*/ready.json") if f'"{STACK}"' in path.read_text()]

    def holds(done: Done) -> None:
        assert done.code == 0, done.err
        (digest,) = built()
        packages = (own_cache / "environments" / digest).glob("lib/python*/site-packages/*.dist-info")
        whole.append({path.name for path in packages})
        assert whole[-1] == whole[0]

    try:
        command = ("env", "build", STACK)
        kill_at_random(cli, Scenario(command, lambda: cli(*command), holds, reset), scratch, 0)
    finally:
        index.stop()


def test_a_killed_verification_goes_on(cli: CommandLine, tiny: TinyCorpus, scratch: Path) -> None:
    for number, kind in enumerate(("exception", "value", "symptom"), start=1):
        tiny.add(f"torch-000{number}", kind)
    out, asked = cli.folder / "out", ("verify", "--runs", "2", "-j", "2", "-o", "out", "--json")

    def reset() -> None:
        for path in out.glob("*"):
            path.unlink()

    def again() -> Done:
        return cli("verify", "--resume", "-o", "out", "--json") if (out / "request.json").is_file() else cli(*asked)

    def holds(done: Done) -> None:
        assert (done.code, done.document["active"]) == (0, 3)
        runs = [(trial.bug, trial.twin, trial.run.settings.seed) for trial in TrialArchive(out)]
        assert len(runs) == len(set(runs)) == 3 * 2 * 2
        assert sorted(path.name for path in out.iterdir()) == ["request.json", "trials.jsonl"]

    kill_at_random(cli, Scenario(asked, again, holds, reset), scratch, 1)


def test_a_killed_reproduction_is_made_again(cli: CommandLine, scratch: Path) -> None:
    (cli.folder / "report.md").write_text(REPORT)
    out = cli.folder / "out"
    command = ("reproduce", "report.md", "-o", "out", "--stack", "torch", "--runs", "2", "--json")

    def reset() -> None:
        for path in out.glob("*"):
            path.unlink()

    def holds(done: Done) -> None:
        assert (done.code, done.document["verdict"]) == (0, "R4"), done
        assert "rows[len(rows)]" in (out / "repro.py").read_text()
        assert not [path.name for path in out.iterdir() if path.name.startswith(".") or "draft" in path.name]

    kill_at_random(cli, Scenario(command, lambda: cli(*command), holds, reset), scratch, 2)


def test_a_killed_run_can_be_diagnosed_and_is_never_clear(cli: CommandLine, scratch: Path) -> None:
    (cli.folder / "train.py").write_text(TRAINING)
    command = ("run", "train.py", "--quiet")

    def again() -> Done:
        return cli("diagnose", "last", "--json") if list(cli.folder.glob(".bugloss/runs/*/run.json")) else cli(*command)

    def holds(done: Done) -> None:
        """A document of a run whose end nobody saw does not say that it finished."""
        for facts in cli.folder.glob(".bugloss/runs/*/run.json"):
            json.loads(facts.read_text())  # whole or not there
        if done.out.startswith("{") and '"outcome": "running"' in newest_run(cli.folder):
            assert done.code != 0
            assert done.document["outcome"] != "finished"

    kill_at_random(cli, Scenario(command, again, holds), scratch, 3)


def newest_run(folder: Path) -> str:
    return max(folder.glob(".bugloss/runs/*/run.json")).read_text()


def test_a_killed_check_finds_the_same_the_next_time(cli: CommandLine, scratch: Path, own_cache: Path) -> None:
    for number in range(12):
        (cli.folder / f"train_{number}.py").write_text(f"# {number}\n{FAULTY}")
    command = ("check", ".", "-j", "2", "--json")
    found: list[list[tuple[str, str, int]]] = []

    def reset() -> None:
        for path in own_cache.glob("check*"):
            path.unlink()

    def holds(done: Done) -> None:
        assert done.code == 1
        findings = done.document["findings"]
        found.append(sorted((entry["path"], entry["rule"], entry["line"]) for entry in findings))
        assert found[-1] == found[0]
        assert len({path for path, _, _ in found[0]}) == 12

    kill_at_random(cli, Scenario(command, lambda: cli(*command), holds, reset), scratch, 4)


def test_a_killed_evaluation_goes_on(cli: CommandLine, tiny: TinyCorpus, scratch: Path) -> None:
    for number in range(1, 4):
        tiny.add(f"torch-000{number}", files={side: PROGRAM.format(index) for side, index in SIDES.items()})
    out = cli.folder / "out"
    command = ("evaluate", "detect", "--tools", "check,exit-code", "-j", "2", "-o", "out", "--json")
    found: list[list[tuple[str, str, str, str]]] = []

    def reset() -> None:
        shutil.rmtree(out, ignore_errors=True)

    def again() -> Done:
        before = {path: path.stat().st_mtime_ns for path in out.glob("cells/*/*/[!.]*.json")}
        for path in before:
            json.loads(path.read_text())  # whole or not there
        done = cli(*command)
        assert {path: path.stat().st_mtime_ns for path in before} == before, "an answer was made twice"
        return done

    def holds(done: Done) -> None:
        assert done.code == 0, done.err
        found.append([(row["tool"], row["bug"], row["buggy"], row["fixed"]) for row in done.document["matrix"]])
        assert found[-1] == found[0]
        assert ("exit-code", "torch-0001", "alarm", "silent") in found[0]
        assert not list(out.rglob(".draft-*"))

    kill_at_random(cli, Scenario(command, again, holds, reset), scratch, 5)
