"""A plug-in that fails is named in the answer, and the answer is then not an all-clear."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import CommandLine
from stored_runs import healthy_events, stored_run

from bugloss.core.diagnosis import FailedPlugin, Symptom
from bugloss.core.finding import Severity
from bugloss.core.raised import Frame, RaisedException
from bugloss.observe.arbiter import rank
from bugloss.observe.case import Case
from bugloss.observe.crash import explanation
from bugloss.observe.crash_event import Crash
from bugloss.observe.sketch import sketch

Install = Callable[[str], None]

DETECTOR = """
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector

class Clumsy(Detector):
    name = "clumsy"
    severity, category, faulty, healthy = Severity.WARNING, Category.TRAINING, (), ()
    def detect(self, recording):
        {body}

PLUGINS = {{"detector": [Clumsy()]}}
"""
TOOL = """
from bugloss.observe.tools.contract import Tool

class Clumsy(Tool):
    name = "clumsy"
    def diagnose(self, recordings):
        raise ValueError("no such layer")

PLUGINS = {"tool": [Clumsy()]}
"""
PACKS = {
    "raises": (DETECTOR.format(body="raise KeyError('fc1')"), "clumsy", "KeyError: 'fc1'"),
    "raises later": (
        DETECTOR.format(body="yield self.symptom('seen', severity=Severity.ADVICE); 1 / 0"), "clumsy", "ZeroDivisionError",
    ),
    "gives something else": (DETECTOR.format(body="return ['wrong']"), "clumsy", "TypeError: str is not a Symptom"),
    "gives nothing": (DETECTOR.format(body="return None"), "clumsy", "TypeError"),
    "leaves": (DETECTOR.format(body="raise SystemExit(0)"), "clumsy", "SystemExit"),
    "cannot speak": (
        DETECTOR.format(body="raise type('Mute', (Exception,), {'__str__': lambda self: 1 / 0})()"), "clumsy", "Mute: <Mute>",
    ),
    "does not load": ("raise ImportError('torch is missing')", "", "torch is missing"),
}  # fmt: skip


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs a distribution that offers one pack."""
    site = tmp_path / "site"
    facts = site / "clumsy-1.0.dist-info"
    facts.mkdir(parents=True)
    monkeypatch.syspath_prepend(str(site))

    def pack(source: str) -> None:
        (site / "clumsy_pack.py").write_text(source)
        (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: clumsy\nVersion: 1.0\n")
        (facts / "entry_points.txt").write_text("[bugloss.packs]\nclumsy = clumsy_pack\n")

    yield pack
    sys.modules.pop("clumsy_pack", None)


@pytest.mark.parametrize("name", PACKS)
def test_a_detector_that_fails_is_named(cli: CommandLine, install: Install, name: str) -> None:
    source, plugin, error = PACKS[name]
    install(source)
    run = str(stored_run(cli.folder, healthy_events()).path)
    done = cli.inside("diagnose", run, "--json")
    assert (done.code, done.document["clear"]) == (4, False)
    failed = done.document["failed"][0]
    assert (failed["group"], failed["plugin"]) == ("detector", plugin)
    assert error in failed["error"]
    assert error in done.document["remarks"][0]
    told = cli.inside("report", run)
    assert told.code == 4
    assert "? inconclusive: " in told.out
    assert error in told.out
    assert "no problem found" not in told.out + (Path(run) / "report.html").read_text().lower()


def test_a_tool_that_fails_is_named(cli: CommandLine, install: Install) -> None:
    install(TOOL)
    run = str(stored_run(cli.folder, healthy_events()).path)
    done = cli.inside("diagnose", run, "--tool", "clumsy", "--tool", "deeplocalize", "--json")
    assert (done.code, done.document["clear"]) == (4, False)
    assert done.document["failed"] == [{"group": "tool", "plugin": "clumsy", "error": "ValueError: no such layer"}]
    assert [answer["tool"] for answer in done.document["tools"]] == ["clumsy", "deeplocalize"]


def test_a_check_that_fails_is_named(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    from bugloss.workflows import diagnosis

    def fail(*_: Any) -> None:
        raise KeyError("units")

    monkeypatch.setattr(diagnosis, "check_paths", fail)
    (cli.folder / "train.py").write_text("import torch\n")
    done = cli.inside("diagnose", str(stored_run(cli.folder, healthy_events()).path), "--json")
    assert done.code == 4
    assert done.document["failed"] == [{"group": "check of", "plugin": "train.py", "error": "KeyError: 'units'"}]


def test_a_fault_that_fails_is_noted_and_the_others_are_weighed() -> None:
    def fail(case: Case) -> Iterator[Any]:
        raise IndexError("no optimizer")

    noted: list[FailedPlugin] = []
    case = Case(sketch(), (Symptom("loss-flat", Severity.ERROR, "it does not fall"),))
    clumsy = SimpleNamespace(name="clumsy", clues=fail, from_findings=lambda case: (), from_relations=lambda case: ())
    quiet = SimpleNamespace(
        name="quiet", clues=lambda case: (), from_findings=lambda case: (), from_relations=lambda case: ()
    )
    assert rank(case, [clumsy, quiet], noted.append) == ()  # type: ignore[list-item]
    assert noted == [FailedPlugin("fault", "clumsy", "IndexError: no optimizer")]


def test_a_crash_pattern_that_fails_is_noted_and_the_next_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    message = "mat1 and mat2 shapes cannot be multiplied (4x16 and 20x2)"
    crash = Crash(RaisedException("RuntimeError", "RuntimeError", message, (), (Frame("train.py", 4, "f", "f(x)"),)))

    def fail(scene: object) -> None:
        raise ValueError("odd")

    clumsy = SimpleNamespace(cause="clumsy", match=fail)
    known = explanation.patterns()
    monkeypatch.setattr(explanation, "patterns", lambda: (clumsy, *known))
    noted: list[FailedPlugin] = []
    assert explanation.explain(crash, lambda path: None, noted.append)[0].cause == "layer-size-mismatch"
    assert noted == [FailedPlugin("crash pattern", "clumsy", "ValueError: odd")]


def test_an_experiment_takes_a_failed_detector_for_one_that_still_sees(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a change that only breaks the detector would confirm a cause."""
    from bugloss.workflows.experiment import _still_there

    install(DETECTOR.format(body="raise KeyError('fc1')"))
    assert _still_there(sketch(), ("clumsy",))
