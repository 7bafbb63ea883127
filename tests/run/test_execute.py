"""How a program ended is told apart and recorded, whatever the program does to itself and to us."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bugloss.core.codec import decode, encode
from bugloss.core.run import Isolation, Outcome, Run
from bugloss.run.execute import stop_all

Runner = Callable[..., Run]


def alive(mark: str) -> list[int]:
    """Processes whose command line holds the mark."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


def assert_gone(mark: str) -> None:
    """Dying takes the system a moment."""
    deadline = time.monotonic() + 30
    while alive(mark) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert alive(mark) == []


# Outcomes.


@pytest.mark.parametrize(
    ("text", "outcome", "code"),
    [
        ("", Outcome.FINISHED, 0),
        ("import sys; sys.exit()", Outcome.FINISHED, 0),
        ("import sys; sys.exit(0)", Outcome.FINISHED, 0),
        ("import sys; sys.exit(False)", Outcome.FINISHED, 0),
        ("import sys; sys.exit(3)", Outcome.EXITED, 3),
        ("import sys; sys.exit(True)", Outcome.EXITED, 1),
        ("import sys; sys.exit('words')", Outcome.EXITED, 1),
        ("import sys; sys.exit(137)", Outcome.EXITED, 137),
        ("import sys; sys.exit(-1)", Outcome.EXITED, 255),
        ("import sys; sys.exit(300)", Outcome.EXITED, 44),
        ("raise SystemExit((1, 2))", Outcome.EXITED, 1),
        ("raise ValueError", Outcome.RAISED, 1),
        ("raise KeyboardInterrupt", Outcome.RAISED, 1),
        ("raise GeneratorExit", Outcome.RAISED, 1),
        ("import os; os._exit(0)", Outcome.KILLED, 0),
        ("import os; os._exit(5)", Outcome.KILLED, 5),
    ],
)
def test_the_end_of_a_program_is_told_apart(run: Runner, text: str, outcome: Outcome, code: int) -> None:
    ended = run(text)
    assert (ended.outcome, ended.exit_code) == (outcome, code)
    assert (ended.exception is not None) is (outcome is Outcome.RAISED)


@pytest.mark.parametrize("signal", ["SIGKILL", "SIGSEGV"])
def test_a_program_killed_by_a_signal_is_killed(run: Runner, level: Isolation, signal: str) -> None:
    """Process 1 of a namespace ignores signals of its own: without a shell before it the program lived on."""
    ended = run(f"import os, signal; os.kill(os.getpid(), signal.{signal}); print('alive')", level)
    assert ended.outcome is Outcome.KILLED
    assert ended.stdout.text == ""
    assert not ended.outcome.came_to_an_end


def test_a_crash_in_c_code_is_killed(run: Runner) -> None:
    assert run("import ctypes; ctypes.string_at(0)").outcome is Outcome.KILLED


def test_a_crash_after_the_last_line_is_killed_and_not_finished(run: Runner, level: Isolation) -> None:
    """Frameworks crash while the interpreter shuts down; the exit code belies the last word of the launcher."""
    text = "import atexit, os, signal; atexit.register(os.kill, os.getpid(), signal.SIGSEGV)"
    ended = run(text, level)
    assert ended.outcome is Outcome.KILLED
    assert ended.exit_code != 0


def test_a_program_that_sleeps_is_timed_out_in_time(run: Runner, level: Isolation) -> None:
    start = time.monotonic()
    ended = run("import time; print('begun', flush=True); time.sleep(60)", level, wall_seconds=1)
    assert ended.outcome is Outcome.TIMED_OUT
    assert ended.exit_code is None
    assert ended.stdout.text == "begun\n"
    assert 1 <= ended.seconds < 20
    assert time.monotonic() - start < 30  # far from the sixty seconds of the program


