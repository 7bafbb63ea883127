"""What surrounds a run: streams, the working copy, fixed settings, and what is recorded."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bugloss.core.codec import decode, encode
from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.run import Isolation, Limits, Outcome, Run, Settings, Stream
from bugloss.run.environment import Environment
from bugloss.run.execute import Job, execute
from bugloss.run.streams import STREAM_CHARACTERS, HeadAndTail

Runner = Callable[..., Run]


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
    with pytest.raises(EnvironmentFailure, match="no temporary folder can be created") as caught:
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
