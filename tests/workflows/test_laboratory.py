"""Strangers' programs in the laboratory: whatever they do, they are contained, and the next one runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bugloss.core.reproduction import Attempt, Level
from bugloss.core.run import Isolation, Outcome
from bugloss.run import sandbox
from bugloss.run.environment import Environment
from bugloss.workflows.laboratory import Sandboxed
from bugloss.workflows.trial import contained


@pytest.fixture
def laboratory(bare: Environment) -> Iterator[Sandboxed]:
    with Sandboxed(bare, sandbox.isolation("limits"), seconds=2.0) as made:
        yield made


@pytest.fixture
def strict(bare: Environment) -> Iterator[Sandboxed]:
    with Sandboxed(bare, sandbox.isolation("bubblewrap"), seconds=2.0) as made:
        yield made


def goes_on(laboratory: Sandboxed) -> bool:
    """Whether the next program runs as if nothing had been."""
    (run,) = laboratory.run(["print('well')"])
    return run.outcome is Outcome.FINISHED and run.stdout.text == "well\n"


def test_a_program_that_ends_is_told_with_what_it_printed(laboratory: Sandboxed) -> None:
    (run,) = laboratory.run(["import sys\nprint('out')\nprint('err', file=sys.stderr)\n"])
    assert (run.outcome, run.exit_code, run.stdout.text) == (Outcome.FINISHED, 0, "out\n")
    assert "err" in run.stderr.text


def test_an_exception_is_told_with_the_line_of_the_program(laboratory: Sandboxed) -> None:
    (run,) = laboratory.run(["def f():\n    return 1 / 0\n\n\nf()\n"])
    assert run.outcome is Outcome.RAISED
    assert run.exception is not None
    assert run.exception.kind == "ZeroDivisionError"
    assert [(frame.path.rsplit("/", 1)[-1], frame.line) for frame in run.exception.frames] == [
        ("repro.py", 5),
        ("repro.py", 2),
    ]


def test_programs_do_not_see_each_other(laboratory: Sandboxed) -> None:
    leaves = "import builtins, os\nbuiltins.secret = 1\nopen('left', 'w').close()\nos.environ['LEFT'] = '1'\n"
    looks = "import builtins, os\nprint(hasattr(builtins, 'secret'), os.listdir(), 'LEFT' in os.environ)\n"
    first, second = laboratory.run([leaves, looks])
    assert first.outcome is Outcome.FINISHED
    assert second.stdout.text == "False ['repro.py'] False\n"


PRINTED_TOO_MUCH = None  # out of time on a slow machine; on a quick one its output is as large as a file may be first
HOSTILE = {
    "waits for input": ("x = input('name? ')\n", Outcome.RAISED),
    "runs forever": ("while True:\n    pass\n", Outcome.TIMED_OUT),
    "sleeps forever": ("import time\ntime.sleep(1000)\n", Outcome.TIMED_OUT),
    "prints forever": ("while True:\n    print('x' * 10000)\n", PRINTED_TOO_MUCH),
    "fills the disk": ("with open('big', 'wb') as big:\n    big.seek(2**40)\n    big.write(b'x')\n", Outcome.RAISED),
    "kills the process above it": ("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n", Outcome.KILLED),
    "kills itself": ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", Outcome.KILLED),
    "leaves at once": ("import os\nos._exit(0)\n", Outcome.KILLED),
    "leaves a process behind": (
        "import os, time\nif os.fork() == 0:\n    time.sleep(1000)\n",
        Outcome.FINISHED,
    ),
    "ignores signals": (
        "import signal\nfor number in (2, 15):\n    signal.signal(number, signal.SIG_IGN)\nwhile True:\n    pass\n",
        Outcome.TIMED_OUT,
    ),
    "is deeply nested": (f"{'(' * 5000}\n", Outcome.RAISED),
    "holds a null": ("x = 1\0\n", Outcome.RAISED),
    "holds half a character": ("x = '\ud800'\n", Outcome.FINISHED),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_program_is_contained_and_the_next_one_runs(laboratory: Sandboxed, name: str) -> None:
    text, outcome = HOSTILE[name]
    (run,) = laboratory.run([text])
    allowed = {outcome} if outcome is not None else {Outcome.TIMED_OUT, Outcome.RAISED}
    assert run.outcome in allowed, run.stderr.text[-500:]
    assert len(run.stdout.text) < 100_000
    assert goes_on(laboratory)


@pytest.mark.bubblewrap
def test_files_outside_are_out_of_reach(strict: Sandboxed, tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("precious")
    program = (
        "import os, shutil\n"
        f"for path in ({str(mine)!r}, '/usr/bin/env', '/etc/passwd'):\n"
        "    try:\n        os.remove(path)\n    except OSError as error:\n        print(type(error).__name__)\n"
        f"shutil.rmtree({str(tmp_path)!r}, ignore_errors=True)\n"
    )
    (run,) = strict.run([program])
    assert run.stdout.text.split()[0] == "FileNotFoundError"
    assert mine.read_text() == "precious"
    assert Path("/usr/bin/env").exists()


@pytest.mark.bubblewrap
def test_forks_without_end_are_stopped(strict: Sandboxed) -> None:
    (run,) = strict.run(["import os\nwhile True:\n    os.fork()\n"])
    assert run.outcome is not Outcome.FINISHED
    assert goes_on(strict)


def attempts(*outcomes: str) -> list[Attempt]:
    return [Attempt(number, (), outcome, Level.BROKEN, 1.0) for number, outcome in enumerate(outcomes)]


def test_what_the_sandbox_stopped_is_said() -> None:
    safe = Isolation("bubblewrap", ("read-only system",))
    assert list(contained(attempts("finished", "ValueError"), safe)) == []
    (remark,) = contained(attempts("timed-out", "killed", "timed-out", "finished"), safe)
    assert remark == "The sandbox stopped 3 of 4 runs: timed-out 2, killed 1."


def test_a_level_that_guards_no_files_is_said_to_be_so() -> None:
    (remark,) = contained(attempts("finished"), Isolation("limits", ("scratch home",)))
    assert "only 'limits'" in remark
