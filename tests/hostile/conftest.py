"""Fixtures that several modules of this folder use."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bad_files import FAULTY
from command_line import CommandLine
from host_files import (
    CANARY,
    KEY,
    OLD_NUMPY,
)
from other_user import User, user
from sandbox_levels import LEVELS


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    """A folder outside of everything, with a key, a module, a folder of them, and a pipe that nobody writes to."""
    folder = tmp_path / "private"
    folder.mkdir()
    (folder / "id_rsa").write_text(KEY)
    (folder / "settings.py").write_text(f"PASSWORD = '{CANARY}'\n" * 9)
    (folder / "torch.py").write_text(OLD_NUMPY + f"password = '{CANARY}'\n")
    os.mkfifo(folder / "pipe")
    return folder


@pytest.fixture(scope="module", params=["root", "ordinary"])
def caller(request: pytest.FixtureRequest) -> Iterator[User]:
    with user(request.param) as found:
        if isinstance(found, str):
            pytest.skip(found)
        yield found


@pytest.fixture(params=LEVELS)
def attack(caller: User, request: pytest.FixtureRequest) -> Callable[..., dict[str, Any]]:
    """Runs the text of a program at one level, as one user."""

    def run(text: str, *arguments: str, **limits: float) -> dict[str, Any]:
        job = {"level": request.param, "text": text, "arguments": arguments, "limits": limits}
        (ended,) = caller.run([job])
        if ended["outcome"] == "level does not work":
            pytest.skip(f"{request.param} does not work here for user {caller.name}")
        return ended

    run.level, run.user = request.param, caller.name  # type: ignore[attr-defined]
    return run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one file that has one finding."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "good.py").write_text(FAULTY)
    monkeypatch.chdir(project)
    return project


@pytest.fixture
def shell(folder: Path, tmp_path: Path) -> CommandLine:
    """The command line in that project."""
    (tmp_path / "home").mkdir()
    return CommandLine(folder, {"HOME": str(tmp_path / "home"), "NO_COLOR": "1"})
