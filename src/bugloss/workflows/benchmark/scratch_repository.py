"""A program as a git repository of our own: to rank its files, and to apply a patch to it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.written_file import write_inside
from bugloss.corpus.unified_diff import bug_files

_SECONDS = 60
_PLAIN = ("-c", "core.hooksPath=/dev/null", "-c", "user.name=bugloss", "-c", "user.email=bugloss@localhost")


def lay_out_program(program: Path, folder: Path) -> None:
    """Copies the files of a program into an empty folder; a git folder, which can name programs, stays behind."""
    for file, _ in bug_files(program).files:
        if ".git" in file.name.lower().split("/"):
            continue
        write_inside(folder, file.name, file.read_bytes())


def commit_all(folder: Path) -> None:
    """Makes a repository of a folder, with one commit."""
    _git(folder, "init", "-q")
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", "The program")


def apply_diff(folder: Path, diff: str) -> None:
    """Applies a unified diff to a folder; raises ``InvalidInput`` where it does not fit."""
    done = _run(folder, "apply", "--whitespace=nowarn", "-p1", "-", given=diff if diff.endswith("\n") else f"{diff}\n")
    if done.returncode:
        raise InvalidInput(f"the patch does not apply: {' '.join(done.stderr.split())[:200]}")


def _git(folder: Path, *words: str) -> None:
    done = _run(folder, *words)
    if done.returncode:
        raise EnvironmentFailure(f"git {words[0]} failed: {' '.join(done.stderr.split())[:200]}")


def _run(folder: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Git without any configuration, so that nothing but git is started."""
    variables = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "GIT_CEILING_DIRECTORIES": str(folder),
    }
    variables |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    try:
        return subprocess.run(
            ["git", *_PLAIN, *words], cwd=folder, env=variables, input=given, capture_output=True, text=True,
            timeout=_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EnvironmentFailure("git cannot be run.", hint="Install git.") from error