def test_a_program_that_ignores_signals_is_timed_out_with_all_its_children(run: Runner, level: Isolation) -> None:
    mark = f"bugloss-test-{os.urandom(6).hex()}"
    text = f"""
import os, signal, subprocess, sys, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", "{mark}"])
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", "{mark}"], start_new_session=True)
print("both begun", flush=True)
time.sleep(60)
"""
    ended = run(text, level, wall_seconds=1.5)
    assert (ended.outcome, ended.stdout.text) == (Outcome.TIMED_OUT, "both begun\n")
    assert_gone(mark)


def test_a_daemon_does_not_outlive_its_program(run: Runner, level: Isolation) -> None:
    """At the lowest level there is no namespace that dies with the program; a daemon leaves the session."""
    mark = f"bugloss-test-{os.urandom(6).hex()}"
    text = f"""
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)", "{mark}"])
    os._exit(0)
os.wait()
"""
    ended = run(text, level)
    assert ended.outcome is Outcome.FINISHED
    assert ended.seconds < 10
    assert_gone(mark)


@pytest.mark.parametrize(
    "text",
    [
        "x = bytearray(800 * 2**20)",
        "x = []\nwhile True:\n    x.append(bytearray(2**20))",
        "class Mine(MemoryError): pass\nraise Mine('full')",
        "raise RuntimeError('[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: can\\'t allocate memory: 4 bytes')",
        "import os, sys; sys.stderr.write('terminate called: std::bad_alloc'); sys.stderr.flush(); os.abort()",
    ],
)
def test_running_out_of_memory_has_an_outcome_of_its_own(run: Runner, text: str) -> None:
    assert run(text, memory_megabytes=300).outcome is Outcome.OUT_OF_MEMORY


def test_too_little_memory_to_start_is_no_wrong_answer(run: Runner) -> None:
    assert not run("print(1)", memory_megabytes=5).outcome.came_to_an_end


def test_a_program_that_speaks_of_memory_did_not_run_out_of_it(run: Runner) -> None:
    assert run("print('std::bad_alloc'); raise ValueError('bad shape')").outcome is Outcome.RAISED


def test_a_script_that_does_not_parse_is_raised(run: Runner) -> None:
    ended = run("def f(:\n")
    assert ended.outcome is Outcome.RAISED
    assert ended.exception is not None
    assert ended.exception.kind == "SyntaxError"


def test_stopping_everything_ends_running_programs_as_killed(run: Runner, level: Isolation) -> None:
    # Taking a network namespace down keeps some kernels busy for seconds: the sleep is far longer than that.
    ended: list[Run] = []
    mark = f"bugloss-test-{os.urandom(6).hex()}"
    sleeper = "import time; time.sleep(600)"
    thread = threading.Thread(target=lambda: ended.append(run(sleeper, level, mark, wall_seconds=900)))
    thread.start()
    deadline = time.monotonic() + 10
    while not alive(mark) and time.monotonic() < deadline:
        time.sleep(0.01)
    stop_all()
    thread.join(timeout=120)
    assert ended[0].outcome is Outcome.KILLED
    assert ended[0].seconds < 120
    assert_gone(mark)


# Exceptions.

HELPER = "def inner(x):\n    return 1 / x\n\n\ndef outer(x):\n    return inner(x)\n"


def test_an_exception_is_recorded_with_class_message_and_frames(run: Runner, level: Isolation) -> None:
    ended = run("import helper\n\nhelper.outer(0)\n", level, files={"helper.py": HELPER})
    exception = ended.exception
    assert exception is not None
    assert (exception.kind, exception.qualified) == ("ZeroDivisionError", "builtins.ZeroDivisionError")
    assert exception.message == "division by zero"
    assert exception.bases == ("ArithmeticError", "Exception", "BaseException")
    assert exception.is_a("ArithmeticError")
    assert not exception.is_a("ValueError")
    places = [(Path(frame.path).name, frame.line, frame.function) for frame in exception.frames]
    assert places == [("program.py", 3, "<module>"), ("helper.py", 6, "outer"), ("helper.py", 2, "inner")]
    assert exception.frames[-1].text == "return 1 / x"


