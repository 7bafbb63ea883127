"""Real builds with uv, and what is said when they fail."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from wheelhouse import write_wheel

from bugloss.core.errors import BuildFailed, MissingInterpreter, Offline
from bugloss.run import build as builder
from bugloss.run.build import build, find_uv
from bugloss.run.interpreters import PythonInterpreter, find_interpreter
from bugloss.stacks.stack import Stack

Notes = list[str]


@pytest.fixture
def interpreter() -> PythonInterpreter:
    return find_interpreter(("3.11", "3.12", "3.13"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "environments" / "0123456789abcdef"


def make(folder: Path, interpreter: PythonInterpreter, stack: Stack, *, offline: bool = False) -> tuple[str, Notes]:
    notes: Notes = []
    return build(folder, interpreter, stack, offline=offline, notify=notes.append), notes


def ask(folder: Path, code: str) -> str:
    command = [str(folder / "bin" / "python"), "-c", code]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.strip()


def test_uv_builds_an_environment_whose_packages_import(
    folder: Path, interpreter: PythonInterpreter, tiny_stack: Stack
) -> None:
    name, notes = make(folder, interpreter, tiny_stack)
    assert name == "uv"
    assert ask(folder, "import tinypack; print(tinypack.answer)") == "42"
    assert ask(folder, "import sys; print('.'.join(map(str, sys.version_info[:3])))") == interpreter.version
    assert notes[0] == "resolving 1 package"
    assert notes[-1] == "compiling bytecode"


def test_bytecode_is_there_after_a_build_even_where_the_shell_forbids_it(
    folder: Path, interpreter: PythonInterpreter, tiny_stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With PYTHONDONTWRITEBYTECODE=1, set in many shells, each import of TensorFlow costs seconds more."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    make(folder, interpreter, tiny_stack)
    assert list(folder.glob("lib/*/site-packages/__pycache__/tinypack.*.pyc"))


def test_the_commands_and_their_words_are_kept_in_a_log_beside_the_folder(
    folder: Path, interpreter: PythonInterpreter, tiny_stack: Stack
) -> None:
    make(folder, interpreter, tiny_stack)
    log = folder.with_name(f"{folder.name}.log").read_text()
    assert log.startswith("$ ")
    assert "pip compile" in log
    assert "pip sync" in log


def test_wheels_that_only_a_configuration_file_of_pip_names_are_found_by_uv(
    folder: Path,
    interpreter: PythonInterpreter,
    tiny_stack: Stack,
    wheels: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PIP_FIND_LINKS")
    with pytest.raises(BuildFailed):
        make(folder, interpreter, tiny_stack)
    configuration = tmp_path / "pip.conf"
    configuration.write_text(f"[global]\nfind-links = {wheels}\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(configuration))
    make(folder.with_name("second"), interpreter, tiny_stack)
    assert ask(folder.with_name("second"), "import tinypack; print(tinypack.answer)") == "42"


def test_the_users_own_variable_for_uv_wins_in_a_real_build(
    folder: Path, interpreter: PythonInterpreter, tiny_stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    write_wheel(tmp_path / "other", "tinypack", "1.0", "answer = 'from the folder for uv'\n")
    monkeypatch.setenv("UV_FIND_LINKS", str(tmp_path / "other"))
    make(folder, interpreter, tiny_stack)
    assert ask(folder, "import tinypack; print(tinypack.answer)") == "from the folder for uv"


@pytest.mark.parametrize("packages", [("no-such-package==1.0",), ("tinypack==99.0",)])
def test_a_package_that_does_not_exist_is_named_in_one_readable_sentence(
    folder: Path, interpreter: PythonInterpreter, tiny_stack: Stack, packages: tuple[str, ...]
) -> None:
    with pytest.raises(BuildFailed) as caught:
        make(folder, interpreter, replace(tiny_stack, packages=packages))
    message = caught.value.message
    assert message.startswith("the stack 'tiny-one' could not be built: ")
    assert packages[0].partition("==")[0] in message
    assert len(message) < 400
    assert "\n" not in message
    assert str(folder.with_name(f"{folder.name}.log")) in caught.value.hint


def test_packages_that_contradict_each_other_are_a_failed_build(
    folder: Path, interpreter: PythonInterpreter, tiny_stack: Stack
) -> None:
    with pytest.raises(BuildFailed, match="tinypack"):
        make(folder, interpreter, replace(tiny_stack, packages=("tinypack==1.0", "tinypack==2.0")))


def test_offline_with_nothing_cached_says_what_to_do_with_a_network(
    folder: Path, interpreter: PythonInterpreter, tiny_stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    with pytest.raises(Offline) as caught:
        make(folder, interpreter, replace(tiny_stack, packages=("six==1.17.0",)), offline=True)
    assert "bugloss env build tiny-one" in caught.value.hint


def test_offline_still_builds_from_wheels_on_this_machine(
    folder: Path, interpreter: PythonInterpreter, tiny_stack: Stack
) -> None:
    make(folder, interpreter, tiny_stack, offline=True)
    assert ask(folder, "import tinypack; print(tinypack.answer)") == "42"


def test_an_index_that_cannot_be_reached_is_offline_and_no_failed_build(
    folder: Path, interpreter: PythonInterpreter, tiny_stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = free.getsockname()[1]
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{closed}/simple")
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    with pytest.raises(Offline, match="its packages have to be downloaded"):
        make(folder, interpreter, replace(tiny_stack, packages=("six==1.17.0",)))


@pytest.mark.stack
@pytest.mark.parametrize("version", ["3.6", "3.7", "3.8"])
def test_uv_builds_for_old_interpreters_too(folder: Path, tiny_stack: Stack, version: str) -> None:
    try:
        old = find_interpreter((version,))
    except MissingInterpreter as error:
        pytest.skip(f"not run: {error.message} {error.hint}")
    make(folder, old, tiny_stack)
    assert ask(folder, "import sys, tinypack; print('%d.%d' % sys.version_info[:2])") == version


def test_uv_beside_the_interpreter_is_taken_before_the_one_on_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("beside", "on-path"):
        program(tmp_path / place / "uv", "exit 0")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "beside" / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "on-path"))
    assert find_uv() == str(tmp_path / "beside" / "uv")
    (tmp_path / "beside" / "uv").unlink()
    assert find_uv() == str(tmp_path / "on-path" / "uv")


# What uv is asked, seen by a program that stands in for it.


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def listening_uv(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Writes down its arguments; the lock it leaves holds one wheel of two gigabytes."""
    words, refused = tmp_path / "asked", tmp_path / "refused"
    lock = (
        'printf \'[[packages]]\\nname = "a"\\nwheels = [{ url = "http://127.0.0.1:9/a.whl", size = 2000000000 }]\\n\''
    )
    text = f'echo "$@" >> {words}\ncase "$*" in\n  *$(cat {refused})*) exit 1;;\nesac\n'
    text += f'while [ $# -gt 1 ]; do [ "$1" = -o ] && {lock} > "$2"; shift; done\n'
    text += f"mkdir -p {folder}/bin; ln -sf /bin/true {folder}/bin/python"
    uv = program(tmp_path / "fake" / "uv", text)
    monkeypatch.setattr(builder, "find_uv", lambda: str(uv))
    refused.write_text("nothing at all")
    return words


