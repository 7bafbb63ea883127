"""A run that did not end well is never clear: however it ended, the answer says so and the exit code is not 0."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from command_line import CommandLine, Done
from stored_runs import healthy_events, stored_run
from tiny_corpus import TinyCorpus, write_bug

from bugloss.core.run import Outcome
from bugloss.corpus.collection import load, shipped_root
from bugloss.record.runs import RunFolder
from bugloss.run import sandbox
from bugloss.run.environment import Environment
from bugloss.workflows.bug_trial import isolation_for
from bugloss.workflows.watching import tell

ALL_CLEAR = "no problem found"


@dataclass(frozen=True)
class Way:
    """A way to end: the program, what is recorded in the sandbox and outside of it, and what people are told."""

    program: str
    outcome: str
    says: str
    line: int | None = None
    brief: str = "crashed"
    here: str = ""  # where the outcome is another one outside of the sandbox

    def outcome_of(self, place: str) -> str:
        return self.outcome if place == "sandbox" else self.here or self.outcome


WAYS = {
    "assertion": Way("x = 1\nassert x > 2, 'loss too high'\n", "raised", "crashed: AssertionError: loss too high", 2),
    "own exception": Way(
        "class NoData(Exception):\n    pass\n\n\ndef read():\n    raise NoData('empty')\n\n\nread()\n",
        "raised", "NoData: empty", 6,
    ),
    "exception without words": Way("raise RuntimeError\n", "raised", "crashed: RuntimeError", 1),
    "exception that cannot speak": Way(
        "class Mute(Exception):\n    def __str__(self):\n        raise TypeError\n\n\nraise Mute\n", "raised", "Mute", 6
    ),
    "unknown ValueError": Way("raise ValueError('flux is negative')\n", "raised", "ValueError: flux is negative", 1),
    "exception in a library": Way("import json\njson.loads('{')\n", "raised", "JSONDecodeError: Expecting", 2),
    "sys.exit(1)": Way("import sys\n\nsys.exit(1)\n", "exited", "exited with code 1", 3),
    "sys.exit(text)": Way("import sys\nsys.exit('no data')\n", "exited", "exited with code 1: no data", 2),
    "os._exit": Way("import os\nos._exit(3)\n", "exited", "exited with code 3"),
    "exit code 0 after an exception": Way(
        "import os, sys\nsys.excepthook = lambda *_: os._exit(0)\nraise ValueError('hidden')\n", "raised", "hidden", 3
    ),
    "exec": Way("import os\nos.execv('/bin/false', ['false'])\n", "exited", "exited with code 1"),
    "segmentation fault": Way("import ctypes\nctypes.string_at(0)\n", "killed", "was killed by SIGSEGV"),
    "kills itself": Way("import os\nos.kill(os.getpid(), 9)\n", "killed", "was killed by SIGKILL"),
    "memory": Way("x = bytearray(10**15)\n", "out-of-memory", "MemoryError", 1, here="raised"),
    "endless": Way("while True:\n    pass\n", "timed-out", "stopped by the time limit", brief="timeout"),
    "prints without end": Way(
        "while True:\n    print('on and on', flush=True)\n", "timed-out", "stopped by the time limit", brief="timeout"
    ),
}  # fmt: skip
PLACES = {"sandbox": ("--stack", "torch"), "here": ("--here",)}


def assert_not_clear(document: dict[str, Any]) -> None:
    assert document["clear"] is False
    assert document["causes"] or document["symptoms"] or document["ending"]["outcome"] != "finished"


def write(cli: CommandLine, way: Way) -> None:
    (cli.folder / "train.py").write_text(way.program)


def patience(way: Way) -> tuple[str, ...]:
    return ("--timeout", "1") if way.brief == "timeout" else ()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", WAYS)
def test_a_diagnosis_says_how_the_program_ended(cli: CommandLine, name: str, place: str) -> None:
    way = WAYS[name]
    write(cli, way)
    done = cli.inside("diagnose", "train.py", *PLACES[place], *patience(way), "--json")
    assert_not_clear(done.document)
    assert done.code == 1
    ending = done.document["ending"]
    assert (done.document["outcome"], ending["outcome"]) == (way.brief, way.outcome_of(place))
    assert way.line is None or (ending["site"]["path"], ending["site"]["line"]) == ("train.py", way.line)
    assert_told_again(cli, way)


@pytest.mark.bubblewrap
@pytest.mark.parametrize("name", ["assertion", "os._exit", "segmentation fault", "kills itself", "memory"])
def test_a_real_sandbox_hands_on_how_the_program_ended(cli: CommandLine, name: str) -> None:
    way = WAYS[name]
    write(cli, way)
    done = cli.inside("diagnose", "train.py", *PLACES["sandbox"], "--isolation", "bubblewrap", "--json")
    assert (done.code, done.document["ending"]["outcome"]) == (1, way.outcome)
    assert way.outcome != "killed" or way.says.endswith(done.document["ending"]["signal"])
    assert done.document["isolation"]["level"] == "bubblewrap"


def assert_told_again(cli: CommandLine, way: Way) -> None:
    """The stored run is diagnosed alike, in words and on its page."""
    for verb in ("diagnose", "report"):
        again = cli.inside(verb, "last")
        assert again.code == 1
        assert way.says in again.out
        assert way.line is None or f"train.py:{way.line}" in again.out
        assert ALL_CLEAR not in again.out
    page = (latest(cli) / "report.html").read_text()
    assert ALL_CLEAR not in page.lower()
    assert way.says.split(": ")[-1] in page


def latest(cli: CommandLine) -> Path:
    return max((cli.folder / ".bugloss" / "runs").iterdir())


@pytest.mark.parametrize("name", ["unknown ValueError", "sys.exit(text)", "segmentation fault", "endless"])
def test_run_tells_it_too_and_keeps_the_exit_code_of_the_program(cli: CommandLine, name: str) -> None:
    way = WAYS[name]
    write(cli, way)
    done = cli.inside("run", "train.py", *patience(way))
    assert done.code == {"segmentation fault": 139, "endless": 143}.get(name, 1)
    assert way.says in done.err
    assert ALL_CLEAR not in done.err


@pytest.mark.parametrize("place", PLACES)
def test_a_program_without_a_training_step_is_not_an_all_clear(cli: CommandLine, place: str) -> None:
    (cli.folder / "train.py").write_text("print('hello')\n")
    done = cli.inside("diagnose", "train.py", *PLACES[place])
    assert done.code == 4
    assert "inconclusive: the program used neither PyTorch nor Keras" in done.out
    assert ALL_CLEAR not in done.out
    assert ALL_CLEAR not in (latest(cli) / "report.html").read_text().lower()


def diagnosed(cli: CommandLine, run: RunFolder) -> Done:
    return cli.inside("diagnose", str(run.path), "--json")


def test_a_whole_training_that_ended_well_is_clear(cli: CommandLine) -> None:
    """Else the others would prove nothing."""
    done = diagnosed(cli, stored_run(cli.folder, healthy_events()))
    assert (done.code, done.document["clear"]) == (0, True)
    assert ALL_CLEAR in cli.inside("report", "last").out


@pytest.mark.parametrize(
    ("facts", "outcome"),
    [
        ({"outcome": "running", "exit_code": None}, "running"),
        ({"outcome": "interrupted", "exit_code": 130}, "interrupted"),
        ({"outcome": "crashed", "exit_code": 1}, "exited"),
        ({"outcome": "finished", "exit_code": 1}, "exited"),
        ({"outcome": "timeout", "exit_code": -15}, "timed-out"),
        ({"outcome": "too-much-evidence", "exit_code": 0}, "too-much-evidence"),
    ],
)
def test_a_stored_run_that_did_not_end_well_is_not_clear(
    cli: CommandLine, facts: dict[str, object], outcome: str
) -> None:
    """Also one that was recorded when rooms had words of their own for how a run ended."""
    run = stored_run(cli.folder, healthy_events())
    told = json.loads((run.path / "run.json").read_text())
    (run.path / "run.json").write_text(json.dumps({**told, **facts}))
    done = diagnosed(cli, run)
    assert (done.code, done.document["ending"]["outcome"]) == (1, outcome)
    assert_not_clear(done.document)


@pytest.mark.parametrize("place", PLACES)
def test_ctrl_c_gives_a_diagnosis_of_what_was_seen(cli: CommandLine, place: str) -> None:
    """Also where the program takes Ctrl-C for a reason to end well."""
    mark = cli.folder / "started"
    loop = "try:\n    while True:\n        pass\nexcept KeyboardInterrupt:\n    pass\n"
    (cli.folder / "train.py").write_text(f"open({str(mark)!r}, 'w').close()\n{loop}")
    done = cli.interrupt(cli.start("diagnose", "train.py", *PLACES[place], "--json"), mark.exists)
    assert done.code == 130
    assert done.document["schema"] == "bugloss.diagnosis/1"
    assert done.document["ending"]["outcome"] == "interrupted"
    assert_not_clear(done.document)
    again = cli.inside("report", "last")
    assert again.code == 1
    assert "was interrupted" in again.out


def test_ctrl_c_during_a_trial_ends_the_experiment(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was diagnosed before the trials is still said, and no further trial is begun."""
    from bugloss.workflows import experiment

    begun: list[int] = []

    def interrupted(*_: object, **__: object) -> RunFolder:
        begun.append(1)
        return stored_run(cli.folder, b"", outcome=Outcome.INTERRUPTED)

    monkeypatch.setattr(experiment, "observe_sandboxed", interrupted)
    (cli.folder / "train.py").write_text("import torch\n")
    run = stored_run(cli.folder, healthy_events(), own=True, stack="torch")
    done = cli.inside("diagnose", str(run.path), "--tool", "value-spectra", "--json")
    assert (done.code, begun, done.document["outcome"]) == (130, [1], "finished")


