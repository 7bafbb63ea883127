"""A list of recorded runs, and two side by side, on the terminal, as a document and as a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bugloss.core.run import Outcome
from bugloss.record.runs import RunFacts, new_run
from bugloss.show.cli.main import main


def record(losses: list[float], *, causes: tuple[str, ...] = ()) -> str:
    """A run with these losses, recorded in the current folder."""
    folder = new_run()
    facts = RunFacts("train.py", str(Path.cwd()), ("--epochs", "3"), "python", None, "2026-01-01", Outcome.FINISHED, 0)
    folder.write_facts(facts)
    steps = [
        {"event": "step", "step": number, "loss": loss, "learning_rate": 0.1} for number, loss in enumerate(losses)
    ]
    folder.events.write_text("".join(f"{json.dumps(step)}\n" for step in steps))
    folder.write("diagnosis.json", {"causes": [{"cause": name} for name in causes]})
    return folder.id


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.chdir(tmp_path)
    first = record([4.0, 2.0], causes=("learning-rate-too-low",))
    return first, record([4.0, 1.0, 0.5])


def test_runs_are_listed_the_latest_first(two: tuple[str, str], capsys: Any) -> None:
    assert main(["runs"]) == 0
    heading, second, first, count = capsys.readouterr().out.splitlines()
    assert heading.split() == ["run", "outcome", "time", "causes", "command"]
    assert first.split() == [two[0], "finished", "–", "learning-rate-too-low", "train.py", "--epochs", "3"]
    assert second.startswith(two[1])
    assert count == "2 runs"


def test_an_unreadable_run_does_not_hide_the_others(two: tuple[str, str], capsys: Any) -> None:
    Path(".bugloss", "runs", two[0], "run.json").write_text("{")
    assert main(["runs", "--json"]) == 0
    assert [run["run"] for run in json.loads(capsys.readouterr().out)["runs"]] == [two[1]]


def test_two_runs_are_laid_side_by_side(two: tuple[str, str], capsys: Any) -> None:
    assert main(["compare", *two, "-o", "page.html"]) == 0
    rows = {line.split("  ")[0]: line.split() for line in capsys.readouterr().out.splitlines()}
    assert rows["training steps"][2:] == ["2", "3", "+50.0", "%"]
    assert rows["last loss"][2:] == ["2", "0.5", "1/4"]
    page = Path("page.html").read_text()
    assert page.count("<svg") == 2
    assert all(run in page for run in two)


def test_the_document_of_a_comparison_has_both_values(two: tuple[str, str], capsys: Any) -> None:
    assert main(["compare", *two, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "bugloss.comparison/1"
    assert {"name": "first loss", "first": 4.0, "second": 4.0} in document["values"]


def test_a_run_that_is_not_there_is_one_sentence(two: tuple[str, str], capsys: Any) -> None:
    assert main(["compare", "last", "gone"]) == 2
    assert "no recorded run 'gone'" in capsys.readouterr().err