TORCH = Stack("torchy", "with torch", ("3.11",), ("torch==2.13.0",), 1, 1)


def asked(folder: Path, interpreter: PythonInterpreter, words: Path, stack: Stack) -> tuple[list[str], Notes]:
    _, notes = make(folder, interpreter, stack)
    return words.read_text().splitlines(), notes


def test_the_cpu_build_of_torch_is_asked_for(
    folder: Path, interpreter: PythonInterpreter, no_index: Path, listening_uv: Path
) -> None:
    commands, _ = asked(folder, interpreter, listening_uv, TORCH)
    assert [("--torch-backend cpu" in command) for command in commands] == [False, True, False]


def test_an_index_without_cpu_builds_is_asked_again_without_them(
    folder: Path, interpreter: PythonInterpreter, no_index: Path, listening_uv: Path
) -> None:
    listening_uv.with_name("refused").write_text("--torch-backend")
    commands, _ = asked(folder, interpreter, listening_uv, TORCH)
    assert [("pip compile" in command, "--torch-backend" in command) for command in commands[1:3]] == [
        (True, True),
        (True, False),
    ]


@pytest.mark.parametrize("prefix", ["", "file://"])
def test_a_cpu_wheel_in_a_folder_of_this_machine_is_enough(
    folder: Path,
    interpreter: PythonInterpreter,
    no_index: Path,
    listening_uv: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    prefix: str,
) -> None:
    (tmp_path / "local").mkdir()
    (tmp_path / "local" / "torch-2.13.0+cpu-cp311-cp311-linux_x86_64.whl").touch()
    monkeypatch.setenv("PIP_FIND_LINKS", f"{prefix}{tmp_path / 'local'}")
    commands, _ = asked(folder, interpreter, listening_uv, TORCH)
    assert not any("--torch-backend" in command for command in commands)


def test_stacks_without_torch_are_resolved_once(
    folder: Path, interpreter: PythonInterpreter, listening_uv: Path, tiny_stack: Stack
) -> None:
    commands, _ = asked(folder, interpreter, listening_uv, tiny_stack)
    assert not any("--torch-backend" in command for command in commands)


def test_a_download_of_more_than_a_gigabyte_is_said_before_it_starts(
    folder: Path, interpreter: PythonInterpreter, no_index: Path, listening_uv: Path
) -> None:
    _, notes = asked(folder, interpreter, listening_uv, TORCH)
    assert any("2.0 GB" in note for note in notes)
    assert "2.0 GB" in notes[1], "said after resolving and before anything is installed"


def test_an_interpreter_is_never_downloaded(
    folder: Path, interpreter: PythonInterpreter, no_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen"
    uv = program(tmp_path / "fake" / "uv", f'echo "$UV_PYTHON_DOWNLOADS:$VIRTUAL_ENV" > {seen}; exit 1')
    monkeypatch.setattr(builder, "find_uv", lambda: str(uv))
    monkeypatch.setenv("VIRTUAL_ENV", "/some/venv")
    with pytest.raises(BuildFailed, match="no output"):
        make(folder, interpreter, TORCH)
    assert seen.read_text().strip() == "never:"
