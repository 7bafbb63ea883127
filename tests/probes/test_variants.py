"""Candidates of one search: none sees what another left, none answers for another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bugloss.core.run import Outcome, Run
from bugloss.run import sandbox
from bugloss.run.environment import Environment
from bugloss.workflows.laboratory import Sandboxed

# Writes a file into every folder of the sandbox that takes one, of its own user's alone.
LITTER = """
import os
for top, folders, _ in os.walk("/"):
    folders[:] = [name for name in folders if top != "/" or name not in ("proc", "sys", "usr")]
    try:
        open(os.path.join(top, "canary"), "w").close()
        print(top)
    except OSError:
        pass
"""
LOOK = """
import os
for top, folders, names in os.walk("/"):
    folders[:] = [name for name in folders if top != "/" or name not in ("proc", "sys", "usr")]
    if "canary" in names:
        print(os.path.join(top, "canary"))
"""
AT_HOME = "import os\nfor top in (os.environ['HOME'], os.environ['TMPDIR'], '.', '..'):\n    "
WELL = "print('well')\n"


@pytest.fixture
def laboratory(bare: Environment) -> Iterator[Sandboxed]:
    with Sandboxed(bare, sandbox.isolation("limits"), seconds=5.0) as made:
        yield made


@pytest.fixture
def strict(bare: Environment) -> Iterator[Sandboxed]:
    with Sandboxed(bare, sandbox.isolation("bubblewrap"), seconds=5.0) as made:
        yield made


def after(laboratory: Sandboxed, *programs: str) -> Run:
    """The last of some programs that run one after the other."""
    laboratory.run([WELL])
    *_, last = laboratory.run(programs)
    return last


def ran_well(run: Run) -> bool:
    return (run.outcome, run.stdout.text) == (Outcome.FINISHED, "well\n")


@pytest.mark.bubblewrap
def test_no_file_of_one_candidate_is_there_for_the_next(strict: Sandboxed) -> None:
    first, second = strict.run([LITTER, LOOK])
    places = first.stdout.text.split()
    assert {"/tmp", "/dev/shm", sandbox.INSIDE_HOME, sandbox.INSIDE_WORK} <= set(places)
    assert (second.outcome, second.stdout.text) == (Outcome.FINISHED, "")


def test_without_bubblewrap_home_and_working_folder_are_cleared_and_nothing_else(
    laboratory: Sandboxed, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    write = f"{AT_HOME}open(os.path.join(top, 'canary'), 'w').close()\nopen({str(mine)!r}, 'w').close()\n"
    looks = f"{AT_HOME}print(os.path.exists(os.path.join(top, 'canary')))\n"
    first, second = laboratory.run([write, looks])
    assert first.outcome is Outcome.FINISHED
    assert second.stdout.text.split() == ["False"] * 4
    assert mine.exists()


@pytest.mark.bubblewrap
def test_shared_memory_of_system_v_does_not_outlive_a_candidate(strict: Sandboxed) -> None:
    makes = "import ctypes\nassert ctypes.CDLL(None).shmget(77, 4096, 0o1600) >= 0\n"
    finds = "import ctypes\nprint(ctypes.CDLL(None).shmget(77, 4096, 0o600))\n"
    assert after(strict, makes, makes, finds).stdout.text == "-1\n"


DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        time.sleep(1000)
    os._exit(0)
time.sleep(0.5)
"""


def test_a_process_that_hides_from_its_group_ends_with_its_candidate(laboratory: Sandboxed) -> None:
    (run,) = laboratory.run([DAEMON])
    assert run.outcome is Outcome.FINISHED
    assert not Path("/proc", run.stdout.text.strip()).exists()


@pytest.mark.bubblewrap
def test_processes_that_were_left_are_not_seen_by_the_next_candidate(strict: Sandboxed) -> None:
    counts = "import os\nprint(len([name for name in os.listdir('/proc') if name.isdigit()]))\n"
    alone, _, later = strict.run([counts, DAEMON, counts])
    assert later.stdout.text == alone.stdout.text