@pytest.fixture
def open_files(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line on a machine where no sandbox keeps a program from the user's files."""
    del cli.variables["BUGLOSS_ISOLATION"]
    monkeypatch.delenv("BUGLOSS_ISOLATION")
    monkeypatch.setattr(sandbox, "best_level", lambda: "limits")
    return cli


def test_without_a_sandbox_no_program_of_a_stranger_runs_unasked(open_files: CommandLine, tiny: TinyCorpus) -> None:
    mark = open_files.folder / "ran"
    program = f"open({str(mark)!r}, 'w').close()\n"
    (open_files.folder / "train.py").write_text(program)
    tiny.add("torch-0001", files={"buggy/program.py": program})
    write_bug(open_files.folder / "new-bug", files={"buggy/program.py": program})
    commands = [
        ("diagnose", "train.py", "--stack", "torch"), ("diagnose", "torch-0001"), ("grist", "train.py", "--stack", "torch"),
        ("test", "torch-0001"), ("verify", "torch-0001"), ("submit", "new-bug"),
    ]  # fmt: skip
    for command in commands:
        done = open_files.inside(*command)
        assert done.code == 3, command
        assert "--isolation limits" in done.err, command
    assert "--here" in open_files.inside(*commands[0]).err
    assert not mark.exists()


def test_whoever_names_the_level_is_told_that_files_were_open(open_files: CommandLine) -> None:
    (open_files.folder / "train.py").write_text("print('hello')\n")
    done = open_files.inside("diagnose", "train.py", "--stack", "torch", "--isolation", "limits", "--json")
    assert done.document["isolation"]["level"] == "limits"
    assert (
        "the isolation level was only limits: the program could read and write your files" in done.document["remarks"]
    )


def test_a_stored_run_is_diagnosed_without_a_sandbox(open_files: CommandLine) -> None:
    assert diagnosed(open_files, stored_run(open_files.folder, healthy_events())).code == 0


def test_our_own_programs_go_on_at_a_weaker_level(open_files: CommandLine) -> None:
    corpus = load(shipped_root())
    assert isolation_for(corpus["torch-0003"]).level == "limits"
    assert isolation_for(corpus).level == "limits"


def test_a_run_of_a_stranger_does_not_choose_the_interpreter_that_runs_it_again(cli: CommandLine) -> None:
    mark = cli.folder / "ran"
    fake = cli.folder / "python"
    fake.write_text(f"#!/bin/sh\ntouch {mark}\n")
    fake.chmod(0o755)
    (cli.folder / "train.py").write_text("import torch\n")
    run = stored_run(cli.folder, healthy_events(), python=str(fake))
    done = cli.inside("diagnose", str(run.path), "--tool", "value-spectra")
    assert (done.code, mark.exists()) == (2, False)
    assert "was not recorded on this machine, so it is not run again" in done.err


@pytest.mark.parametrize(
    ("events", "said"),
    [(healthy_events(), ALL_CLEAR), (healthy_events()[:-40], "ends before the program does"), (b"", "ends before")],
)
def test_a_watched_stretch_of_training_follows_the_same_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], events: bytes, said: str
) -> None:
    tell(stored_run(tmp_path, events, exit_code=None))
    line = capsys.readouterr().err
    assert said in line
    assert (ALL_CLEAR in line) == (said == ALL_CLEAR)


TRAINING = """\
import sys
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(512, 8)
y = (x[:, 0] + 0.5 * x[:, 1] > 0).long()
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=64, shuffle=True)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(15):
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs), labels)
        loss.backward()
        optimizer.step()
sys.exit(int(sys.argv[1]))
"""


@pytest.mark.stack
def test_a_healthy_training_is_clear_unless_its_program_says_otherwise(
    tmp_path: Path, stack: Callable[[str], Environment], shared_cache: Path
) -> None:
    stack("torch")
    here = CommandLine(tmp_path, {"BUGLOSS_CACHE": str(shared_cache)})
    (tmp_path / "train.py").write_text(TRAINING)
    for code in ("0", "3"):
        done = here.inside("diagnose", "train.py", "--no-properties", "--json", "--", code)
        assert (done.code, done.document["clear"]) == ((0, True) if code == "0" else (1, False)), done.out
        assert not done.document["causes"]
