"""Jobs in forks of one process: each starts as in a new one, and nothing of it is left for the next."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bugloss.core.run import Limits, Outcome, Run, Settings
from bugloss.run import sandbox
from bugloss.run.environment import Environment
from bugloss.run.execute import Job, execute, stop_all
from bugloss.run.preloaded import PreloadedSandbox

pytestmark = pytest.mark.bubblewrap

Maker = Callable[..., Job]

# What a program sees of itself. ``json`` is loaded already, ``helper`` lies beside the program.
LOOK = """
import json, os, resource, sys, threading
import helper
print(json.dumps({
    "argv": sys.argv, "path": sys.path[:2], "name": __name__, "file": __file__, "folder": os.getcwd(),
    "files": sorted(os.listdir(".")), "home": sorted(os.listdir(os.path.expanduser("~"))),
    "variables": {name: os.environ[name] for name in sorted(os.environ)}, "threads": threading.active_count(),
    "limits": [resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name.startswith("RLIMIT_")],
    "open": sorted(int(name) for name in os.listdir("/proc/self/fd") if int(name) < 100),
    "filter": [line for line in open("/proc/self/status") if line.startswith(("Seccomp:", "NoNewPrivs", "CapBnd"))],
    "leader": os.getpgid(0) == os.getpid(), "input": sys.stdin.read(),
}, sort_keys=True))
"""
# Everything that one program could leave for the next one, or do to it.
LEAVE = """
import os, resource, signal, sys, time
open("left.txt", "w").write("x"); open(os.path.expanduser("~/left.txt"), "w").write("x")
open("/tmp/left.txt", "w").write("x"); open("/dev/shm/left.txt", "w").write("x")
os.environ["LEFT"] = "x"; os.makedirs("deep/er")
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open("/tmp/daemon", "w").write("x")
        time.sleep(60)
    os._exit(0)
"""
SEARCH = """
import os
found = [place for place in ("left.txt", os.path.expanduser("~/left.txt"), "/tmp/left.txt", "/dev/shm/left.txt", "deep",
         "/tmp/daemon") if os.path.exists(place)]
found += [name for name in os.environ if name == "LEFT"]
print(found, sum(name.isdigit() for name in os.listdir("/proc")))
"""


@pytest.fixture
def make(tmp_path: Path) -> Maker:
    """A job of the text of a program."""

    def job(text: str, seconds: float = 30.0, **others: str) -> Job:
        content = {"program.py": text, **{f"{name}.py": words for name, words in others.items()}}
        folder = tmp_path / f"source{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        for name, words in content.items():
            (folder / name).write_text(words)
        files = {name: folder / name for name in content}
        return Job(files, "program.py", ("one", "two"), Settings(seed=7), Limits(wall_seconds=seconds))

    return job


@pytest.fixture
def preloaded(environment: Environment) -> Iterator[PreloadedSandbox]:
    with PreloadedSandbox(environment, ("json", "decimal"), sandbox.isolation("bubblewrap")) as opened:
        yield opened


def run_both(preloaded: PreloadedSandbox, job: Job) -> tuple[Run, Run]:
    """The run in a fork, and the one in a new process."""
    forked = preloaded.run(job)
    assert forked is not None
    return forked, execute(job, preloaded.environment, preloaded.isolation)


def processes_of(preloaded: PreloadedSandbox) -> int | None:
    return preloaded._process.pid if preloaded._process is not None else None


def test_a_program_sees_what_it_would_see_in_a_new_process(preloaded: PreloadedSandbox, make: Maker) -> None:
    forked, new = run_both(preloaded, make(LOOK, helper="VALUE = 1\n"))
    told, expected = (run.stdout.text for run in (forked, new))
    # The home has the files that start a program, which are others here.
    assert without_home(told) == without_home(expected)
    assert (forked.subject, new.subject) == ({"process": "forked"}, {})
    assert forked.settings == new.settings
    assert forked.limits == new.limits


def without_home(text: str) -> dict[str, object]:
    from bugloss.core.documents import parse_json

    seen = parse_json(text)
    assert isinstance(seen, dict)
    assert seen.pop("home")
    return seen


@pytest.mark.parametrize(
    "text",
    [
        "def inner():\n    return {}['missing']\ninner()\n",
        "import sys\nprint('said')\nsys.exit(3)\n",
        "class Odd(ValueError):\n    pass\nraise Odd('words')\n",
        "print('out')\n",
        "import helper\n",
    ],
    ids=["error", "exit code", "own class", "finished", "syntax error"],
)
def test_outcome_exception_and_output_are_the_same(preloaded: PreloadedSandbox, make: Maker, text: str) -> None:
    forked, new = run_both(preloaded, make(text, helper="def (:\n"))
    for name in ("outcome", "exit_code", "exception", "evidence", "stdout", "stderr", "stopped"):
        assert getattr(forked, name) == getattr(new, name), name


def test_the_modules_are_loaded_once_for_all_programs(preloaded: PreloadedSandbox, make: Maker) -> None:
    runs = [preloaded.run(make("import sys; print('decimal' in sys.modules)")) for _ in range(3)]
    assert [run.stdout.text if run else None for run in runs] == ["True\n"] * 3
    assert preloaded.loadings == 1


def test_nothing_is_left_for_the_next_program(preloaded: PreloadedSandbox, make: Maker) -> None:
    before = preloaded.run(make(SEARCH))
    assert preloaded.run(make(LEAVE)) is not None
    after = preloaded.run(make(SEARCH))
    assert before is not None
    assert after is not None
    assert before.stdout.text == after.stdout.text
    assert before.stdout.text.startswith("[] ")
    assert preloaded.loadings == 1


@pytest.mark.parametrize(
    "deed",
    [
        "os.kill(os.getppid(), signal.SIGKILL)",
        "[os.kill(int(p), signal.SIGKILL) for p in os.listdir('/proc') if p.isdigit() and int(p) not in (1, os.getpid())]",
        "[os.kill(int(p), signal.SIGSTOP) for p in os.listdir('/proc') if p.isdigit() and int(p) not in (1, os.getpid())]",
        (
            "[resource.prlimit(int(p), resource.RLIMIT_NOFILE, (5, 5)) for p in os.listdir('/proc')"
            " if p.isdigit() and int(p) not in (1, os.getpid())]"
        ),
        "os.kill(os.getpid(), signal.SIGSEGV)",
        "os._exit(0)",
    ],
    ids=["parent killed", "all killed", "all stopped", "limits of others", "crash", "silent exit"],
)
def test_what_a_program_does_to_its_sandbox_harms_no_later_one(
    preloaded: PreloadedSandbox, make: Maker, deed: str
) -> None:
    ended = preloaded.run(make(f"import os, resource, signal\n{deed}\n", seconds=5))
    assert ended is None or ended.outcome.came_to_an_end
    later = preloaded.run(make("print('well')"))
    assert later is not None
    assert (later.outcome, later.stdout.text) == (Outcome.FINISHED, "well\n")


def test_a_program_cannot_look_into_the_process_that_it_was_forked_from(
    preloaded: PreloadedSandbox, make: Maker
) -> None:
    text = """
