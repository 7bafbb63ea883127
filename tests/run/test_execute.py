"""How a program ended is told apart and recorded, whatever the program does to itself and to us."""

from __future__ import annotations

import json
import os
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bugloss.core.codec import decode, encode
from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.run import Isolation, Limits, Outcome, Run, Settings, Stream
from bugloss.run.environment import Environment
from bugloss.run.execute import Job, execute, stop_all
from bugloss.run.streams import STREAM_CHARACTERS, HeadAndTail

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


# Streams.


def test_megabytes_on_standard_output_keep_their_head_and_tail(run: Runner) -> None:
    ended = run("print('first')\nfor n in range(300000):\n    print('line', n)\nprint('last')")
    assert ended.outcome is Outcome.FINISHED
    assert ended.stdout.text.startswith("first\nline 0\n")
    assert ended.stdout.text.endswith("line 299999\nlast\n")
    assert len(ended.stdout.text) < STREAM_CHARACTERS + 100
    assert f"… {ended.stdout.characters_cut} characters left out …" in ended.stdout.text


def test_binary_garbage_on_both_streams_is_kept_as_far_as_it_is_text(run: Runner, level: Isolation) -> None:
    text = "import sys\nfor s in (sys.stdout, sys.stderr):\n    s.buffer.write(bytes(range(256)) + b'\\xe2\\x82 end')"
    ended = run(text, level)
    assert ended.outcome is Outcome.FINISHED
    for stream in (ended.stdout, ended.stderr):
        assert stream.text.endswith("\ufffd end")
        assert "ABC" in stream.text
    assert decode(Run, json.loads(json.dumps(encode(ended)))) == ended


def test_a_program_that_closes_its_streams_is_recorded(run: Runner) -> None:
    ended = run(
        "import os, sys\nsys.stdout.close()\nsys.stderr.close()\nos.closerange(0, 20)\nraise ValueError('quiet')"
    )
    assert ended.outcome is Outcome.RAISED
    assert ended.exception is not None
    assert ended.exception.message == "quiet"


def test_output_without_end_is_stopped(run: Runner, level: Isolation) -> None:
    ended = run("while True:\n    print('x' * 10000)", level, output_megabytes=2)
    assert (ended.outcome, ended.stopped) == (Outcome.KILLED, "it printed more than 2 MB")
    assert ended.stdout.characters_cut > 10**6


def test_standard_input_is_empty(run: Runner) -> None:
    ended = run("input()")
    assert ended.exception is not None
    assert ended.exception.kind == "EOFError"


def read_stream(content: bytes) -> Stream:
    excerpt = HeadAndTail()
    for start in range(0, len(content), 65536):
        excerpt.add(content[start : start + 65536])
    return excerpt.stream()


@pytest.mark.parametrize("length", [0, 1, STREAM_CHARACTERS - 1, STREAM_CHARACTERS])
def test_short_output_is_kept_whole(length: int) -> None:
    text = "ä" * length
    assert read_stream(text.encode()) == Stream(text)


