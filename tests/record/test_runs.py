"""Folders of observed runs: found again, never half-written, valid JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.record.runs import RUNS, RunFacts, RunFolder, find_run, new_run

FACTS = RunFacts("train.py", "/home/me", ("--epochs", "3"), "/usr/bin/python", None, "2026-11-15T12:00:00")


def test_facts_come_back_as_they_were(tmp_path: Path) -> None:
    folder = new_run(tmp_path)
    folder.write_facts(FACTS)
    assert folder.facts() == FACTS


def test_two_runs_that_start_at_once_get_two_folders(tmp_path: Path) -> None:
    assert len({new_run(tmp_path).id for _ in range(5)}) == 5


def test_a_run_is_found_by_id_by_folder_and_as_the_last(tmp_path: Path) -> None:
    first, second = new_run(tmp_path), new_run(tmp_path)
    for folder in (first, second):
        folder.write_facts(FACTS)
    assert find_run(first.id, tmp_path) is not None
    by_folder = find_run(str(second.path))
    assert by_folder is not None
    assert by_folder.path == second.path
    latest = find_run("last", tmp_path)
    assert latest is not None
    assert latest.id == max(first.id, second.id)


@pytest.mark.parametrize("name", ["last", "nothing", "../.."])
def test_what_is_no_run_is_not_found(tmp_path: Path, name: str) -> None:
    assert find_run(name, tmp_path) is None


def test_nan_becomes_a_word(tmp_path: Path) -> None:
    folder = new_run(tmp_path)
    folder.write("numbers.json", {"loss": float("nan"), "list": [float("inf"), 1.5]})
    text = (folder.path / "numbers.json").read_text()
    assert json.loads(text, parse_constant=pytest.fail) == {"loss": "nan", "list": ["inf", 1.5]}


def test_a_damaged_run_is_one_clear_sentence(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    (tmp_path / "run.json").write_text('{"script": ')
    with pytest.raises(InvalidInput, match="contains no readable run"):
        folder.facts()
    assert folder.read("run.json") is None


def test_a_place_that_cannot_be_written_is_one_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / RUNS.parts[0]).write_text("a file where the folder should be")
    with pytest.raises(EnvironmentFailure, match="cannot be written"):
        new_run(tmp_path)


def test_writing_leaves_nothing_half_done_behind(tmp_path: Path) -> None:
    folder = new_run(tmp_path)
    folder.write("a.json", {"x": 1})
    assert [path.name for path in folder.path.iterdir()] == ["a.json"]
