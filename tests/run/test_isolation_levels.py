"""Which isolation level is chosen, awkward places, and ordinary users."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sandboxed_programs import FORK, said

import bugloss
from bugloss.core.errors import InvalidInput, SandboxUnavailable
from bugloss.core.run import Isolation, Run
from bugloss.run import sandbox
from bugloss.run.environment import Environment
from bugloss.run.execute import Job, execute
from bugloss.run.sandbox import bubblewrap as bubblewrap_level

Runner = Callable[..., Run]


bubblewrap = pytest.mark.bubblewrap


# Which level.


def test_the_best_level_that_works_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BUGLOSS_ISOLATION", raising=False)
    works = [name for name in sandbox.LEVELS if name == "limits" or sandbox.works(name)]
    assert sandbox.isolation().level == works[0]


def test_the_level_can_be_asked_for_by_argument_or_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sandbox.isolation("limits").level == "limits"
    monkeypatch.setenv("BUGLOSS_ISOLATION", "limits")
    assert sandbox.isolation().level == "limits"


def test_a_level_that_does_not_exist_is_refused_and_the_known_ones_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match="no isolation level 'docker'") as caught:
        sandbox.isolation("docker")
    assert caught.value.hint == "Known: bubblewrap, namespaces, limits."
    monkeypatch.setenv("BUGLOSS_ISOLATION", "none")
    with pytest.raises(InvalidInput):
        sandbox.isolation()


@pytest.fixture
def bare_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A PATH with nothing on it, and no memory of what worked before."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    for remembered in (sandbox.works, sandbox.best_level):
        remembered.cache_clear()
    yield folder
    for remembered in (sandbox.works, sandbox.best_level):
        remembered.cache_clear()


def program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_without_its_programs_only_limits_are_left_and_the_others_are_refused(bare_path: Path) -> None:
    assert sandbox.isolation().level == "limits"
    for name in ("bubblewrap", "namespaces"):
        with pytest.raises(SandboxUnavailable, match=f"'{name}' does not work on this machine") as caught:
            sandbox.isolation(name)
        assert "apt-get install bubblewrap" in caught.value.hint


@pytest.mark.parametrize("text", ["echo 'bwrap: No permissions to create new namespace' >&2; exit 1", "kill -9 $$"])
def test_a_bubblewrap_that_is_there_but_does_not_work_is_passed_over(bare_path: Path, text: str) -> None:
    program(bare_path / "bwrap", text)
    program(bare_path / "unshare", text)
    program(bare_path / "setpriv", "exit 0")
    assert sandbox.isolation().level == "limits"
    with pytest.raises(SandboxUnavailable):
        sandbox.isolation("bubblewrap")


def test_limits_need_no_program_of_the_system(run: Runner, bare_path: Path) -> None:
    assert "resource limits" in sandbox.isolation("limits").guarantees
    text = "import json, resource; print(json.dumps(resource.getrlimit(resource.RLIMIT_FSIZE)))"
    assert said(run(text, "limits", file_megabytes=4)) == [4 * 2**20, 4 * 2**20]


def test_a_program_that_vanished_since_is_an_error_and_no_run(run: Runner, bare_path: Path) -> None:
    for name in ("bubblewrap", "namespaces"):
        with pytest.raises(SandboxUnavailable, match="is no longer installed"):
            run("print(1)", Isolation(name))


def test_the_level_and_its_promises_are_recorded_in_the_run(run: Runner, level: Isolation) -> None:
    assert run("", level).isolation == level
    assert "resource limits" in level.guarantees


# Awkward places.


@pytest.mark.parametrize("name", ["with space", "with=equals", "mit-ümlaut", "library"])
def test_a_cache_folder_may_have_any_name(
    level: Isolation, environment: Environment, tmp_path: Path, name: str
) -> None:
    """The variables were once set by env(1), which takes a path with an equals sign for another variable."""
    place = tmp_path / name / Path(environment.path).name
    shutil.copytree(environment.path, place, symlinks=True)
    (tmp_path / "program.py").write_text("import sys; print('\"' + sys.prefix + '\"')")
    moved = replace(environment, path=str(place), python=str(place / "bin" / "python"))
    job = Job({"program.py": tmp_path / "program.py"}, "program.py")
    assert said(execute(job, moved, level)) == str(place)


def test_folders_whose_names_begin_like_those_of_the_system_can_be_entered() -> None:
    """/library begins like /lib: folders above it were left to bubblewrap, which closes them to other users."""
    assert bubblewrap_level._ancestors([Path("/library/cache/x"), Path("/usr/lib/python3/x")]) == [
        "/library",
        "/library/cache",
    ]


# As an ordinary user.

ORDINARY = """
import json, os, sys, threading, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from bugloss.core.run import Limits
from bugloss.run import sandbox
from bugloss.run.environment import Environment
from bugloss.run.execute import Job, execute

