"""Drivers of outside commands: what they may say, and how answers are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from bugloss.core.errors import InvalidInput
from bugloss.evaluate.matrix.cell import ClaimedLine, EvaluationTask, ToolReply
from bugloss.evaluate.matrix.driver import AnswerUnreadable, ToolDeclined, read_answer, read_driver, select

HEAD = 'name = "mine"\nversion = "1"\ncommand = ["tool"]\n[answer]\n'


def answer(tmp_path: Path, keys: str, code: int = 0, out: str = "", err: str = "") -> ToolReply:
    path = tmp_path / "mine.toml"
    path.write_text(HEAD + keys)
    return read_answer(read_driver(path), EvaluationTask.DETECT, code, out, err)


def test_an_exit_code_can_be_the_whole_answer(tmp_path: Path) -> None:
    keys = 'format = "exit-code"\nalarm_codes = [3]'
    assert answer(tmp_path, keys, 3).alarm
    assert not answer(tmp_path, keys, 0).alarm
    with pytest.raises(AnswerUnreadable, match="exit code 9: boom"):
        answer(tmp_path, keys, 9, err="Traceback\nboom\n")


def test_a_tool_can_decline_a_program(tmp_path: Path) -> None:
    with pytest.raises(ToolDeclined):
        answer(tmp_path, "not_applicable_codes = [77]", 77)


def test_faults_are_found_in_json_by_their_paths(tmp_path: Path) -> None:
    keys = 'format = "json"\nfaults = "runs[0].results[*]"\nname = "rule.id"\nline = "at.line"\npath = "at.file"'
    out = '{"runs": [{"results": [{"rule": {"id": "r1"}, "at": {"line": 7, "file": "a.py"}, "category": "model"}]}]}'
    (fault,) = answer(tmp_path, keys, out=out).faults
    assert (fault.name, fault.category, fault.lines) == ("r1", "model", (ClaimedLine("a.py", 7),))
    assert not answer(tmp_path, keys, out='{"runs": []}').alarm


def test_faults_are_found_in_text_by_a_pattern(tmp_path: Path) -> None:
    keys = 'format = "regex"\nsource = "stderr"\npattern = \'^(?P<path>\\S+):(?P<line>\\d+): (?P<name>.+)$\''
    reply = answer(tmp_path, keys, 1, err="a.py:3: bad loss\nb.py:4: bad rate\n")
    assert [fault.name for fault in reply.faults] == ["bad loss", "bad rate"]
    assert reply.text == "bad loss, bad rate"


def test_output_that_is_not_json_is_a_failure_of_the_tool(tmp_path: Path) -> None:
    with pytest.raises(AnswerUnreadable, match="not JSON"):
        answer(tmp_path, 'format = "json"\nfaults = "x"', out="Segmentation fault")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "not valid TOML"),
        ('name = "a"\nversion = "1"\n[answer]\n', "lacks the key 'command'"),
        (HEAD + 'format = "xml"', "not one of its values"),
        (HEAD + 'source = "file"', "answer.source"),
        (HEAD + 'format = "regex"', "answer.pattern is missing"),
        (HEAD + 'format = "regex"\npattern = "("', "not a regular expression"),
        (HEAD + 'colour = "red"', "unknown key 'colour'"),
    ],
)
def test_a_wrong_driver_says_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=message):
        read_driver(path)


@pytest.mark.parametrize(
    ("path", "found"), [("", [{"a": [1, 2]}]), ("a[*]", [1, 2]), ("a[1]", [2]), ("a[9]", []), ("b.c", []), ("a.x", [])]
)
def test_paths_select_values(path: str, found: list[object]) -> None:
    assert list(select({"a": [1, 2]}, path)) == found