import os
for process in os.listdir("/proc"):
    if process.isdigit() and int(process) not in (1, os.getpid()):
        for name in ("mem", "environ", "fd/3"):
            try:
                open("/proc/%s/%s" % (process, name), "rb")
                print("opened", process, name, open("/proc/%s/cmdline" % process).read())
            except OSError:
                pass
"""
    ended = preloaded.run(make(text))
    assert ended is not None
    assert ended.stdout.text == ""


def test_a_program_whose_time_is_up_is_killed_with_all_that_it_started(
    preloaded: PreloadedSandbox, make: Maker
) -> None:
    job = make("import os, time\nos.fork()\ntime.sleep(60)\n", seconds=1.0)
    start = time.monotonic()
    assert preloaded.run(job) is None, "a new process decides"
    assert time.monotonic() - start < 30
    process = processes_of(preloaded)
    assert process is None or not Path(f"/proc/{process}").exists()
    later = preloaded.run(make("print('well')"))
    assert later is not None
    assert preloaded.loadings == 2


def test_two_sandboxes_run_programs_at_once(environment: Environment, make: Maker) -> None:
    jobs = [make(f"import time\ntime.sleep(0.2)\nprint({number})\n") for number in range(6)]
    said: dict[int, list[str]] = {0: [], 1: []}

    def work(number: int) -> None:
        with PreloadedSandbox(environment, ("json",), sandbox.isolation("bubblewrap")) as opened:
            runs = [opened.run(job) for job in jobs[number::2]]
            said[number] = [run.stdout.text for run in runs if run is not None]

    threads = [threading.Thread(target=work, args=(number,)) for number in said]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert said == {0: ["0\n", "2\n", "4\n"], 1: ["1\n", "3\n", "5\n"]}


def test_who_stops_all_programs_stops_the_sandbox(preloaded: PreloadedSandbox, make: Maker) -> None:
    assert preloaded.run(make("")) is not None
    process = processes_of(preloaded)
    stopping = threading.Timer(0.5, stop_all)
    stopping.start()
    assert preloaded.run(make("import time\ntime.sleep(30)\n")) is None
    stopping.join()
    assert not Path(f"/proc/{process}").exists()


def test_a_sandbox_that_does_not_start_is_given_up(preloaded: PreloadedSandbox, make: Maker) -> None:
    preloaded.environment = replace(preloaded.environment, python="/bin/false")
    assert [preloaded.run(make("")) for _ in range(4)] == [None] * 4
    assert preloaded.loadings == 2


def test_nothing_is_forked_where_a_module_started_threads(environment: Environment, make: Maker) -> None:
    with PreloadedSandbox(environment, ("json",), sandbox.isolation("bubblewrap")) as opened:
        assert opened.run(make("")) is not None
        opened._state = {**opened._state, "threads": 2}
        assert opened.run(make("")) is None


def test_a_program_with_a_module_of_the_name_of_a_loaded_one_gets_a_new_process(
    preloaded: PreloadedSandbox, make: Maker
) -> None:
    assert preloaded.run(make("import decimal\nprint(decimal.MINE)\n", decimal="MINE = 1\n")) is None


def test_a_job_that_starts_differently_gets_a_new_process(preloaded: PreloadedSandbox, make: Maker) -> None:
    job = make("")
    assert preloaded.run(replace(job, limits=replace(job.limits, memory_megabytes=100))) is None
    assert preloaded.run(replace(job, settings=replace(job.settings, threads=3))) is None
    assert preloaded.run(replace(job, probes=("grist",))) is None
    assert preloaded.loadings == 0


def test_descriptors_are_closed_after_each_run(preloaded: PreloadedSandbox, make: Maker) -> None:
    counts = []
    for _ in range(3):
        assert preloaded.run(make("print(1)")) is not None
        counts.append(len(os.listdir("/proc/self/fd")))
    assert counts[1] == counts[2]
