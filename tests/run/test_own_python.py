"""An interpreter of the user's own as an environment."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.run import Limits
from bugloss.run import sandbox
from bugloss.run.execute import Job, execute
from bugloss.run.own_python import describe, own_interpreter


def test_it_says_what_it_is_and_has() -> None:
    own = describe(sys.executable, ["pytest", "json", "no_such_module"])
    assert own.modules == {"pytest", "json"}
    assert own.environment.python_version == ".".join(map(str, sys.version_info[:3]))
    assert own.release("pytest") == pytest.__version__
    assert own.release("no-such-package") is None
    assert own.environment.stack == ""


def test_the_home_folder_is_never_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A .pth file may put any folder on the path, also the one that holds everything."""
    site = tmp_path / "lib"
    site.mkdir()
    from bugloss.run import own_python

    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "project").mkdir(parents=True)
    folders = [tmp_path / "home", tmp_path, tmp_path / "home" / "project", site]
    shown = list(own_python._shown(folders, [site]))
    assert shown == [str(tmp_path / "home" / "project")]


def test_what_is_no_interpreter_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        describe(str(tmp_path / "python"))
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    with pytest.raises(EnvironmentFailure):
        describe(str(broken))


def test_the_active_virtual_environment_comes_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").touch()
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path))
    assert own_interpreter() == (str(tmp_path / "bin" / "python"), "the active virtual environment")
    monkeypatch.delenv("VIRTUAL_ENV")
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    assert own_interpreter()[1] == "the interpreter on PATH"


@pytest.mark.bubblewrap
def test_a_program_runs_with_it_sandboxed_and_has_its_packages(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import pytest, os, sys; print(pytest.__version__, os.listdir('/subject/home'))\n"
    )
    job = Job({"program.py": tmp_path / "program.py"}, "program.py", limits=Limits(wall_seconds=60))
    run = execute(job, describe(sys.executable).environment, sandbox.isolation("bubblewrap"))
    assert run.exit_code == 0, run.stderr.text
    assert run.stdout.text.startswith(pytest.__version__)
