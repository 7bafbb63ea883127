"""Attacks on the machine from inside the sandbox: every level, started by root and by an ordinary user.

Each attack has a canary: something outside that must stay as it was, or a limit that must be reached and named.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hostile_calls import PROGRAM as CALLS
from other_user import SECRET, User
from sandbox_levels import LEVELS

from bugloss.run.sandbox import seccomp

filtered = pytest.mark.skipif(seccomp.program() is None, reason="no filter is written for this processor")


def alive(mark: str) -> list[int]:
    """Processes that run with the mark on their command line; a dead one that nobody has asked after has none."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert holds()


def new_mark() -> str:
    return f"bugloss-test-{os.urandom(6).hex()}"


# System calls.


@filtered
def test_forbidden_calls_are_refused_and_nothing_of_the_caller_is_reached(attack: Any) -> None:
    ended = attack(CALLS)
    assert ended["outcome"] == "finished", ended["err"]
    assert ended["key"] in {SECRET, None}  # the canary: the caller's key is as it was
    said = json.loads(ended["out"])
    outside = ("abstract socket", "proc/sys", "shadow", "private key", "caller in proc")
    reached = {
        name: said.pop(name) for name in [*outside, *(f"write {place}" for place in ("/", "/dev", "/etc", "/proc"))]
    }
    assert {name: answer for name, answer in said.items() if answer == "allowed"} == {}
    for name in (
        "io_uring_setup",
        "keyctl session",
        "add_key",
        "ptrace",
        "mount",
        "unshare user",
        "clone user",
        "x32 getpid",
    ):
        assert said.get(name, "EPERM") == "EPERM", name
    assert {said[name] for name in ("clone3", "memfd_create", "shmget", "future call")} == {"ENOSYS"}
    assert {said["TIOCSTI"], said["TIOCSTI, upper half set"]} <= {"EPERM", "no terminal"}
    assert {answer for name, answer in said.items() if name.startswith("socket")} == {"EAFNOSUPPORT"}
    if attack.level == "bubblewrap":
        assert {name: answer for name, answer in reached.items() if answer == "allowed"} == {}
    if attack.level == "namespaces":
        assert reached["abstract socket"] != "allowed"
        assert reached["caller in proc"] != "allowed"


# Memory.

FILL = """
import os, sys, time
for number in range(8):
    if os.fork() == 0:
        filled = bytearray(150 * 2**20)
        for place in range(0, len(filled), 4096):
            filled[place] = 1
        time.sleep(60)
        os._exit(0)
time.sleep(60)
"""
SHARE = """
import os, time
shared = bytearray(150 * 2**20)
for place in range(0, len(shared), 4096):
    shared[place] = 1
children = []
for _ in range(6):
    child = os.fork()
    if child == 0:
        time.sleep(0.6)
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
print("shared")
"""


def test_memory_is_limited_over_all_processes_together(attack: Any) -> None:
    ended = attack(FILL, memory_megabytes=500)
    assert ended["outcome"] == "out-of-memory"
    assert ended["stopped"] == "its processes used more than 500 MB of memory"
    assert ended["seconds"] < 20


def test_memory_that_processes_share_counts_once(attack: Any) -> None:
    ended = attack(SHARE, memory_megabytes=500)
    assert (ended["outcome"], ended["out"]) == ("finished", "shared\n"), ended


# Disk.

MANY_FILES = """
import os, time
for number in range(300):
    with open("part%d" % number, "wb") as part:
        part.write(bytes(2**20))
print("written", flush=True)
time.sleep(60)
"""
ONE_FILE = """
import time
with open("whole", "wb") as whole:
    for _ in range(300):
        whole.write(bytes(2**20))
print("written", flush=True)
time.sleep(60)
"""
WITHOUT_NAMES = """
import os, time
kept = []
for number in range(300):
    part = open(os.path.join(os.environ["HOME"], "part"), "wb", buffering=0)
    os.remove(part.name)
    part.write(bytes(2**20))
    kept.append(part)
print("written", flush=True)
time.sleep(60)
"""
CLOSED_FOLDER = """
import os, time
os.mkdir("closed")
for number in range(300):
    with open("closed/part%d" % number, "wb") as part:
        part.write(bytes(2**20))
os.chmod("closed", 0)
print("written", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize(
    "text", [MANY_FILES, ONE_FILE, WITHOUT_NAMES, CLOSED_FOLDER], ids=["many", "one", "nameless", "closed"]
)
def test_what_a_run_writes_is_limited_in_sum(attack: Any, text: str) -> None:
    ended = attack(text, disk_megabytes=150, file_megabytes=1000)
    if attack.level == "bubblewrap":
        assert ended["outcome"] == "raised"
        assert "No space left on device" in ended["err"]
    else:
        assert (ended["outcome"], ended["stopped"]) == ("killed", "it wrote more than 150 MB")
    assert ended["seconds"] < 20


SHARED_FOLDERS = """
import json
said = {}
for folder in ("/tmp", "/dev/shm"):
    try:
        with open(folder + "/bugloss-test-filled", "wb") as part:
            for _ in range(60):
                part.write(bytes(2**20))
    except OSError as error:
        said[folder] = error.errno
