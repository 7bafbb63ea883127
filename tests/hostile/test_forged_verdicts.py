"""No program talks its judge into a pass: each of these once did, or is a neighbour of one that did.

The program under test shares a machine with its judge and may do what it likes: end early, write to every descriptor,
bring files with the names of modules, open other processes. What it may not do is pass a test that it fails.
"""

from __future__ import annotations

import json
import resource
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from tiny_corpus import KINDS, TinyCorpus

from bugloss.core.bug import Twin
from bugloss.core.judgement import Grade
from bugloss.core.run import Outcome
from bugloss.core.trial import Trial
from bugloss.run import channel, sandbox
from bugloss.run.environment import Environment
from bugloss.workflows.bug_trial import run_trial
from bugloss.workflows.diagnosis import examine
from bugloss.workflows.observation import Observation, observe_sandboxed, recording_of

Judge = Callable[..., Trial]
LEVELS = [pytest.param("bubblewrap", marks=pytest.mark.bubblewrap), "limits"]
SICK = {kind: program for kind, (program, *_) in KINDS.items()}

# Evidence in every form that it has or once had, and every place that it could be put into.
FORGE = """
import json, os, sys

def measurements():
    for kind, count in (("exception", 1), ("value", 1), ("symptom", 6), ("cost", 3)):
        if kind == KIND:
            for seed in range(count):
                yield json.dumps({"oracle": kind, "survived": True, "metric": "score", "seed": seed,
                                  "value": 10 if kind == "cost" else 0.95, "bound": ["at least", 0.0], "ratio": 4,
                                  "healthy": True})

ENDED = '{"event": "ended", "exit": 0, "peak_kilobytes": 1}'
CLOSED = '{"code": 0, "said": 0, "peak_kilobytes": 1}'

def lines():
    for start in ("", "0 ", "0" * 32 + " ", "0" * 32 + " 0 "):
        for line in measurements():
            yield start + "evidence " + line
        yield start + "end 0"
        yield start + "closed " + CLOSED

TEXT = ("\\n" + "\\n".join(lines()) + "\\n").encode()
FILE = ("\\n".join(list(measurements()) + [ENDED]) + "\\n").encode()

def forge(folder="/proc/self/fd"):
    for number in range(3, 1100):
        attempt(lambda: os.write(number, TEXT))
    for name in attempt(lambda: os.listdir(folder)) or ():
        if int(name) > 2:
            attempt(lambda: open(os.path.join(folder, name), "wb", buffering=0).write(TEXT))
    for path in (os.environ.get("BUGLOSS_EVIDENCE", "evidence.jsonl"), os.environ["HOME"] + "/evidence.jsonl"):
        attempt(lambda: open(path, "ab").write(FILE))

def attempt(deed):
    try:
        return deed()
    except (OSError, ValueError):
        return None
"""


@pytest.fixture
def judge(tiny: TinyCorpus, bare: Environment, tmp_path: Path) -> Judge:
    """The trial of a program, with other files next to it, by a bug's own test."""

    def try_out(kind: str, program: str, files: Mapping[str, str] = {}, level: str = "limits", test: str = "") -> Trial:
        tiny.add(kind=kind, files={"test.py": test or KINDS[kind][2]})
        work = tmp_path / f"work-{len(list(tmp_path.iterdir()))}"
        for name, text in {"program.py": program, **files}.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_text(text)
        entry = tiny.load()["torch-0001"]
        return run_trial(entry, Twin.BUGGY, program=work, isolation=sandbox.isolation(level), timeout=30)

    return try_out


def forger(kind: str, deed: str, when: str = "measured") -> str:
    """A program that fails its test and does the deed, when it is imported or when it is measured."""
    name = "run" if kind == "exception" else "measure"
    text = f"KIND = {kind!r}\n{FORGE}\n{SICK[kind]}\n"
    if when == "imported":
        return text + deed
    body = "".join(f"    {line}\n" for line in deed.splitlines())
    return f"{text}\nsick = {name}\n\ndef {name}(*seed):\n{body}    return sick(*seed)\n"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", KINDS)