ON_THE_SESSION = {
    "a folder of great depth": (
        "import os\nos.chdir(os.environ['HOME'])\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')\n"
    ),
    "a home that nobody may enter": "import os\nos.mkdir(os.environ['HOME'] + '/x')\nos.chmod(os.environ['HOME'], 0)\n",
    "a link to nowhere in the place of a folder": (
        "import os, shutil\nfolder = os.getcwd()\nshutil.rmtree(folder)\nos.symlink('/nowhere', folder)\n"
    ),
    "another launcher": "import os\nopen(os.environ['HOME'] + '/launch.py', 'w').write('raise SystemExit(3)')\n",
    "no home": "import os, shutil\nshutil.rmtree(os.environ['HOME'])\n",
    "limits for the process above": (
        "import os, resource\nresource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (4, 4096))\n"
    ),
    "a killed process above": "import os\nos.kill(os.getppid(), 9)\n",
    "much output": "import sys\nfor _ in range(300):\n    sys.stdout.write('x' * 100000)\n",
    "a pipe in the place of its output": (
        "import os\nfor end in ('.out', '.err', '.json'):\n    name = os.getcwd() + end\n"
        "    if os.path.exists(name):\n        os.unlink(name)\n    os.mkfifo(name)\n"
    ),
    "forged answers in the pipes of the process above": (
        "import json, os\nlie = json.dumps({'code': 1, 'ended': True, 'stdout': 'forged', 'token': ''}) + '\\n'\n"
        "folder = '/proc/%d/fd' % os.getppid()\n"
        "try:\n    names = os.listdir(folder)\nexcept OSError:\n    names = []\n"
        "for name in names:\n    try:\n        is_pipe = 'pipe' in os.readlink(folder + '/' + name)\n"
        "        flags = int(open(folder + 'info/' + name).read().split()[3], 8)\n"
        "        if is_pipe and flags & os.O_WRONLY:\n"
        "            os.write(os.open(folder + '/' + name, os.O_WRONLY | os.O_NONBLOCK), lie.encode())\n"
        "    except OSError:\n        pass\n"
    ),
}


@pytest.mark.parametrize("name", ON_THE_SESSION)
def test_what_a_candidate_does_to_its_session_is_not_the_next_ones_verdict(laboratory: Sandboxed, name: str) -> None:
    assert ran_well(after(laboratory, ON_THE_SESSION[name], WELL))


@pytest.mark.bubblewrap
def test_the_process_above_cannot_be_looked_into(strict: Sandboxed) -> None:
    program = (
        "import os\ntry:\n    print(os.listdir('/proc/%d/fd' % os.getppid()))\nexcept OSError:\n    print('shut')\n"
    )
    assert after(strict, program).stdout.text == "shut\n"
    assert after(strict, program.replace("getppid", "getpid")).stdout.text.startswith("[")


FORGED = '{"exception": null, "ended": true, "exit": 0}'
FORGERIES = {
    "in a file beside its folder": f"import os\nopen(os.getcwd() + '.json', 'w').write('{FORGED}')\nos._exit(0)\n",
    "in every descriptor": (
        f"import os\nfor number in range(3, 256):\n    try:\n        os.write(number, b'{FORGED}')\n"
        "    except OSError:\n        pass\nos._exit(0)\n"
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_candidate_that_answers_for_itself_did_not_end(laboratory: Sandboxed, name: str) -> None:
    assert after(laboratory, FORGERIES[name]).outcome is Outcome.KILLED


def test_an_exception_is_told_though_the_program_closed_and_replaced_what_it_could(laboratory: Sandboxed) -> None:
    program = "import os\ndel os.environ['HOME']\nos.write = os._exit = None\nraise KeyError('x' * 10**6)\n"
    run = after(laboratory, program)
    assert run.exception is not None
    assert (run.outcome, run.exception.kind) == (Outcome.RAISED, "KeyError")


def test_one_session_serves_well_behaved_candidates(laboratory: Sandboxed) -> None:
    """Loading a framework is paid for once: files that are left do not cost a new session."""
    parent = "import os\nprint(os.getppid())\n"
    write = "import os\nos.makedirs(os.environ['HOME'] + '/.cache/x/y')\nopen('model.bin', 'w').write('w')\n"
    first, _, second = laboratory.run([parent, write, parent])
    assert first.stdout.text == second.stdout.text
