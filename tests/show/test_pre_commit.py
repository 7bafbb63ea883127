"""The hook for pre-commit: its manifest is valid, and it stops a commit that contains a bug."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

MANIFEST = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"
FAULTY = (
    "import torch\nfrom torch import nn\nmodel = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))\n"
    "loss = nn.CrossEntropyLoss()\nloss(model(torch.randn(2, 4)), torch.tensor([0, 1]))\n"
)


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PRE_COMMIT_HOME": str(folder / ".home"), "GIT_CONFIG_GLOBAL": os.devnull}
    return subprocess.run(words, cwd=folder, env=variables, capture_output=True, text=True, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A work tree with the hook as the manifest has it, except that bugloss is not installed once more for it."""
    (hook,) = yaml.safe_load(MANIFEST.read_text())
    here = {**hook, "language": "system", "entry": hook["entry"].replace("bugloss", f"{sys.executable} -m bugloss", 1)}
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": [here]}]}))
    run("git", "init", "-q", folder=tmp_path)
    return tmp_path


def test_the_manifest_is_valid(tmp_path: Path) -> None:
    done = run(sys.executable, "-m", "pre_commit", "validate-manifest", str(MANIFEST), folder=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("program", "code", "words"),
    [(FAULTY, 1, "head-loss-mismatch"), (FAULTY.replace(", nn.Softmax(dim=1)", ""), 0, "Passed")],
    ids=["faulty", "clean"],
)
def test_a_commit_with_a_bug_is_stopped(project: Path, program: str, code: int, words: str) -> None:
    (project / "train.py").write_text(program)
    (project / "notes.txt").write_text("not Python")
    run("git", "add", "-A", folder=project)
    done = run(sys.executable, "-m", "pre_commit", "run", "bugloss-check", folder=project)
    assert (done.returncode, words in done.stdout) == (code, True), done.stdout + done.stderr
