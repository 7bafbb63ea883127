"""Each level keeps its promises, and none is promised that the machine cannot keep."""

from __future__ import annotations

import os
import resource
import socket
import threading
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from sandboxed_programs import FORK, said

from bugloss.core.run import Isolation, Outcome, Run
from bugloss.run import sandbox
from bugloss.run.environment import Environment

Runner = Callable[..., Run]
bubblewrap = pytest.mark.bubblewrap


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
