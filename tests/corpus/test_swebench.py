"""A bug as a SWE-bench instance: its patches apply with Git, and its test then turns green."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_corpus import KINDS, TinyCorpus

from bugloss.corpus.swebench import as_swebench
from bugloss.corpus.unified_diff import text_files

KEYS = {
    "instance_id", "repo", "base_commit", "problem_statement", "hints_text", "patch", "test_patch",
    "FAIL_TO_PASS", "PASS_TO_PASS", "version", "environment_setup_commit",
}  # fmt: skip


@pytest.mark.parametrize("end", ["\n", ""], ids=["whole last line", "last line without end"])
def test_the_instance_can_be_solved_with_git_alone(tiny: TinyCorpus, tmp_path: Path, end: str) -> None:
    tiny.add(files={"test.py": KINDS["exception"][2].rstrip("\n") + end})
    entry = tiny.load()["torch-0001"]
    instance = json.loads(as_swebench(entry))
    work = tmp_path / "work"
    shutil.copytree(entry.program("buggy"), work)

    def apply(patch: str) -> None:
        subprocess.run(["git", "apply", "-"], input=patch.encode(), cwd=work, check=True, capture_output=True)

    def run_tests() -> list[int]:
        scripts = json.loads(instance["FAIL_TO_PASS"])
        commands = ([sys.executable, "-B", name] for name in scripts)
        return [subprocess.run(command, cwd=work, capture_output=True, check=False).returncode for command in commands]

    apply(instance["test_patch"])
    assert (work / "test.py").read_bytes() == entry.test_file.read_bytes()
    assert run_tests() == [1]
    apply(instance["patch"])
    assert run_tests() == [0]
    assert (work / "program.py").read_bytes() == (entry.program("fixed") / "program.py").read_bytes()
    assert text_files(work) == ["oracle.py", "program.py", "test.py"]


def test_the_document_has_the_keys_of_swe_bench(tiny: TinyCorpus) -> None:
    tiny.add()
    entry = tiny.load()["torch-0001"]
    instance = json.loads(as_swebench(entry))
    assert instance.keys() >= KEYS
    assert instance["instance_id"] == "bugloss__torch-0001"
    assert instance["base_commit"] == entry.digest()
    assert instance["problem_statement"] == entry.report
    assert instance["requirements"][-1].startswith("typing-extensions==")


def test_the_problem_statement_does_not_hold_the_fix(tiny: TinyCorpus) -> None:
    tiny.add()
    instance = json.loads(as_swebench(tiny.load()["torch-0001"]))
    assert "[1, 2, 3][2]" in instance["patch"]
    assert "[1, 2, 3][2]" not in instance["problem_statement"] + instance["test_patch"] + instance["hints_text"]