def test_the_traceback_on_standard_error_shows_the_programs_frames_alone(run: Runner) -> None:
    text = run("import helper\n\nhelper.outer(0)\n", files={"helper.py": HELPER}).stderr.text
    assert text.startswith('Traceback (most recent call last):\n  File "program.py", line 3, in <module>\n')
    assert text.endswith("ZeroDivisionError: division by zero\n")
    assert "launch.py" not in text
    assert "runpy" not in text


def test_of_chained_exceptions_the_last_is_recorded_and_all_are_shown(run: Runner) -> None:
    text = """
try:
    try:
        {}["a"]
    except KeyError as error:
        raise ValueError("second") from error
except ValueError:
    raise RuntimeError("third")
"""
    ended = run(text)
    assert ended.exception is not None
    assert (ended.exception.kind, ended.exception.message) == ("RuntimeError", "third")
    for words in ("KeyError: 'a'", "ValueError: second", "RuntimeError: third", "direct cause", "another exception"):
        assert words in ended.stderr.text


def test_a_group_of_exceptions_is_recorded(run: Runner) -> None:
    ended = run("raise ExceptionGroup('two', [ValueError(1), TypeError(2)])")
    assert ended.exception is not None
    assert ended.exception.message == "two (2 sub-exceptions)"


ODD = {
    "str-raises": ("class Odd(Exception):\n    def __str__(self): raise RuntimeError('no')\nraise Odd", "RuntimeError"),
    "str-exits": ("class Odd(Exception):\n    def __str__(self): raise SystemExit(3)\nraise Odd", "SystemExit"),
    "str-is-no-string": ("class Odd(Exception):\n    def __str__(self): return 5\nraise Odd", "TypeError"),
    "unpicklable": (
        "class Odd(Exception):\n    def __init__(self, a, b): self.f = lambda: a\nraise Odd(1, 2)",
        "(1, 2)",
    ),
    "surrogate": ("class Odd(Exception): pass\nraise Odd('\\udc80')", "\\udc80"),
    "control-characters": ("class Odd(Exception): pass\nraise Odd('\\0\\x1b[31m\\u2028')", "\0\x1b[31m\u2028"),
    "long": ("class Odd(Exception): pass\nraise Odd('x' * 10**6)", "x" * 100),  # cut: dozens of patterns search it
    "own-module": ("class Odd(Exception): __module__ = None\nraise Odd('m')", "m"),
    "cause-cycle": ("class Odd(Exception): pass\ne = Odd('c'); e.__cause__ = e\nraise e", "c"),
    "in-exec": ("class Odd(Exception): pass\nexec(compile('raise Odd(7)', '<made up>', 'exec'))", "7"),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_exceptions_are_recorded_too(run: Runner, name: str) -> None:
    text, words = ODD[name]
    ended = run(text)
    assert ended.outcome is Outcome.RAISED, ended.stderr.text
    assert ended.exception is not None
    assert ended.exception.kind == "Odd"
    assert words in ended.exception.message
    assert decode(Run, json.loads(json.dumps(encode(ended)))) == ended
    ended.exception.message.encode("utf-8")


def test_a_very_deep_traceback_is_recorded(run: Runner) -> None:
    ended = run("def f(): f()\nf()")
    assert ended.exception is not None
    assert ended.exception.kind == "RecursionError"
    assert len(ended.exception.frames) > 500


def test_an_exception_in_a_forked_child_is_not_the_programs_own(run: Runner) -> None:
    """The child comes back through the launcher, and once its exception was taken for the program's."""
    text = "import os\nif os.fork() == 0:\n    raise ValueError('of the child')\nos.wait()\nprint('fine')"
    ended = run(text)
    assert (ended.outcome, ended.exception, ended.stdout.text) == (Outcome.FINISHED, None, "fine\n")


def test_an_exception_in_a_thread_does_not_end_the_program(run: Runner) -> None:
    text = "import threading\ndef f():\n    raise ValueError('of the thread')\n"
    ended = run(text + "thread = threading.Thread(target=f)\nthread.start()\nthread.join()")
    assert (ended.outcome, ended.exception) == (Outcome.FINISHED, None)
    assert "of the thread" in ended.stderr.text