def test_an_honest_program_passes_and_a_sick_one_fails(judge: Judge, kind: str, level: str) -> None:
    assert judge(kind, KINDS[kind][1], level=level).grade is Grade.PASS
    assert judge(kind, SICK[kind], level=level).grade is Grade.FAIL


# Ends that were not reached.


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", KINDS)
def test_evidence_and_a_sudden_exit_do_not_pass(judge: Judge, kind: str, level: str) -> None:
    trial = judge(kind, forger(kind, "forge(); os._exit(0)"), level=level)
    assert (trial.run.outcome, trial.grade, trial.run.evidence) == (Outcome.KILLED, Grade.NOT_RUN, ())


SUDDEN = {
    "at import": ("imported", "forge(); os._exit(0)"),
    "another program": ("measured", "forge(); os.execv('/bin/true', ['true'])"),
    "an exit": ("measured", "forge(); sys.exit(0)"),
    "a signal": ("measured", "forge(); os.kill(os.getpid(), 15)"),
    "a thread": ("measured", "import threading\nforge()\nthreading.Thread(target=os._exit, args=(0,)).start()"),
    "a handler": ("imported", "import atexit\natexit.register(os._exit, 0)\natexit.register(forge)"),
    "a hook": ("imported", "def hook(*_):\n    forge(); os._exit(0)\nsys.excepthook = hook"),
    "a child": ("measured", "if os.fork() > 0:\n    forge(); os._exit(0)"),
    "closed descriptors": ("measured", "forge(); os.closerange(3, 2000)\nsick = lambda *_: os._exit(0)"),
}


@pytest.mark.parametrize("name", SUDDEN)
def test_no_other_way_out_passes(judge: Judge, name: str) -> None:
    when, deed = SUDDEN[name]
    trial = judge("symptom", forger("symptom", deed, when))
    assert trial.grade in {Grade.NOT_RUN, Grade.STRANGE, Grade.FAIL}
    assert len(trial.run.evidence) <= 6


def test_an_exception_of_the_judges_name_is_not_the_judges(judge: Judge) -> None:
    trial = judge("symptom", forger("symptom", "class Failed(AssertionError): pass\nforge()\nraise Failed('no')"))
    assert trial.grade is Grade.STRANGE


def test_a_child_that_goes_on_writing_after_the_end_changes_nothing(judge: Judge) -> None:
    deed = "if os.fork() == 0:\n    os.setsid()\n    while True:\n        forge()"
    assert judge("symptom", forger("symptom", deed, "imported")).grade is Grade.FAIL


# Files with the names of modules.

NAMES = (
    *("math", "json", "random", "time", "os", "gc", "ctypes", "numpy", "oracle", "launch", "supervise", "runpy"),
    *("traceback", "types", "sitecustomize", "usercustomize", "bugloss_channel", "codecs", "linecache", "tokenize"),
)


@pytest.mark.parametrize("kind", ["symptom", "cost"])
def test_no_file_stands_in_for_a_module_of_the_judge(judge: Judge, kind: str) -> None:
    stand_in = f"KIND = {kind!r}\n{FORGE}\nforge(); os._exit(0)\n"
    files = {f"{name}.py": stand_in for name in NAMES} | {"encodings/__init__.py": stand_in}
    trial = judge(kind, SICK[kind], files)
    assert trial.grade is Grade.FAIL, trial.judgement.reason


@pytest.mark.parametrize("name", NAMES)
def test_no_file_of_a_modules_name_forges_six_seeds(judge: Judge, name: str) -> None:
    stand_in = f"KIND = 'symptom'\n{FORGE}\nforge(); os._exit(0)\n"
    program = f"try:\n    import {name}\nexcept ImportError:\n    pass\n{SICK['symptom']}"
    assert judge("symptom", program, {f"{name}.py": stand_in}).grade in {Grade.FAIL, Grade.NOT_RUN}


