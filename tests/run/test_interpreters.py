"""Interpreters are found where people keep them, and believed only when they answer."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from bugloss.core.errors import MissingInterpreter
from bugloss.run import interpreters
from bugloss.run.interpreters import PythonInterpreter, ask, candidates, find_interpreter

REAL = Path(sys.executable).resolve()
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
FULL = ".".join(map(str, sys.version_info[:3]))


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any Python: empty PATH, empty home; the interpreter of this test is hidden too."""
    home = tmp_path / "home"
    (home / "bin").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", str(home / "bin"))
    for name in ("PYENV_ROOT", "UV_PYTHON_INSTALL_DIR", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "executable", str(home / "no-python"))
    return home


def link(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(REAL)
    return path


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def pretend(path: Path, version: list[int], implementation: str = "CPython") -> Path:
    """Something that answers our question as an interpreter of that version would."""
    answer = f'[{version}, "{implementation}", "{path}", "{path.parent.parent}"]'
    return script(path, f"echo '{answer}'")


def test_an_interpreter_on_path_is_found(nowhere: Path) -> None:
    link(nowhere / "bin" / f"python{VERSION}")
    found = find_interpreter((VERSION,))
    assert found == PythonInterpreter(REAL, FULL, "CPython", Path(sys.base_prefix).resolve())


@pytest.mark.parametrize("name", ["python", "python3"])
def test_an_interpreter_on_path_need_not_carry_its_version_in_its_name(nowhere: Path, name: str) -> None:
    link(nowhere / "bin" / name)
    assert find_interpreter((VERSION,)).version == FULL


@pytest.mark.parametrize(
    ("variable", "place"),
    [
        (None, f".pyenv/versions/{FULL}"),
        ("PYENV_ROOT", f"versions/{FULL}"),
        (None, f".local/share/uv/python/cpython-{FULL}-linux-x86_64-gnu"),
        ("UV_PYTHON_INSTALL_DIR", f"cpython-{FULL}-linux-x86_64-gnu"),
        (None, "miniconda3"),
        (None, "miniforge3/envs/some-name"),
        (None, ".conda/envs/other"),
        ("CONDA_PREFIX", "."),
        ("CONDA_PREFIX", "envs/third"),
    ],
)
def test_an_interpreter_is_found_in_the_folders_of_pyenv_uv_and_conda(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, variable: str | None, place: str
) -> None:
    base = nowhere
    if variable:
        base = nowhere / "elsewhere"
        monkeypatch.setenv(variable, str(base))
    link(base / place / "bin" / f"python{VERSION}")
    assert find_interpreter((VERSION,)).path == REAL


def test_a_shim_that_answers_127_is_passed_over(nowhere: Path) -> None:
    script(nowhere / "bin" / f"python{VERSION}", "echo 'pyenv: command not found' >&2; exit 127")
    assert_missing(VERSION)
    link(nowhere / ".pyenv" / "versions" / FULL / "bin" / f"python{VERSION}")
    assert find_interpreter((VERSION,)).path == REAL


@pytest.mark.parametrize(
    "text", ["echo hello", "exit 0", "kill -9 $$", "echo '[]'", "echo '{}'", "echo '[[3],\"CPython\"]'"]
)
def test_what_does_not_answer_like_an_interpreter_is_none(tmp_path: Path, text: str) -> None:
    assert ask(script(tmp_path / "python", text)) is None


def test_files_and_folders_that_do_not_run_are_none(nowhere: Path) -> None:
    (nowhere / "bin" / f"python{VERSION}").mkdir()
    (nowhere / "bin" / "python3").write_text("no program")
    (nowhere / "bin" / "python").symlink_to(nowhere / "gone")
    assert_missing(VERSION)


def test_an_interpreter_of_another_version_is_not_taken(nowhere: Path) -> None:
    pretend(nowhere / "bin" / "python3.9", [3, 99, 1])
    assert_missing("3.9")
    pretend(nowhere / "bin" / "python3.99", [3, 99, 1])
    assert find_interpreter(("3.99",)).version == "3.99.1"


def test_the_first_wanted_version_wins_over_the_first_on_path(nowhere: Path) -> None:
    pretend(nowhere / "bin" / "python3.98", [3, 98, 0])
    pretend(nowhere / ".pyenv" / "versions" / "3.99.0" / "bin" / "python3.99", [3, 99, 0])
    assert find_interpreter(("3.99", "3.98")).version == "3.99.0"
    assert find_interpreter(("3.97", "3.98")).version == "3.98.0"


def test_the_newest_patch_release_of_pyenv_is_taken_by_number_and_not_by_letter(nowhere: Path) -> None:
    for patch in (2, 10, 9):
        pretend(nowhere / ".pyenv" / "versions" / f"3.99.{patch}" / "bin" / "python3.99", [3, 99, patch])
    assert find_interpreter(("3.99",)).version == "3.99.10"


@pytest.mark.parametrize("other", ["PyPy", "GraalVM", "CPython-nogil"])
def test_only_cpython_with_its_lock_is_taken_because_stacks_are_pinned_for_its_wheels(
    nowhere: Path, other: str
) -> None:
    """pyenv sorts pypy3.7-7.3 before 3.7.4, and 3.13.0t beside 3.13.0: neither installs a stack's wheels."""
    pretend(nowhere / ".pyenv" / "versions" / "other3.99-7.3" / "bin" / "python3.99", [3, 99, 4], other)
    assert_missing("3.99")
    pretend(nowhere / ".pyenv" / "versions" / "3.99.4" / "bin" / "python3.99", [3, 99, 4])
    assert find_interpreter(("3.99",)).implementation == "CPython"


def test_links_are_followed_to_the_real_installation(nowhere: Path) -> None:
    """uv puts links to its interpreters into ~/.local/bin: an environment on such a link is broken in the sandbox."""
    prefix = nowhere / "linked-prefix"
    prefix.symlink_to(Path(sys.base_prefix))
    (nowhere / "bin" / f"python{VERSION}").symlink_to(prefix / "bin" / f"python{VERSION}")
    found = find_interpreter((VERSION,))
    assert (found.path, found.prefix) == (REAL, Path(sys.base_prefix).resolve())


def test_of_a_virtual_environment_the_interpreter_below_it_is_taken(nowhere: Path) -> None:
    venv.create(nowhere / "venv", symlinks=True)
    found = ask(nowhere / "venv" / "bin" / "python")
    assert found is not None
    assert (found.path, found.prefix) == (REAL, Path(sys.base_prefix).resolve())


def test_the_interpreter_that_runs_bugloss_counts_even_when_it_is_not_on_path(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(REAL))
    assert find_interpreter((VERSION,)).path == REAL


def test_python_variables_of_the_shell_do_not_reach_the_question(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONHOME", "/nonexistent")
    assert ask(link(nowhere / "bin" / "python-with-home")) is not None


@pytest.mark.parametrize(
    ("version", "command"),
    [
        ("3.8", "uv python install 3.8"),
        ("3.13", "uv python install 3.13"),
        ("3.7", "pyenv install 3.7"),  # uv serves nothing older than 3.8
        ("3.6", "pyenv install 3.6"),
    ],
)
def test_a_missing_interpreter_names_the_exact_command_that_gets_it(nowhere: Path, version: str, command: str) -> None:
    with pytest.raises(MissingInterpreter) as caught:
        find_interpreter((version,))
    assert caught.value.hint.startswith(f"Install it: {command} ")
    assert f"no Python {version} was found" in caught.value.message


def test_a_missing_interpreter_names_every_version_that_would_do(nowhere: Path) -> None:
    with pytest.raises(MissingInterpreter, match=r"no Python 3\.98 or 3\.99 was found"):
        find_interpreter(("3.98", "3.99"))


def test_each_candidate_is_offered_once(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link(nowhere / "bin" / f"python{VERSION}")
    monkeypatch.setenv("PATH", f"{nowhere / 'bin'}::{nowhere / 'bin'}:/nonexistent")
    assert list(candidates(VERSION)) == [nowhere / "bin" / f"python{VERSION}"]


def test_a_user_without_a_home_can_still_look(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(interpreters.Path, "home", no_home)
    assert_missing(VERSION)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_folder_on_path_that_may_not_be_entered_is_passed_over(tmp_path: Path) -> None:
    """Under sudo or in a container PATH may name folders of another user: Path.exists raises there."""
    closed = tmp_path / "closed"
    (closed / "bin").mkdir(parents=True)
    closed.chmod(0o700)
    look = f"import sys; sys.path[:0] = {sys.path!r}; from bugloss.run.interpreters import candidates; "
    look += "import os; os.setgroups([]); os.setgid(65534); os.setuid(65534); print(list(candidates('3.99')))"
    environment = {"PATH": str(closed / "bin"), "HOME": str(closed)}
    done = subprocess.run([sys.executable, "-c", look], env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def assert_missing(version: str) -> None:
    with pytest.raises(MissingInterpreter):
        find_interpreter((version,))
