"""Benchmarks are recognised by their files, read where they are, and say what cannot run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from foreign_benchmarks import bugs_in_py, defect4ml, gdefects4dl, project, swe_bench, write

from bugloss.core.bug import Twin
from bugloss.core.errors import FileRefused, InvalidInput
from bugloss.core.foreign_bug import ForeignLayout, ForeignTest, Runner
from bugloss.corpus.foreign.fields import select_foreign
from bugloss.corpus.foreign.sources import add_source, bugs_of, find_bug, remove_source, sources

A, B = "a" * 40, "b" * 40


def test_defect4ml_pairs_of_folders_become_bugs(tmp_path: Path) -> None:
    source, bugs = add_source(defect4ml(tmp_path / "d"))
    whole, stub = bugs
    assert source.layout is ForeignLayout.DEFECT4ML
    assert whole.id == "defect4ml-001"
    assert (whole.buggy.path, whole.fixed.path) == ("bugs/001/buggy", "bugs/001/fixed")
    assert (whole.python, whole.framework, whole.requirements) == ("3.11", "tensorflow", ("numpy==1.26.4",))
    assert whole.tests == (ForeignTest(Runner.SCRIPT, ("averages.py",)),)
    assert whole.runs
    assert "is left out: it is not a name with versions" in whole.remarks[0]
    assert stub.obstacles == ("bugs/002/buggy contains no Python file",)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"entry": "make test"}, "its test command 'make test' is not one that bugloss runs"),
        ({"gpu": "yes"}, "it needs a graphics card, and programs run without one"),
    ],
)
def test_a_setting_that_keeps_a_bug_from_running_is_a_sentence(
    tmp_path: Path, settings: dict[str, str], reason: str
) -> None:
    _, (bug, _) = add_source(defect4ml(tmp_path / "d", **settings))
    assert reason in bug.obstacles


def test_versions_of_frameworks_in_the_settings_are_requirements(tmp_path: Path) -> None:
    root = defect4ml(tmp_path / "d", framework_version="1.8.0")
    (root / "bugs/001/requirements.txt").unlink()
    _, (bug, _) = add_source(root)
    assert bug.requirements == ("tensorflow==1.8.0",)


def test_files_called_faulty_and_correct_are_a_pair_too(tmp_path: Path) -> None:
    root = write(tmp_path / "aifaultbench", {"f1/case_faulty.py": "1/0\n", "f1/case_correct.py": "1/1\n"})
    source, (bug,) = add_source(root)
    assert source.layout is ForeignLayout.AIFAULTBENCH
    assert (bug.id, bug.buggy.path) == ("aifaultbench-f1", "f1/case_faulty.py")
    assert bug.tests == (ForeignTest(Runner.SCRIPT, ("program.py",)),)


def test_bugs_in_py_needs_a_clone_of_the_project(tmp_path: Path) -> None:
    root = bugs_in_py(tmp_path / "b", A, B)
    _, (bug,) = add_source(root)
    assert bug.id == "bugsinpy-averages-7"
    assert (bug.buggy.commit, bug.fixed.commit, bug.python) == (A, B, "3.11")
    assert bug.buggy.test_paths == ("tests/test_averages.py", "tests/__init__.py")
    assert bug.tests == (ForeignTest(Runner.UNITTEST, ("-q", "tests.test_averages")),)
    (obstacle,) = bug.obstacles
    assert obstacle.startswith("its programs are commits of owner/averages, which is not here (https://github.com/")
    assert obstacle.endswith("and no folder of clones was named by --repos")
    (tmp_path / "clones" / "averages").mkdir(parents=True)
    _, (bug,) = add_source(root, repositories=tmp_path / "clones")
    assert bug.runs


def test_swe_bench_rows_are_read_from_json_lines_json_and_parquet(tmp_path: Path) -> None:
    first, second = project(tmp_path / "clones" / "owner__averages")
    path = swe_bench(tmp_path / "test.jsonl", tmp_path / "clones" / "owner__averages", first, second)
    source, (bug,) = add_source(path, repositories=tmp_path / "clones")
    assert (source.layout, bug.id) == (ForeignLayout.SWE_BENCH, "swe-bench-owner__averages-7")
    assert bug.tests == (ForeignTest(Runner.UNITTEST, ("tests.test_averages.MeanTest.test_mean",)),)
    assert bug.title == "The mean is too small"
    assert bug.runs
    assert len(bug.buggy.patches) == 1
    assert len(bug.fixed.patches) == 2
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    assert [one.id for one in add_source(tmp_path / "rows.json", name="again")[1]] == ["again-owner__averages-7"]


def test_swe_bench_in_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    row = {
        "instance_id": "o__p-1",
        "repo": "o/p",
        "base_commit": A,
        "patch": "",
        "FAIL_TO_PASS": ["tests/a.py::test_b"],
    }
    parquet.write_table(pyarrow.Table.from_pylist([row]), tmp_path / "test.parquet")
    _, (bug,) = add_source(tmp_path / "test.parquet")
    assert bug.tests == (ForeignTest(Runner.PYTEST, ("tests/a.py::test_b",)),)


def test_gdefects4dl_names_commits_in_a_table(tmp_path: Path) -> None:
    source, (bug,) = add_source(gdefects4dl(tmp_path / "g", A, B))
    assert source.layout is ForeignLayout.GDEFECTS4DL
    assert (bug.id, bug.project) == ("gdefects4dl-averages7", "owner/averages")
    assert (bug.buggy.commit, bug.fixed.commit) == (A, B)
    assert (bug.buggy.test_commit, bug.buggy.test_paths) == ("main", ("tests/test_averages.py",))
    assert bug.tests == (ForeignTest(Runner.PYTEST, ("tests/test_averages.py",)),)


def test_a_table_that_declares_entities_is_refused(tmp_path: Path) -> None:
    root = write(tmp_path / "g", {"Database.xml": '<!DOCTYPE a [<!ENTITY b "c">]><bugs>&b;</bugs>'})
    with pytest.raises(InvalidInput, match="declares a document type"):
        add_source(root, "gdefects4dl")


def test_links_that_lead_out_of_the_benchmark_are_not_followed(tmp_path: Path) -> None:
    root = defect4ml(tmp_path / "d")
    secret = write(tmp_path, {"secret.ini": "url = https://example.org/secret\n"}) / "secret.ini"
    (root / "bugs/001/conf.ini").unlink()
    (root / "bugs/001/conf.ini").symlink_to(secret)
    (root / "bugs" / "003").symlink_to(root / "bugs" / "001")
    _, bugs = add_source(root)
    assert [bug.id for bug in bugs] == ["defect4ml-001", "defect4ml-002"]
    assert bugs[0].url == ""
    table = tmp_path / "t"
    table.mkdir()
    (table / "rows.jsonl").symlink_to(secret)
    with pytest.raises((InvalidInput, FileRefused)):
        add_source(table, "swe-bench")


def test_a_source_is_remembered_found_by_its_prefix_and_forgotten(tmp_path: Path) -> None:
    add_source(defect4ml(tmp_path / "d"), name="mine")
    assert [source.name for source in sources()] == ["mine"]
    found = find_bug("mine-001f")
    assert found is not None
    assert (found[1].id, found[2]) == ("mine-001", Twin.FIXED)
    assert find_bug("torch-0003") is None
    with pytest.raises(InvalidInput, match="no bug 'mine-009'"):
        find_bug("mine-009")
    remove_source("mine")
    assert sources() == []
    assert (tmp_path / "d" / "bugs" / "001").is_dir()


def test_a_folder_that_is_gone_is_a_clear_error(tmp_path: Path) -> None:
    source, _ = add_source(defect4ml(tmp_path / "d"))
    (tmp_path / "d").rename(tmp_path / "e")
    with pytest.raises(InvalidInput, match="is no longer in"):
        bugs_of(source)


@pytest.mark.parametrize("name", ["torch", "tf", "synthetic", "Upper", "../x", ""])
def test_names_that_could_be_ids_of_ours_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput):
        add_source(defect4ml(tmp_path / "d"), name=name or "-")


def test_a_folder_in_no_known_layout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="none of the layouts"):
        add_source(write(tmp_path / "x", {"a/b.py": ""}))


def test_queries_select_among_foreign_bugs(tmp_path: Path) -> None:
    _, bugs = add_source(defect4ml(tmp_path / "d"))
    assert [bug.id for bug in select_foreign(bugs, "may_run=yes and framework=tensorflow")] == ["defect4ml-001"]
    with pytest.raises(InvalidInput, match="there is no field 'category'"):
        select_foreign(bugs, "category=tensor")
