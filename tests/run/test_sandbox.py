"""Each level keeps its promises, and none is promised that the machine cannot keep."""

from __future__ import annotations

import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

import bugloss
from bugloss.core.errors import InvalidInput, SandboxUnavailable
from bugloss.core.run import Isolation, Outcome, Run
from bugloss.run import sandbox
from bugloss.run.environment import Environment
from bugloss.run.execute import Job, execute
from bugloss.run.sandbox import bubblewrap as bubblewrap_level

Runner = Callable[..., Run]
bubblewrap = pytest.mark.bubblewrap


def said(run: Run) -> object:
    """What a program printed as JSON; its traceback where it did not come that far."""
    assert run.outcome is Outcome.FINISHED, run.stderr.text
    return json.loads(run.stdout.text)


# No network.


@pytest.fixture
def listener() -> Iterator[tuple[int, list[object]]]:
    """A port on loopback, and who came."""
    visits: list[object] = []
    server = socket.create_server(("127.0.0.1", 0))

    def welcome() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            visits.append(connection.getpeername())
            connection.close()

    thread = threading.Thread(target=welcome)
    thread.start()
    yield server.getsockname()[1], visits
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join()


CONNECT = """
import json, socket, sys
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=2).close()
    print(json.dumps("reached"))
except OSError as error:
    print(json.dumps("cut off"))
"""


def test_a_listener_on_loopback_is_out_of_reach_exactly_where_no_network_is_promised(
    run: Runner, level: Isolation, listener: tuple[int, list[object]]
) -> None:
    port, visits = listener
    answer = said(run(CONNECT, level, str(port)))
    promised = "no network" in level.guarantees
    assert answer == ("cut off" if promised else "reached")
    assert len(visits) == (0 if promised else 1)
    assert promised or level.level == "limits"


# A read-only view of the system, and nothing of the user's.

WRITE = """
import json, os, sys
written = []
for folder in sys.argv[1:]:
    try:
        with open(os.path.join(folder, "written-by-a-subject"), "w"):
            written.append(folder)
    except OSError:
        pass
print(json.dumps(written))
"""


@bubblewrap
def test_the_system_and_the_environment_are_read_only(run: Runner, environment: Environment) -> None:
    places = ["/", "/usr", "/usr/lib", "/etc", "/proc", "/subject", environment.path, environment.prefix]
    assert said(run(WRITE, "bubblewrap", *places)) == []
    for place in (*places, "/dev"):
        assert not Path(place, "written-by-a-subject").exists()


def test_a_program_may_write_to_its_own_folders(run: Runner, level: Isolation) -> None:
    text = "import os\nfor place in ('.', os.environ['HOME'], os.environ['TMPDIR']):\n"
    text += "    open(os.path.join(place, 'mine'), 'w').write('x')\nprint(1)"
    assert said(run(text, level)) == 1


@bubblewrap
@pytest.mark.parametrize("place", ["/tmp", "/dev/shm", "/var/tmp"])
def test_what_is_written_to_shared_folders_stays_inside(run: Runner, place: str) -> None:
    """As root the program gets another user id, to which bubblewrap's own folders were closed."""
    text = f"open('{place}/bugloss-test-trace', 'w').write('x'); print(1)"
    ended = run(text, "bubblewrap")
    assert ended.outcome is (Outcome.RAISED if place == "/var/tmp" else Outcome.FINISHED), ended.stderr.text
    assert not Path(place, "bugloss-test-trace").exists()


@bubblewrap
def test_shared_folders_have_a_limit(run: Runner) -> None:
    text = "for n in range(8):\n    with open('/tmp/%d' % n, 'wb') as part:\n        part.write(bytes(2**20))"
    ended = run(text, "bubblewrap", disk_megabytes=12)
    assert ended.exception is not None
    assert "No space left" in ended.exception.message