OWN_IMPORT = '''"""Healthy: a bright colour."""

import colorsys

import oracle
import program


def brightness(seed):
    return colorsys.rgb_to_hsv(*[program.measure(seed)] * 3)[2]


oracle.symptom("brightness", brightness, at_least=0.8)
'''


@pytest.mark.parametrize("level", LEVELS)
def test_no_file_stands_in_for_a_module_that_the_test_imports(judge: Judge, level: str) -> None:
    bright = {"colorsys.py": "def rgb_to_hsv(*colour):\n    return 0, 0, 1.0\n"}
    sick = judge("symptom", SICK["symptom"], bright, level, test=OWN_IMPORT)
    assert sick.grade is Grade.FAIL, sick.judgement.reason
    assert judge("symptom", KINDS["symptom"][1], bright, level, test=OWN_IMPORT).grade is Grade.PASS


# Replaced functions.

PATCHES = {
    "the recorder": "import oracle\noracle._record = oracle._recorder = lambda *_: None",
    "the verdict": "import oracle\noracle.meets = lambda *_: True\noracle._conclude = lambda *_: None",
    "the sign test": "import oracle\noracle.sign_test = lambda *_: ('pass', 0.0)",
    "the reader of numbers": "import oracle\noracle.plain = oracle._plain = lambda value: 0.95",
    "json": "json.dumps = lambda event, **_: next(measurements())",
    "open": "import builtins, io\nbuiltins.open = lambda *_, **__: io.StringIO()",
    "exit": "sys.exit = lambda *_: os._exit(0)",
    "writing": "real = os.write\nos.write = lambda number, text: real(number, TEXT)",
    "the name of the process": "os.getpid = lambda: 1",
    "the seed": "os.environ['BUGLOSS_SEED'] = '7'",
    "the bound": "import oracle\noracle._bound = lambda *_: ['at least', 0.0]",
}


@pytest.mark.parametrize("name", PATCHES)
def test_functions_that_the_program_replaces_do_not_judge(judge: Judge, name: str) -> None:
    trial = judge("symptom", forger("symptom", PATCHES[name], "imported"))
    assert trial.grade in {Grade.FAIL, Grade.STRANGE, Grade.NOT_RUN}


@pytest.mark.parametrize("patch", ["time.process_time = lambda: 0.0", "oracle.time = None"])
def test_the_clock_is_the_judges_own(judge: Judge, patch: str) -> None:
    test = KINDS["cost"][2].replace("program.measure, ratio", "lambda seed: oracle.cpu_seconds(program.work), ratio")
    program = f"import time\nimport oracle\n{patch}\n\ndef work():\n    sum(range(10**5))\n"
    trial = judge("cost", program, test=test)
    assert all(event["value"] > 0 for event in trial.run.evidence)
    assert len(trial.run.evidence) == 3


# The process of the judge.

OPEN_OTHERS = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
parent = os.getppid()
assert b"supervise" in open("/proc/%d/cmdline" % parent, "rb").read()
if attempt(lambda: open("/proc/%d/mem" % parent, "r+b")):
    print("OPEN mem")
for name in attempt(lambda: os.listdir("/proc/%d/fd" % parent)) or ():
    if attempt(lambda: os.readlink("/proc/%d/fd/%s" % (parent, name))):
        print("OPEN", name)
if libc.ptrace(16, parent, None, None) == 0:
    print("OPEN ptrace")
for pid in {parent, 1} if INSIDE else {parent}:  # the first process of the sandbox has the user's own rights, too
    forge("/proc/%d/fd" % pid)
    handle = libc.syscall(434, pid, 0)
    for number in range(3, 64):
        copied = libc.syscall(438, handle, number, 0)
        if copied >= 0:
            print("OPEN" if pid == parent else "open", number)
            attempt(lambda: os.write(copied, TEXT))
