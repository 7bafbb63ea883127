"""The observing probe in real interpreters: patches, lines of operations and whole scripts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import types
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from bugloss.observe.recording import Recording, read
from bugloss.run.interpreters import PythonInterpreter

PROBE = Path(str(files("bugloss.probes") / "observe"))


# Patches


def test_patches_come_off_and_leave_what_others_put_there(probe: Callable[[str], Any]) -> None:
    class Base:
        def greet(self) -> str:
            return "hello"

    class Derived(Base):
        def leave(self) -> str:
            return "bye"

    patches = probe("patches").Patches()
    assert patches.wrap(Derived, "greet", lambda original: lambda self: original(self).upper())
    assert patches.wrap(Derived, "leave", lambda original: lambda self: original(self).upper())
    assert not patches.wrap(Derived, "missing", lambda original: original)
    assert Derived().greet() == "HELLO" and Base().greet() == "hello"
    with patches.lifted():
        assert Derived().greet() == "hello" and "greet" not in vars(Derived)
    assert Derived().leave() == "BYE"
    Derived.leave = lambda self: "mine"  # type: ignore[method-assign]
    patches.undo()
    assert Derived().greet() == "hello" and "greet" not in vars(Derived) and Derived().leave() == "mine"


def test_a_wrapper_does_not_shift_the_line_that_a_warning_blames(probe: Callable[[str], Any]) -> None:
    module = types.ModuleType("library")
    exec("import warnings\ndef call(): warnings.warn('careful', stacklevel=2)", vars(module))
    probe("patches").Patches().wrap(module, "call", lambda original: lambda: str(original()))
    with pytest.warns(UserWarning, match="careful") as caught:
        module.call()
    assert caught[0].filename == __file__


def test_facts_about_objects_neither_keep_them_nor_mistake_them(probe: Callable[[str], Any]) -> None:
    class Unhashable:
        __hash__ = None  # type: ignore[assignment]

        def __eq__(self, other: object) -> bool:
            return True

    facts = probe("patches").Identities()
    first, second = Unhashable(), Unhashable()
    facts.set(first, 1)
    assert facts.get(first) == 1 and facts.get(second) is None and len(facts.alive()) == 1
    del first
    assert facts.alive() == []


# Lines of operations

FORMULA = """
import torch

def loss_of(p, t):
    q = p.clamp(0)
    return -(t * torch.log(q)).mean()

def unused(p):
    return p.log()

def train(model, x, y):
    for _ in range(3):
        out = model(x)
        ratio = out / y
        near = torch.sqrt(ratio)
        loss = loss_of(near, y)
        loss.backward()
    return out / 2
"""


@pytest.mark.parametrize(
    ("operation", "found"),
    [
        ("log", (6, "loss_of")), ("div", (14, "train")), ("sqrt", (15, "train")), ("clamp", (5, "loss_of")),
        ("acos", None), ("linalgvectornorm", None),
    ],
)  # fmt: skip
def test_the_line_of_an_operation_is_found_on_the_way_to_where_the_program_stood(
    probe: Callable[[str], Any], tmp_path: Path, operation: str, found: tuple[int, str] | None
) -> None:
    (tmp_path / "train.py").write_text(FORMULA)
    assert probe("source").line_of(str(tmp_path / "train.py"), 17, operation) == found


# Scripts, in real interpreters

SCRIPT = """
import atexit, os, sys, warnings
print(sys.argv, os.path.basename(sys.path[0]), __name__, os.path.basename(__file__), "BUGLOSS_OBSERVE" in os.environ)
warnings.warn("look\\nhere")
atexit.register(print, "the end")
class Box(object):
    def __init__(self, shape):
        self.shape, self.dtype = shape, "float32"
def multiply(left, right):
    total = {"left": left}
    return left @ right
if sys.argv[1] == "raise":
    multiply(Box((2, 3)), Box((4, 5)))
if sys.argv[1] == "chain":
    try:
        {}["missing"]
    except KeyError as error:
        raise RuntimeError("no \\udcff such thing") from error
