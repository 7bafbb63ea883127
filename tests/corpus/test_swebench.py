"""A bug as a SWE-bench task: the steps that its harness takes in a container turn the test from red to green."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_corpus import KINDS, TinyCorpus

from bugloss.core.errors import InvalidInput
from bugloss.corpus.entry import Entry
from bugloss.corpus.swebench import TEST_NAME, as_swebench, task_files, why_not

KEYS = {
    "instance_id", "repo", "base_commit", "problem_statement", "hints_text", "created_at", "patch", "test_patch",
    "FAIL_TO_PASS", "PASS_TO_PASS", "version", "environment_setup_commit", "image", "log_parser", "eval_type",
    "eval_script", "dockerfile",
}  # fmt: skip


class Container:
    """A folder in the place of a container: what the Dockerfile commits, and a shell in it."""

    def __init__(self, entry: Entry, top: Path) -> None:
        self.testbed = top / "testbed"
        self.instance = json.loads(as_swebench(entry))
        (top / "bin").mkdir()
        (top / "bin" / "python").symlink_to(sys.executable)
        path = os.pathsep.join([str(top / "bin"), "/usr/bin", "/bin"])
        self.variables = {"PATH": path, "HOME": str(top), "GIT_CONFIG_NOSYSTEM": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        for name, content in task_files(entry).items():
            if name.startswith("repository/"):
                target = self.testbed / name.removeprefix("repository/")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        dockerfile = self.instance["dockerfile"]
        self.run(dockerfile[dockerfile.index("git init") :], "/bin/sh")

    def run(self, script: str, shell: str = "/bin/bash", check: bool = True) -> str:
        done = subprocess.run(
            [shell, "-c", script.replace("/testbed", str(self.testbed))], cwd=self.testbed, env=self.variables,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        assert not (check and done.returncode), done.stdout
        return done.stdout

    def apply(self, patch: str) -> None:
        (self.testbed.parent / "patch.diff").write_text(patch, encoding="utf-8", newline="")
        self.run("git apply --verbose ../patch.diff")

    def evaluate(self) -> str:
        """What the harness's parser reads between the markers."""
        log = self.run(self.instance["eval_script"], check=False)
        return log.split(">>>>> Start Test Output")[1].split(">>>>> End Test Output")[0]


@pytest.mark.parametrize("end", ["\n", ""], ids=["whole last line", "last line without end"])
@pytest.mark.parametrize("kind", ["exception", "value", "symptom"])
def test_the_test_fails_before_the_patch_and_passes_after_it(
    tiny: TinyCorpus, tmp_path: Path, kind: str, end: str
) -> None:
    tiny.add(kind=kind, files={"test.py": KINDS[kind][2].rstrip("\n") + end})
    entry = tiny.load()["torch-0001"]
    container = Container(entry, tmp_path)
    assert container.run("git rev-parse HEAD").strip() == container.instance["base_commit"]
    assert f"\nFAILED {TEST_NAME}\n" in container.evaluate()
    container.apply(container.instance["patch"])
    assert f"\nPASSED {TEST_NAME}\n" in container.evaluate()
    assert container.run("git status --short") == " M program.py\n"
    assert (container.testbed / "program.py").read_bytes() == (entry.program("fixed") / "program.py").read_bytes()


def test_a_patch_that_brings_its_own_test_does_not_count(tiny: TinyCorpus, tmp_path: Path) -> None:
    tiny.add()
    container = Container(tiny.load()["torch-0001"], tmp_path)
    for name in ("test.py", "oracle.py", "run_bug_test.py"):
        (container.testbed / name).write_text(f"print('PASSED {TEST_NAME}')\n")
    log = container.evaluate()
    assert f"FAILED {TEST_NAME}" in log
    assert "PASSED" not in log


def test_the_document_has_the_keys_of_swe_bench(tiny: TinyCorpus) -> None:
    tiny.add()
    entry = tiny.load()["torch-0001"]
    instance = json.loads(as_swebench(entry))
    assert instance.keys() >= KEYS
    assert instance["instance_id"] == "bugloss__torch-0001"
    assert instance["image"] == "swebench/sweb.eval.x86_64.bugloss_1776_torch-0001:latest"
    assert json.loads(instance["FAIL_TO_PASS"]) == [TEST_NAME]
    assert instance["problem_statement"] == entry.report
    assert instance["requirements"][-1].startswith("typing-extensions==")
    assert f'"{instance["requirements"][-1]}"' in instance["dockerfile"]


def test_the_folder_of_a_task_has_the_files_of_swe_bench(tiny: TinyCorpus) -> None:
    tiny.add()
    entry = tiny.load()["torch-0001"]
    files = task_files(entry)
    expected = {"Dockerfile", "eval.sh", "gold.patch", "problem_statement.md", "task.yaml", "test.patch", "tests.json"}
    assert files.keys() == expected | {"repository/program.py"}
    meta = dict(line.split(": ", 1) for line in files["task.yaml"].decode().splitlines())
    assert json.loads(meta["instance_id"]) == "bugloss__torch-0001"
    assert json.loads(meta["datasets"]) == ["bugloss/bugs"]
    assert json.loads(files["tests.json"]) == {"FAIL_TO_PASS": [TEST_NAME], "PASS_TO_PASS": []}


def test_a_cost_is_no_instance(tiny: TinyCorpus) -> None:
    tiny.add(kind="cost")
    entry = tiny.load()["torch-0001"]
    assert "SWE-bench runs one" in (why_not(entry) or "")
    with pytest.raises(InvalidInput, match="cannot be a SWE-bench instance"):
        as_swebench(entry)


def test_the_problem_statement_does_not_hold_the_fix(tiny: TinyCorpus) -> None:
    tiny.add()
    instance = json.loads(as_swebench(tiny.load()["torch-0001"]))
    assert "[1, 2, 3][2]" in instance["patch"]
    assert "[1, 2, 3][2]" not in instance["problem_statement"] + instance["test_patch"] + instance["hints_text"]
