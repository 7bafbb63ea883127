"""Evaluations over a tiny corpus: asked once, kept, resumed, and asked again where the content changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command_line import CommandLine
from spawned_work import doubled, dying
from tiny_corpus import TinyCorpus

from bugloss.core.engine import LostTask
from bugloss.workflows.engine.local import LocalEngine

SIDES = {"buggy/program.py": "x = [1, 2, 3][3]\n", "fixed/program.py": "x = [1, 2, 3][2]\n"}
DRIVER = """
name = "reader"
version = "1"
command = ["python", "{tool}/reader.py", "{entry}"]
files = ["reader.py"]
frameworks = ["torch"]
[answer]
format = "regex"
pattern = '^(?P<path>\\S+):(?P<line>\\d+): (?P<name>.+)$'
"""
READER = """
import sys
if "[3]" in open(sys.argv[1]).read():
    print("program.py:1: index-out-of-range")
"""


def evaluate(cli: CommandLine, *words: str) -> dict[str, object]:
    done = cli("evaluate", "detect", "-o", "out", "--json", *words)
    assert done.code == 0, done.err
    return dict(done.document)


def rows(found: dict[str, object]) -> list[tuple[str, str, str, str]]:
    return [(row["tool"], row["bug"], row["buggy"], row["fixed"]) for row in found["matrix"]]  # type: ignore[attr-defined]


def cells(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("out/cells/program/*/*.json")}


def test_one_recording_serves_all_tools_and_answers_are_kept(cli: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add(files=SIDES)
    found = evaluate(cli, "--tools", "exit-code,diagnose,deepfd")
    assert rows(found)[0] == ("exit-code", "torch-0001", "alarm", "silent")
    assert rows(found)[2] == ("deepfd", "torch-0001", "does-not-apply", "does-not-apply")
    assert len(list((cli.folder / "out/recordings").iterdir())) == 2
    before = cells(cli.folder)
    assert rows(evaluate(cli, "--tools", "exit-code,diagnose,deepfd")) == rows(found)
    assert cells(cli.folder) == before
    (tiny.root / "torch/torch-0001/fixed/program.py").write_text("x = [1, 2, 3][1]\n")
    evaluate(cli, "--tools", "exit-code,diagnose,deepfd")
    after = cells(cli.folder)
    assert {name for name in after if after[name] != before[name]} == {"torch-0001.fixed.0.json"}
    again = cli("regrade", "out", "--json")
    assert rows(again.document) == rows(found)


def test_an_outside_command_is_asked_in_the_sandbox(cli: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add(files=SIDES)
    tiny.add("keras-0001", files=SIDES, framework="keras")
    (cli.folder / "reader.toml").write_text(DRIVER)
    (cli.folder / "reader.py").write_text(READER)
    found = evaluate(cli, "--tools", "reader.toml")
    assert rows(found) == [
        ("reader", "keras-0001", "does-not-apply", "does-not-apply"),
        ("reader", "torch-0001", "alarm", "silent"),
    ]
    assert json.loads((cli.folder / "out/results.json").read_text())["task"] == "detect"


def test_predictions_are_graded_like_answers(cli: CommandLine, tiny: TinyCorpus) -> None:
    for number in (1, 2, 3):
        tiny.add(f"torch-000{number}", files=SIDES)
    lines = [
        {"bug": "torch-0001", "tool": "mine", "alarm": True},
        {"bug": "torch-0002", "tool": "mine", "applies": False, "reason": "too new"},
        {"bug": "torch-0003", "tool": "mine", "side": "fixed", "alarm": True},
    ]
    (cli.folder / "mine.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert rows(evaluate(cli, "--tools", "", "-p", "mine.jsonl")) == [
        ("mine", "torch-0001", "alarm", "silent"),
        ("mine", "torch-0002", "does-not-apply", "silent"),
        ("mine", "torch-0003", "silent", "alarm"),
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--tools", "deepfds"), "Known: check, diagnose"),
        (("--tools", "nowhere.toml"), "nowhere.toml"),
        (("--tools", ""), "no tool is named"),
        (("--tools", "check", "--bugs", "category=gpu"), "no active bug matches"),
        (("--tools", "check", "--by", "colour"), "is not a group"),
        (("--tools", "check", "--engine", "slurm"), "there is no engine"),
        (("--tools", "check", "--scheduler", "tcp://a:1"), "--engine dask"),
    ],
)
def test_a_wrong_request_is_one_sentence(
    cli: CommandLine, tiny: TinyCorpus, words: tuple[str, ...], message: str
) -> None:
    tiny.add(files=SIDES)
    done = cli.inside("evaluate", "detect", "-o", "out", *words)
    assert done.code == 2
    assert message in done.err


def test_a_bad_line_of_predictions_is_named(cli: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add(files=SIDES)
    (cli.folder / "mine.jsonl").write_text('{"bug": "torch-0001", "tool": "a"}\n{"tool": "a"}\n')
    done = cli.inside("evaluate", "detect", "-o", "out", "--tools", "", "-p", "mine.jsonl")
    assert (done.code, "line 2 of mine.jsonl" in done.err) == (2, True)


def run(work: Callable[[int], Iterator[int]]) -> tuple[list[int], list[LostTask[int]]]:
    results = list(LocalEngine(2).run(work, range(1, 5)))
    lost = [one for one in results if isinstance(one, LostTask)]
    return sorted(one for one in results if not isinstance(one, LostTask)), lost


def test_the_local_engine_returns_every_result_and_says_what_was_lost() -> None:
    found, lost = run(doubled)
    assert found == [-4, -2, -1, 1, 2, 4]
    assert [(one.task, one.reason) for one in lost] == [(3, "ValueError: three is refused")]


def test_a_process_that_dies_takes_no_other_task_with_it() -> None:
    found, lost = run(dying)
    assert found == [1, 3, 4]
    assert [(one.task, one.reason) for one in lost] == [(2, "its process was killed")]