if sys.argv[1] == "hook":
    sys.excepthook = lambda kind, error, trace: print("my own hook", kind, trace.tb_frame.f_code.co_name)
    1 / 0
if sys.argv[1] == "sudden":
    sys.stdout.flush()
    os._exit(7)
if sys.argv[1] == "words":
    sys.exit("words")
if sys.argv[1] == "interrupt":
    raise KeyboardInterrupt
"""


def start(folder: Path, python: str, ending: str, observed: bool) -> tuple[int, str, str]:
    (folder / "script.py").write_text(SCRIPT)
    before = [str(PROBE), json.dumps({"events": "events.jsonl"})] if observed else []
    done = subprocess.run(
        [python, *before, "script.py", ending],
        cwd=folder, capture_output=True, text=True, check=False,
        env={"PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("ending", ["chain", "hook", "words", "interrupt", "none"])
def test_a_script_ends_as_it_would_without_us(tmp_path: Path, ending: str) -> None:
    assert start(tmp_path, sys.executable, ending, True) == start(tmp_path, sys.executable, ending, False)
    recording = read((tmp_path / "events.jsonl").read_text().splitlines())
    assert recording.cost is not None and not recording.failures
    assert (recording.crash is not None) is (ending in ("chain", "hook", "interrupt"))


@pytest.mark.parametrize("ending", ["raise", "sudden"])
def test_old_and_new_interpreters_run_scripts_unchanged(
    old_and_new: PythonInterpreter, tmp_path: Path, ending: str
) -> None:
    python = str(old_and_new.path)
    assert start(tmp_path, python, ending, True) == start(tmp_path, python, ending, False)
    recording = read((tmp_path / "events.jsonl").read_text().splitlines())
    assert recording.cost is not None and recording.occasions[0].facts["message"] == "look"
    if ending == "raise":
        check_crash(recording)


def check_crash(recording: Recording) -> None:
    crash = recording.crash
    assert crash is not None and crash.exception.kind == "TypeError"
    assert [frame.function for frame in crash.exception.frames] == ["<module>", "multiply"]
    operands = [(operand.name, operand.shape, operand.path) for operand in crash.operands]
    assert operands[:2] == [("left", (2, 3), "script.py"), ("right", (4, 5), "script.py")]
    assert ("total['left']", (2, 3), "script.py") in operands


def test_a_module_is_run_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__main__.py").write_text("import sys\nprint(sys.argv[1:], __name__, __package__)\n")
    command = [sys.executable, str(PROBE), "-m", "pack", "a", "b"]
    variables = {"PATH": os.environ["PATH"], "BUGLOSS_OBSERVE": '{"events": "e.jsonl"}'}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=variables)
    assert (done.returncode, done.stdout, done.stderr) == (0, "['a', 'b'] __main__ pack\n", "")
    assert (tmp_path / "e.jsonl").exists()


def test_processes_that_a_script_starts_are_not_observed(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        textwrap.dedent("""
        import multiprocessing, warnings
        def work(queue):
            warnings.warn("in the child")
            queue.put(1)
        if __name__ == "__main__":
            for way in ("fork", "spawn"):
                context = multiprocessing.get_context(way)
                queue = context.Queue()
                process = context.Process(target=work, args=(queue,))
                process.start()
                print(queue.get(), end=" ")
                process.join()
                print(process.exitcode)
        """)
    )
    command = [sys.executable, str(PROBE), '{"events": "e.jsonl"}', "script.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout == "1 0\n1 0\n", done.stderr
    recording = read((tmp_path / "e.jsonl").read_text().splitlines())
    assert not recording.occasions and recording.cost is not None


def test_a_program_past_its_deadline_knows_it(probe: Callable[[str], Any]) -> None:
    core = probe("core")
    assert not core.Recorder(None, settings={"deadline": 60}).overdue
    late = core.Recorder(None, settings={"deadline": 60})
    late.born -= 61
    assert late.overdue and not core.Recorder(None).overdue