top = Path(sys.argv[2])
place = top / "environment"
(place / "bin").mkdir(parents=True)
real = Path(sys.executable).resolve()
(place / "bin" / "python").symlink_to(real)
(place / "pyvenv.cfg").write_text("home = %s\\n" % real.parent)
version = ".".join(map(str, sys.version_info[:3]))
python = str(place / "bin" / "python")
environment = Environment("0" * 16, "bare", python, version, sys.base_prefix, str(place), (), {}, 0.1, 1, "hand")

# A user with more threads than a program may have: the browser's must not count as the program's.
for _ in range(60):
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()

found = {"user": os.getuid()}
for level in sandbox.LEVELS:
    if level != "limits" and not sandbox.works(level):
        found[level] = "does not work"
        continue
    answers = []
    for text in sys.argv[3:]:
        (top / "program.py").write_text(text)
        limits = Limits(wall_seconds=30, memory_megabytes=400, processes=30)
        run = execute(Job({"program.py": top / "program.py"}, "program.py", limits=limits), environment,
                      sandbox.isolation(level))
        answers.append([run.outcome.value, run.stdout.text.strip() or run.stderr.text[-300:]])
    found[level] = answers
print(json.dumps(found))
"""
MANY_THREADS = """
import threading
for _ in range(5):
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
print("ok")
"""
WRITE_SYSTEM = "open('/usr/bin/written-by-a-subject', 'w')"


@pytest.mark.skipif(os.geteuid() != 0, reason="the other tests run as an ordinary user already")
def test_an_ordinary_user_gets_the_same_levels() -> None:
    become = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    source = str(Path(bugloss.__file__).parent.parent)
    with tempfile.TemporaryDirectory() as top:
        os.chown(top, 65534, 65534)
        variables = {"PATH": "/usr/bin:/bin", "HOME": top, "TMPDIR": top}
        # setpriv starts also what the user could not: the interpreter must be readable to the user itself.
        look = (
            f"import sys; sys.path.insert(0, {source!r}); sys.dont_write_bytecode = True; import bugloss.run.execute; "
        )
        look += "open(sys.executable, 'rb').close()"
        for python in (str(Path(sys.executable).resolve()), "/usr/bin/python3"):
            try:
                probe = [*become, python, "-c", look]
                done = subprocess.run(probe, env=variables, capture_output=True, text=True, cwd="/", check=False)
            except OSError as error:
                pytest.skip(f"setpriv cannot be used: {error}")
            if done.returncode == 0:
                break
        else:
            pytest.skip(f"no interpreter and checkout that user 65534 may read: {done.stderr[-200:]}")
        command = [*become, python, "-c", ORDINARY, source, top, FORK, WRITE_SYSTEM, MANY_THREADS]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, cwd="/", check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.pop("user") == 65534
    assert set(found) == set(sandbox.LEVELS)
    working = {name: answers for name, answers in found.items() if answers != "does not work"}
    assert "limits" in working
    for name, (forks, write, threads) in working.items():
        assert forks[0] == "finished", (name, forks)
        assert 10 < int(forks[1]) < 40, name
        assert write[0] == "raised", name
        assert threads == ["finished", "ok"], name
    if "bubblewrap" not in working:
        pytest.skip("the levels that work were tested; bubblewrap is closed to ordinary users here")


def test_a_strangers_program_does_not_run_where_nothing_protects_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BUGLOSS_ISOLATION", raising=False)
    monkeypatch.setattr(sandbox, "best_level", lambda: "limits")
    with pytest.raises(SandboxUnavailable, match="keeps it from reading your files") as caught:
        sandbox.isolation_for_untrusted()
    assert "--isolation limits" in caught.value.hint
    assert sandbox.isolation_for_untrusted("limits").level == "limits"  # who names it knows


@bubblewrap
def test_a_strangers_program_runs_in_bubblewrap() -> None:
    assert sandbox.isolation_for_untrusted().level == "bubblewrap"