print(json.dumps(said))
"""


@pytest.mark.bubblewrap
def test_shared_folders_take_part_in_the_limit(caller: User) -> None:
    job = {"level": "bubblewrap", "text": SHARED_FOLDERS, "limits": {"disk_megabytes": 150, "file_megabytes": 1000}}
    (ended,) = caller.run([job])
    assert json.loads(ended["out"]) == {"/tmp": 28, "/dev/shm": 28}


# Output and processes.


def test_printing_without_end_ends_long_before_the_time_is_up(attack: Any) -> None:
    ended = attack("import os\nwhile True:\n    os.write(2, b'x' * 65536)", output_megabytes=8)
    assert (ended["outcome"], ended["stopped"]) == ("killed", "it printed more than 8 MB")
    assert ended["seconds"] < 20
    assert len(ended["err"]) < 50_000


FORK = """
import os, time
children = 0
try:
    while children < 100:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        children += 1
except OSError:
    pass
print(children, flush=True)
if children == 100:
    time.sleep(60)
"""


def test_processes_are_limited_for_every_user(attack: Any) -> None:
    """The system does not limit root's processes; the watch does."""
    ended = attack(FORK, processes=30)
    assert ended["stopped"] == "it had more than 30 processes and threads" or 10 < int(ended["out"]) < 40, ended
    assert ended["seconds"] < 20


# Escapes from being watched and ended.

DAEMON = """
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 1024)
        os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)", sys.argv[2]], {})
    os._exit(0)
os.wait()
"""
STOP = """
import os, signal, time

def parent_of(process):
    return int(open("/proc/%d/stat" % process).read().rpartition(")")[2].split()[1])

above = os.getppid()
while above > 1 and b"bugloss" in open("/proc/%d/cmdline" % above, "rb").read() and b"driver.py" not in open("/proc/%d/cmdline" % above, "rb").read():
    higher = parent_of(above)
    try:
        os.kill(above, signal.SIGNAL)
    except OSError:
        pass
    above = higher
if os.fork() == 0:
    os.setsid()
print("done", flush=True)
time.sleep(60)
"""


def test_a_daemon_without_variables_does_not_outlive_its_program(attack: Any) -> None:
    mark = new_mark()
    assert attack(DAEMON, mark)["outcome"] == "finished"
    wait_until(lambda: alive(mark) == [])


def test_a_program_that_halts_those_above_it_is_ended_in_time(attack: Any) -> None:
    mark = new_mark()
    ended = attack(STOP.replace("SIGNAL", "SIGSTOP"), mark, wall_seconds=1)
    assert ended["outcome"] == "timed-out"
    assert ended["seconds"] < 20
    wait_until(lambda: alive(mark) == [])


def test_a_program_that_kills_those_above_it_dies_too(attack: Any) -> None:
    mark = new_mark()
    ended = attack(STOP.replace("SIGNAL", "SIGKILL"), mark, wall_seconds=10)
    assert ended["outcome"] in {"killed", "timed-out"}
    wait_until(lambda: alive(mark) == [])


SLEEP = """
import os, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", sys.argv[2]], start_new_session=True)
time.sleep(60)
"""


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_killed_command_leaves_is_ended_at_once_and_removed_by_the_next(caller: User, level: str) -> None:
    mark = new_mark()
    process = caller.start([{"level": level, "text": SLEEP, "arguments": [mark]}])
    try:
        wait_until(lambda: process.poll() is not None or any(b"time.sleep(60)" in _command(one) for one in alive(mark)))
        if process.poll() is not None:
            pytest.skip(f"{level} does not work here for user {caller.name}")
        process.send_signal(signal.SIGKILL)
    finally:
        process.kill()
        process.communicate()
    wait_until(lambda: alive(mark) == [])
    left = list((caller.folder / "tmp").glob("bugloss-run-*"))
    assert left
    for folder in left:
        os.utime(folder, (0, 0))  # as if some seconds had passed
    caller.run([{"level": "limits", "text": ""}])
    assert list((caller.folder / "tmp").iterdir()) == []


def _command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