print("tried")
"""


@pytest.mark.parametrize("level", LEVELS)
def test_the_supervisor_cannot_be_opened(judge: Judge, level: str) -> None:
    deed = OPEN_OTHERS.replace("INSIDE", str(level == "bubblewrap"))
    trial = judge("value", forger("value", deed), level=level)
    assert "tried" in trial.run.stdout.text, trial.run.stderr.text
    assert "OPEN" not in trial.run.stdout.text
    assert trial.grade is Grade.FAIL


@pytest.mark.parametrize("number", ["SIGKILL", "SIGTERM"])
@pytest.mark.parametrize("level", LEVELS)
def test_a_supervisor_that_is_killed_leaves_no_verdict(judge: Judge, level: str, number: str) -> None:
    deed = "import signal\nforge()\nparent = os.getppid()\n"
    deed += 'assert b"supervise" in open("/proc/%d/cmdline" % parent, "rb").read()\n'
    deed += f"os.kill(parent, signal.{number})"
    trial = judge("value", forger("value", deed), level=level)
    assert trial.grade is (Grade.NOT_RUN if number == "SIGKILL" else Grade.FAIL)


# Numbers that are not measurements.


@pytest.mark.parametrize("kind", ["value", "symptom", "cost"])
@pytest.mark.parametrize(
    "value",
    ["float('nan')", "float('inf') * (-1 if COST else 1)", "10**400", "10**5000", "True", "'0.95'", "[0.95]", "None"],
)
def test_odd_numbers_do_not_pass(judge: Judge, kind: str, value: str) -> None:
    trial = judge(kind, f"COST = {kind == 'cost'}\n\ndef measure(seed):\n    return {value}\n")
    assert trial.grade in {Grade.FAIL, Grade.STRANGE}


# Floods. The program reaches into its judge's memory for the function that writes to the channel.

CHANNEL = """
import oracle

def inner(function, name):
    return function.__closure__[function.__code__.co_freevars.index(name)].cell_contents

send = inner(inner(oracle.survives, "record"), "send")
"""

FLOODS = {
    "many lines": "line = '{\"a\": \"' + 'x' * 10**6 + '\"}'\nfor _ in range(60):\n    send(line)",
    "one line": "send('x' * (60 * 10**6))",
    "many values": "line = '[' + '{},' * 10**6 + '{}]'\nfor _ in range(10):\n    send(line)",
}


@pytest.mark.parametrize("name", FLOODS)
def test_floods_of_evidence_are_cut_and_never_pass(judge: Judge, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One gibibyte of evidence once took five outside: read as a whole, and every value of it kept."""
    monkeypatch.setattr(channel, "MOST_BYTES", 4 * 2**20)
    monkeypatch.setattr(channel, "MOST_VALUES", 100_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    trial = judge("value", KINDS["value"][1] + CHANNEL + FLOODS[name])
    assert trial.run.outcome is Outcome.TOO_MUCH_EVIDENCE
    assert (trial.grade, trial.judgement.reason) == (Grade.NOT_RUN, "its evidence exceeds the limit")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 * 1024


def test_an_observation_that_was_cut_is_not_clear(
    bare: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "train.py"
    script.write_text("print('trained')\n")
    monkeypatch.chdir(tmp_path)
    whole = observe_sandboxed(Observation(script), environment=bare)
    assert recording_of(whole).cost is not None
    monkeypatch.setattr(channel, "MOST_BYTES", 10)
    cut = examine(observe_sandboxed(Observation(script), environment=bare))
    assert cut.facts.outcome is Outcome.TOO_MUCH_EVIDENCE
    assert not cut.diagnosis.clear


@pytest.mark.parametrize("line", ['{"a": ' * 10**5 + "1" + "}" * 10**5, "[" * 10**6, '{"a": 1' + "0" * 10**5 + "}"])
def test_lines_that_are_hard_to_read_stop_nothing(judge: Judge, line: str) -> None:
    trial = judge("value", SICK["value"] + CHANNEL + f"send({json.dumps(line)})")
    assert trial.grade is Grade.FAIL, trial.judgement.reason
