"""A bug's test on a program: the corpus's own judge, limits and seeds, whatever the program brings."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_corpus import KINDS, TinyCorpus

import bugloss
from bugloss.core.bug import Twin
from bugloss.core.errors import InvalidInput
from bugloss.core.judgement import Grade
from bugloss.core.run import Outcome
from bugloss.run.environment import Environment
from bugloss.workflows.bug_trial import run_trial


def test_another_program_can_take_the_place_of_the_twin(tiny: TinyCorpus, bare: Environment, tmp_path: Path) -> None:
    tiny.add()
    repaired = tmp_path / "work"
    repaired.mkdir()
    (repaired / "program.py").write_text("def run():\n    return [1, 2, 3][-1]\n")
    entry = tiny.load()["torch-0001"]
    assert run_trial(entry, Twin.BUGGY, program=repaired).grade is Grade.PASS


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("test.py", "print('pass')\n"),
        ("oracle.py", "def survives(run): pass\n"),
        ("program.py", "import sys\nsys.exit(0)\n"),
        ("program.py", "import os\ndef run():\n    os._exit(0)\n"),
    ],
    ids=["own test", "own oracle", "exit at import", "exit at once"],
)
def test_a_program_cannot_bring_its_own_judge(
    tiny: TinyCorpus, bare: Environment, tmp_path: Path, name: str, text: str
) -> None:
    tiny.add()
    cheat = tmp_path / "work"
    cheat.mkdir()
    (cheat / "program.py").write_text(KINDS["exception"][0])
    (cheat / name).write_text(text)
    assert run_trial(tiny.load()["torch-0001"], Twin.BUGGY, program=cheat).grade is not Grade.PASS


def test_a_program_that_hangs_is_stopped_and_not_judged(tiny: TinyCorpus, bare: Environment) -> None:
    tiny.add(files={"buggy/program.py": "import time\ndef run():\n    time.sleep(60)\n"})
    trial = run_trial(tiny.load()["torch-0001"], Twin.BUGGY, timeout=0.6)
    assert trial.run.outcome is Outcome.TIMED_OUT
    assert (trial.grade, trial.judgement.reason) == (Grade.NOT_RUN, "it exceeded the time limit of 0.6 s")


def test_the_time_limit_grows_with_the_seconds_a_test_is_expected_to_take(tiny: TinyCorpus, bare: Environment) -> None:
    tiny.add("torch-0001", seconds=1)
    tiny.add("torch-0002", seconds=20)
    limits = [run_trial(entry, Twin.FIXED).run.limits.wall_seconds for entry in tiny.load().values()]
    assert limits == [60, 240]


def test_the_seed_reaches_the_program_and_each_run_has_its_own_block(tiny: TinyCorpus, bare: Environment) -> None:
    tiny.add(kind="symptom", files={"fixed/program.py": "def measure(seed):\n    return seed\n"})
    entry = tiny.load()["torch-0001"]
    seeds = [[event["seed"] for event in run_trial(entry, Twin.FIXED, seed=n).run.evidence] for n in (1, 2)]
    assert seeds == [list(range(1000, 1006)), list(range(2000, 2006))]


def test_a_test_that_is_missing_is_one_sentence(tiny: TinyCorpus, bare: Environment) -> None:
    (tiny.add() / "test.py").unlink()
    with pytest.raises(InvalidInput, match=r"torch-0001 has no readable test\.py"):
        bugloss.test("torch-0001")


def test_pins_of_the_bug_replace_those_of_the_stack(tiny: TinyCorpus) -> None:
    tiny.add(pins=["numpy==1.26.4", "extra-package==1.0"])
    packages = tiny.load()["torch-0001"].stack.packages
    assert "numpy==1.26.4" in packages
    assert "extra-package==1.0" in packages
    assert len([package for package in packages if package.startswith("numpy==")]) == 1


@pytest.mark.parametrize("kind", ["exception", "value", "symptom", "cost"])
def test_the_test_of_a_bug_runs_and_tells_the_twins_apart(tiny: TinyCorpus, bare: Environment, kind: str) -> None:
    tiny.add(kind=kind)
    entry = tiny.load()["torch-0001"]
    buggy, fixed = bugloss.test("torch-0001b", seed=3), bugloss.test("torch-0001f")
    assert (buggy.grade, fixed.grade) == (Grade.FAIL, Grade.PASS)
    assert (buggy.bug, buggy.twin, buggy.run.settings.seed) == ("torch-0001", Twin.BUGGY, 3)
    assert buggy.run.subject == {"bug": "torch-0001", "twin": "buggy", "digest": entry.digest()}
    assert (buggy.reference is not None) is (kind == "cost")
