"""The commands that the documentation shows first, one after the other, on a bug of the real corpus."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine

from bugloss.run.environment import Environment

BUG = "torch-0003"


@pytest.mark.stack
@pytest.mark.slow
def test_the_story_of_one_bug(stack: Callable[[str], Environment], tmp_path: Path) -> None:
    environment = stack("torch")
    here = tmp_path / "here"
    here.mkdir()
    cli = CommandLine(here, {})

    listed = cli("list", "--where", "framework=torch", "--json")
    assert BUG in [bug["id"] for bug in listed.document["bugs"]]
    assert {bug["framework"] for bug in listed.document["bugs"]} == {"torch"}

    page = cli("info", BUG)
    assert page.code == 0
    assert "built; a test takes about" in page.out

    assert cli("checkout", f"{BUG}b", "-w", "work").code == 0
    diff = cli("diff", BUG)
    assert diff.code == 0
    fixed_lines = [line[1:].strip() for line in diff.out.splitlines() if line.startswith("+") and line[1:3] != "++"]
    seen = "".join(path.read_text() for path in sorted((here / "work").rglob("*")) if path.is_file())
    assert fixed_lines
    assert not [line for line in fixed_lines if line in seen]

    buggy, fixed = cli("test", f"{BUG}b", "--json"), cli("test", f"{BUG}f", "--json")
    assert (buggy.code, buggy.document["grade"]) == (1, "fail")
    assert (fixed.code, fixed.document["grade"]) == (0, "pass")
    assert buggy.document["run"]["environment"] == environment.digest
    assert buggy.document["run"]["exception"]["kind"] == "RuntimeError"

    assert cli("test", BUG, "-w", "work", "-q").code == 1
    repair(here / "work", diff.out)
    assert cli("test", BUG, "-w", "work", "-q").code == 0

    verified = cli("verify", BUG, "--runs", "1", "-j", "2", "--json")
    (standing,) = verified.document["bugs"]
    assert (verified.code, standing["status"]) == (0, "active")
    assert (standing["buggy"], standing["fixed"]) == ("1/1 fail", "1/1 pass")

    states = cli("env", "list", "--json").document["environments"]
    assert environment.digest in [state["digest"] for state in states if state["built"]]

    assert cli("export", BUG, "--format", "docker").out.startswith("# bugloss stack 'torch'")
    assert cli("new", "my-bug").code == 0
    assert cli("lint", "my-bug").code == 1
    assert cli("lint", BUG).code == 0


def repair(work: Path, diff: str) -> None:
    """Applies the fix to a checkout, as a solver would who found it."""
    subprocess.run(["git", "apply", "-"], cwd=work, input=diff.encode(), check=True, capture_output=True)