@pytest.mark.parametrize("excess", [1, 12_345, 1_500_000])
def test_long_output_says_exactly_how_much_was_left_out(excess: int) -> None:
    block = "".join(chr(0x4E00 + n) for n in range(4999))
    text = (block * ((STREAM_CHARACTERS + excess) // len(block) + 1))[: STREAM_CHARACTERS + excess]
    stream = read_stream(text.encode())
    quarter = STREAM_CHARACTERS // 4
    assert stream.characters_cut == excess
    head, _, tail = stream.text.partition(f"\n… {excess} characters left out …\n")
    assert (head, tail) == (text[:quarter], text[-3 * quarter :])


def test_line_ends_are_kept_as_they_were_written() -> None:
    assert read_stream(b"a\r\nb\rc\n").text == "a\r\nb\rc\n"


def test_a_character_cut_off_at_the_end_is_marked() -> None:
    assert read_stream("ä".encode()[:1]).text == "\ufffd"


# The working copy and what lies around it.


def test_a_program_works_on_its_own_copy(run: Runner, level: Isolation) -> None:
    """The fixture compares the sources after each run."""
    text = "import os\nfor name in ('program.py', 'data/one.txt'):\n    open(name, 'w').write('spoilt')\n"
    text += "os.remove('program.py'); os.rename('data', 'moved'); print(open('moved/one.txt').read())"
    ended = run(text, level, files={"data/one.txt": "1"})
    assert ended.outcome is Outcome.FINISHED
    assert ended.stdout.text == "spoilt\n"


def test_each_run_starts_from_a_fresh_copy(run: Runner, level: Isolation) -> None:
    text = (
        "import os; home = os.listdir(os.environ['HOME']); open('trace', 'w'); open(os.environ['HOME'] + '/t', 'w')\n"
    )
    text += "print('trace' in os.listdir('.')[1:], 't' in home)"
    assert run(text, level).stdout.text == run(text, level).stdout.text == "False False\n"


def test_nothing_stays_behind(run: Runner, level: Isolation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    text = "import os\nos.makedirs('a/b')\nopen('a/b/c', 'w').close()\nos.chmod('a/b', 0)\nos.chmod('a', 0)"
    run(text, level)
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("deed", ["os.environ.clear()", "[os.environ.pop(name) for name in list(os.environ)]"])
def test_a_program_that_empties_its_variables_is_recorded(run: Runner, deed: str) -> None:
    ended = run(f"import os\n{deed}\nraise ValueError('after')")
    assert ended.exception is not None
    assert ended.exception.message == "after"


@pytest.mark.parametrize("place", ["os.environ['HOME']", "os.getcwd()", "os.path.dirname(os.environ['HOME'])"])
def test_a_program_that_deletes_its_folders_is_recorded(run: Runner, level: Isolation, place: str) -> None:
    text = f"import os, shutil\nshutil.rmtree({place}, ignore_errors=True)\nraise ValueError('after')"
    ended = run(text, level)
    assert ended.outcome is Outcome.RAISED, ended.stderr.text
    assert ended.exception is not None
    assert ended.exception.message == "after"


EVIDENCE = "import sys; record = sys.modules['bugloss_channel'].take()\n"


def test_nothing_on_disk_is_evidence(run: Runner) -> None:
    text = """
import os
for folder in (os.environ["HOME"], os.getcwd()):
    with open(os.path.join(folder, "evidence.jsonl"), "a") as lines:
        lines.write('{"oracle": "value", "value": 1}\\n')
print([name for name in os.environ if "EVIDENCE" in name])
"""
    ended = run(text)
    assert (ended.outcome, ended.evidence, ended.stdout.text) == (Outcome.FINISHED, (), "[]\n")


ODD_LINES = (
    '{"event": ',
    "[1, 2]",
    "null",
    '"ended"',
    "5",
    "",
    '{"a": ' * 5000 + "1" + "}" * 5000,
    "[" * 100 + "]" * 100,
)


def test_lines_that_are_no_events_do_not_confuse_us(run: Runner) -> None:
    ended = run(EVIDENCE + f"record(*{ODD_LINES!r})\nrecord('{{\"event\": \"own\"}}')\nraise ValueError('own')")
    assert ended.outcome is Outcome.RAISED
    assert ended.exception is not None
    assert ended.exception.message == "own"
    assert ended.evidence == ({"event": "own"},)


def test_evidence_written_while_the_interpreter_shuts_down_counts(run: Runner) -> None:
    ended = run(EVIDENCE + 'import atexit; atexit.register(record, \'{"oracle": "late"}\')')
    assert ended.outcome is Outcome.FINISHED
    assert ended.evidence == ({"oracle": "late"},)


def test_half_characters_in_evidence_can_be_written_down(run: Runner) -> None:
    ended = run(EVIDENCE + 'record(\'{"a\\\\ud800": ["b\\\\udc80"], "c": "\\\\ud83d\\\\ude00"}\')')
    assert [*ended.evidence] == [{"a\ufffd": ["b\ufffd"], "c": "\U0001f600"}]


def test_arguments_reach_the_program(run: Runner, level: Isolation) -> None:
    ended = run("import sys, json; print(json.dumps(sys.argv))", level, "--flag", "two words", "a=b", "")
    assert json.loads(ended.stdout.text) == ["program.py", "--flag", "two words", "a=b", ""]


def test_a_source_that_cannot_be_read_is_the_callers_fault(environment: Environment, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"gone\.py cannot be read: No such file"):
        execute(Job({"program.py": tmp_path / "gone.py"}, "program.py"), environment)


def test_no_room_for_a_scratch_folder_is_the_machines_fault(
    environment: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    (tmp_path / "program.py").write_text("")
    with pytest.raises(EnvironmentFailure, match="no scratch folder can be made") as caught:
        execute(Job({"program.py": tmp_path / "program.py"}, "program.py"), environment, Isolation("limits"))
    assert "export TMPDIR=" in caught.value.hint


# What is fixed, and what is recorded.

LOCAL = """
import json, locale, os, random, sys, time
print(json.dumps([hash("x"), hash(("a", "b")), time.tzname, time.localtime(0).tm_hour, os.environ["OMP_NUM_THREADS"],
                  os.environ["BUGLOSS_SEED"], sys.stdout.encoding, sys.getfilesystemencoding(), os.environ["LC_ALL"],
                  locale.getpreferredencoding(), os.environ["CUDA_VISIBLE_DEVICES"]]))
"""


def test_two_runs_see_the_same_hash_time_zone_locale_and_threads(
    run: Runner, level: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run(LOCAL, level)
    for name, value in {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "7", "OMP_NUM_THREADS": "9"}.items():
        monkeypatch.setenv(name, value)
    second = run(LOCAL, level)
    assert first.stdout == second.stdout
    values = json.loads(first.stdout.text)
    assert values[2:] == [["UTC", "UTC"], 0, "1", "0", "utf-8", "utf-8", "C.UTF-8", "UTF-8", ""]
    assert first.settings == Settings()


def test_other_settings_reach_the_program_and_are_recorded(run: Runner) -> None:
    settings = Settings(seed=7, hash_seed=3, threads=2, time_zone="Asia/Tokyo", locale="C")
    ended = run(LOCAL, settings=settings)
    values = json.loads(ended.stdout.text)
    assert values[3:6] == [9, "2", "7"]
    assert values[0] != json.loads(run(LOCAL).stdout.text)[0]
    assert ended.settings == settings


def test_variables_of_the_stack_reach_the_program(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import os; print(os.environ['KERAS_BACKEND'])")
    job = Job({"program.py": tmp_path / "program.py"}, "program.py")
    ended = execute(job, replace(environment, variables={"KERAS_BACKEND": "torch"}), Isolation("limits"))
    assert ended.stdout.text == "torch\n"


def test_a_run_records_what_a_verdict_needs(environment: Environment, tmp_path: Path, level: Isolation) -> None:
    (tmp_path / "program.py").write_text("x = bytearray(60 * 2**20)")
    limits = Limits(wall_seconds=20, memory_megabytes=900, processes=50, file_megabytes=5)
    job = Job({"program.py": tmp_path / "program.py"}, "program.py", limits=limits, subject={"bug": "torch-0001"})
    ended = execute(job, environment, level)
    assert ended.environment == environment.digest
    assert ended.python == environment.python_version
    assert (ended.limits, ended.isolation, ended.subject) == (limits, level, {"bug": "torch-0001"})
    assert ended.peak_megabytes is not None
    assert 60 < ended.peak_megabytes < 200
    assert 0 < ended.seconds < 20
    assert ended.started_at.endswith("+00:00")


@pytest.mark.parametrize(
    "text", ["", "raise ValueError('ä\\n☃')", "import os; os.kill(os.getpid(), 9)", "import sys; sys.exit(4)"]
)
def test_a_run_survives_a_journey_through_json(run: Runner, text: str) -> None:
    ended = run(text)
    assert decode(Run, json.loads(json.dumps(encode(ended)))) == ended


def test_a_run_that_was_timed_out_survives_a_journey_through_json(run: Runner) -> None:
    ended = run("import time; time.sleep(9)", wall_seconds=0.5)
    assert decode(Run, json.loads(json.dumps(encode(ended)))) == ended