@bubblewrap
def test_files_of_the_user_are_not_there(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("token")
    home = str(Path.home())
    text = "import json, os, sys; print(json.dumps([os.path.exists(sys.argv[1]), sorted(os.listdir('/'))]))"
    seen, top = said(run(text, "bubblewrap", str(tmp_path / "secret")))  # type: ignore[misc]
    assert not seen
    assert not {"home", "var", "mnt", "srv", "run", "work"} & set(top) - {Path(home).parts[1]}


def test_variables_of_the_shell_do_not_reach_the_program(
    run: Runner, level: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/somewhere")
    variables = said(run("import json, os; print(json.dumps(dict(os.environ)))", level))
    assert isinstance(variables, dict)
    assert not {"AWS_SECRET_ACCESS_KEY", "PYTHONPATH", "LD_LIBRARY_PATH", "BUGLOSS_CACHE"} & variables.keys()
    assert variables["USER"] == "subject"


def test_the_home_is_a_scratch_folder(run: Runner, level: Isolation) -> None:
    home = said(run("import json, os; print(json.dumps(os.path.expanduser('~')))", level))
    assert home not in {str(Path.home()), "/"}
    assert not Path(str(home)).exists()


@bubblewrap
def test_root_is_nobody_inside(run: Runner) -> None:
    text = "import json, os; s = open('/proc/self/status').read(); print(json.dumps([os.getuid(), os.getgroups(), "
    text += "[line.split()[1] for line in s.splitlines() if line.startswith(('CapEff', 'CapBnd', 'NoNewPrivs'))]]))"
    user, groups, (effective, bounding, no_new_privileges) = said(run(text, "bubblewrap"))  # type: ignore[misc]
    assert user != 0
    assert int(effective, 16) == 0
    assert no_new_privileges == "1"
    if os.geteuid() == 0:
        assert groups == []
        assert int(bounding, 16) == 0


@bubblewrap
def test_processes_outside_are_out_of_sight(run: Runner) -> None:
    text = "import json, os; print(json.dumps([name for name in os.listdir('/proc') if name.isdigit()]))"
    processes = said(run(text, "bubblewrap"))
    assert isinstance(processes, list)
    assert len(processes) < 5
    assert str(os.getpid()) not in processes


def test_semaphores_and_child_processes_work(run: Runner, level: Isolation) -> None:
    """PyTorch's data loader needs both; semaphores lie in /dev/shm."""
    text = "import multiprocessing\ndef double(x):\n    return 2 * x\nif __name__ == '__main__':\n"
    text += "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n        print(pool.map(double, [1, 2]))\n"
    assert said(run(text, level)) == [2, 4]


def test_the_oracle_can_measure_memory_at_every_level(run: Runner, level: Isolation) -> None:
    """It resets the peak through /proc, which a program without powers must be allowed for itself."""
    probe = (files("bugloss.probes") / "oracle.py").read_text(encoding="utf-8")
    text = "import oracle; print(round(oracle.peak_megabytes(lambda: bytearray(50 * 2**20))))"
    megabytes = said(run(text, level, files={"oracle.py": probe}))
    assert isinstance(megabytes, int)
    assert 45 < megabytes < 60


# Limits.

FORK = """
import os, time
children = []
try:
    while len(children) < 100:
        child = os.fork()
        if child == 0:
            time.sleep(60)
            os._exit(0)
        children.append(child)
except OSError:
    pass
print(len(children))
for child in children:
    os.kill(child, 9)
"""


@pytest.mark.parametrize("name", [pytest.param("bubblewrap", marks=bubblewrap), "namespaces", "limits"])
def test_processes_are_limited(run: Runner, name: str) -> None:
    if name != "bubblewrap" and os.geteuid() == 0:
        pytest.skip("the system does not limit root's processes; only bubblewrap runs as someone else")
    if name == "namespaces" and not sandbox.works(name):
        pytest.skip("namespaces cannot be made here")
    forked = said(run(FORK, name, processes=30))
    assert isinstance(forked, int)
    assert 10 < forked < 40


@bubblewrap
def test_parallel_runs_do_not_use_up_each_others_processes(run: Runner) -> None:
    ended: list[Run] = []
    text = FORK.replace("for child in children", "time.sleep(1)\nfor child in children")
    threads = [threading.Thread(target=lambda: ended.append(run(text, "bubblewrap", processes=30))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [int(str(said(one))) > 20 for one in ended] == [True, True]


def test_files_are_limited(run: Runner, level: Isolation) -> None:
    ended = run("open('big', 'wb').write(bytes(3 * 2**20))", level, file_megabytes=2)
    assert ended.outcome is Outcome.RAISED
    assert ended.exception is not None
    assert ended.exception.message.startswith("[Errno 27] File too large")


def test_memory_is_limited(run: Runner, level: Isolation) -> None:
    ended = run("x = bytearray(500 * 2**20)", level, memory_megabytes=300)
    assert ended.outcome is Outcome.OUT_OF_MEMORY


def test_no_core_file_is_left(run: Runner, level: Isolation) -> None:
    text = "import json, resource; print(json.dumps(resource.getrlimit(resource.RLIMIT_CORE)))"
    assert said(run(text, level)) == [0, 0]


def test_a_limit_above_what_this_process_may_set_is_lowered(monkeypatch: pytest.MonkeyPatch, run: Runner) -> None:
    """An ordinary user cannot raise a hard limit: prlimit would refuse, and nothing would run."""
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (2**30, 2**30))
    text = "import json, resource; print(json.dumps(resource.getrlimit(resource.RLIMIT_FSIZE)))"
    assert said(run(text, "limits", file_megabytes=4096)) == [2**30, 2**30]


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
