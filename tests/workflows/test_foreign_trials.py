"""Foreign bugs under the verbs: their programs come from folders and clones, and their tests really run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from foreign_benchmarks import RIGHT, WRONG, bugs_in_py, defect4ml, gdefects4dl, project, swe_bench, write

from bugloss.core.bug import Twin
from bugloss.core.errors import EnvironmentFailure
from bugloss.core.foreign_bug import ForeignBug, ForeignSource, ForeignTest, Runner
from bugloss.core.judgement import Grade, Standing
from bugloss.corpus.foreign.sources import add_source
from bugloss.run.sandbox import isolation
from bugloss.workflows.foreign_checkout import checkout_foreign
from bugloss.workflows.foreign_programs import ForeignBugCannotRun, program_diff, program_files
from bugloss.workflows.foreign_trials import ForeignRequest, run_foreign_trial, verify_foreign

REQUEST = ForeignRequest(timeout=60)


def added(tmp_path: Path, kind: str) -> tuple[ForeignSource, ForeignBug]:
    """The one bug of a benchmark whose clone is there."""
    clones = tmp_path / "clones"
    first, second = project(clones / "owner__averages")
    if kind == "bugsinpy":
        path = bugs_in_py(tmp_path / "b", first, second)
    elif kind == "gdefects4dl":
        path = gdefects4dl(tmp_path / "g", first, second)
    else:
        path = swe_bench(tmp_path / "s.jsonl", clones / "owner__averages", first, second)
    source, bugs = add_source(path, repositories=clones)
    return source, bugs[0]


@pytest.mark.parametrize("kind", ["bugsinpy", "swe-bench", "gdefects4dl"])
def test_programs_of_a_clone_are_the_commits_with_the_tests_of_the_fix(tmp_path: Path, kind: str) -> None:
    source, bug = added(tmp_path, kind)
    buggy, fixed = (program_files(source, bug, twin) for twin in Twin)
    assert buggy["averages.py"].decode() == WRONG
    assert fixed["averages.py"].decode() == RIGHT
    assert b"MeanTest" in buggy["tests/test_averages.py"]
    assert buggy["data/picture.bin"] == b"\x00\xff\n"
    assert "+    return sum(values) / len(values)" in program_diff(source, bug)


@pytest.mark.parametrize("kind", ["bugsinpy", "swe-bench"])
def test_a_bug_of_a_clone_fails_before_and_passes_after_its_fix(shared_cache: Path, tmp_path: Path, kind: str) -> None:
    source, bug = added(tmp_path, kind)
    try:
        result = verify_foreign(source, bug, REQUEST, isolation(), 2, lambda text: None)
    except EnvironmentFailure as error:
        pytest.skip(f"not run: {error.message}")
    assert (result.stability.buggy, result.stability.fixed) == ("2/2 fail", "2/2 pass"), result.stability
    assert result.stability.standing is Standing.ACTIVE


def test_the_clone_is_left_as_it_was(tmp_path: Path) -> None:
    source, bug = added(tmp_path, "bugsinpy")
    clone = tmp_path / "clones" / "owner__averages"
    (clone / "averages.py").write_text("changed by its owner\n")
    before = subprocess.run(["git", "status", "--short"], cwd=clone, capture_output=True, text=True, check=True).stdout
    program_files(source, bug, Twin.BUGGY)
    after = subprocess.run(["git", "status", "--short"], cwd=clone, capture_output=True, text=True, check=True).stdout
    assert before == after == " M averages.py\n"


def test_a_commit_that_the_clone_lacks_is_said(tmp_path: Path) -> None:
    project(tmp_path / "clones" / "owner__averages")
    source, (bug,) = add_source(bugs_in_py(tmp_path / "b", "a" * 40, "b" * 40), repositories=tmp_path / "clones")
    result = verify_foreign(source, bug, REQUEST, isolation("limits"), 1, lambda text: None)
    assert result.stability.standing is Standing.NOT_RUN
    assert f"has no commit '{'a' * 40}'" in (result.stability.reason or "")


def test_a_bug_that_lacks_something_is_refused_with_its_sentence(tmp_path: Path) -> None:
    source, (_, stub) = add_source(defect4ml(tmp_path / "d"))
    with pytest.raises(ForeignBugCannotRun, match="cannot run: bugs/002/buggy contains no Python file"):
        run_foreign_trial(source, stub, Twin.BUGGY, REQUEST, isolation("limits"))


def test_a_script_is_its_own_test_and_a_repaired_folder_passes(shared_cache: Path, tmp_path: Path) -> None:
    root = defect4ml(tmp_path / "d")
    (root / "bugs/001/requirements.txt").unlink()
    source, (bug, _) = add_source(root)
    trial = run_foreign_trial(source, bug, Twin.BUGGY, REQUEST, isolation())
    assert (trial.grade, trial.judgement.reason) == (Grade.FAIL, "python averages.py raised AssertionError")
    checkout_foreign(source, bug, Twin.BUGGY, tmp_path / "work")
    (tmp_path / "work" / "averages.py").write_text(RIGHT)
    repaired = run_foreign_trial(source, bug, Twin.BUGGY, REQUEST, isolation(), work=tmp_path / "work")
    assert repaired.grade is Grade.PASS


def test_a_missing_package_is_neither_pass_nor_fail(shared_cache: Path, tmp_path: Path) -> None:
    root = write(tmp_path / "d", {f"1/{name}/a.py": "import no_such_package\n" for name in ("buggy", "fixed")})
    source, (bug,) = add_source(root)
    trial = run_foreign_trial(source, bug, Twin.FIXED, REQUEST, isolation())
    assert trial.grade is Grade.NOT_RUN
    assert "its environment has no module no_such_package" in trial.judgement.reason


def test_a_python_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, (bug, _) = add_source(defect4ml(tmp_path / "d", python="2.7"))
    result = verify_foreign(source, bug, REQUEST, isolation("limits"), 1, lambda text: None)
    assert result.stability.standing is Standing.NOT_RUN
    assert "no Python 2.7 was found" in (result.stability.reason or "")


def test_the_tests_of_a_checkout_are_those_of_the_benchmark(shared_cache: Path, tmp_path: Path) -> None:
    source, bug = added(tmp_path, "swe-bench")
    checkout_foreign(source, bug, Twin.BUGGY, tmp_path / "work")
    (tmp_path / "work/tests/test_averages.py").write_text("raise SystemExit(0)\n")
    trial = run_foreign_trial(source, bug, Twin.BUGGY, REQUEST, isolation(), work=tmp_path / "work")
    assert trial.grade is Grade.FAIL
    assert bug.tests == (ForeignTest(Runner.UNITTEST, ("tests.test_averages.MeanTest.test_mean",)),)
