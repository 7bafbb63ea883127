"""Many small programs with one import of their framework: each runs in a process of its own, plain and observed.

Importing TensorFlow takes longer than any of these programs. One interpreter imports it and forks a child for each; the
child runs the program as ``__main__`` in a folder of its own, by itself or through the observing probe. What must start
from nothing (a program that spawns workers, say) is marked fresh and gets an interpreter of its own.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from bugloss.core.finding import Severity
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.observe.contract import Detector
from bugloss.observe.detection import detect
from bugloss.observe.recording import Recording, read

PROBE = Path(str(files("bugloss.probes") / "observe"))

DRIVER = '''
import atexit, builtins, gc, importlib, json, os, runpy, signal, sys, threading, types
EXIT = os._exit
PROBE, jobs = sys.argv[1], json.load(open(sys.argv[2]))
for name in sys.argv[3:]:
    importlib.import_module(name)

def alone(script):
    """As the interpreter runs a script."""
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=os.path.abspath(script), __builtins__=builtins)
    sys.modules["__main__"] = module
    sys.path[0], sys.argv = os.getcwd(), [script]
    exec(compile(open(script).read(), os.path.abspath(script), "exec"), module.__dict__)

def observed(script, settings):
    del sys.path[0]
    sys.path.insert(0, PROBE)  # the probe's entry takes it off again
    sys.argv = [PROBE, settings, script]
    runpy.run_path(os.path.join(PROBE, "__main__.py"), run_name="__main__")

def child(job):
    os.chdir(job["folder"])
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(job[name], os.O_WRONLY | os.O_CREAT, 0o600), number)
    signal.alarm(90)
    settings = job["settings"]
    if job["fresh"]:
        os.execv(sys.executable, [sys.executable] + ([PROBE, settings] if settings else []) + ["train.py"])
    observed("train.py", settings) if settings else alone("train.py")
    # All that the interpreter would do now, but for taking a whole framework apart in memory.
    threading._shutdown(), atexit._run_exitfuncs()
    if not sys.stdout.closed:
        sys.stdout.flush()
    sys.stderr.flush(), EXIT(0)

codes = {}
gc.freeze()  # what was imported is not gone through again at the end of every child
for job in jobs:
    process = os.fork()
    if not process:
        break
    status = os.waitpid(process, 0)[1]
    codes[job["name"]] = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
else:
    print(json.dumps(codes))
    sys.exit()
child(job)
'''


@dataclass(frozen=True, slots=True)
class Program:
    """A program and the exit code that it is meant to end with."""

    text: str
    code: int = 0
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Ran:
    """A program that ran, plain or observed; nothing is recorded of a plain one."""

    code: int
    out: str
    errors: str
    recording: Recording


@dataclass(frozen=True, slots=True)
class Pair:
    """The same program without the probe and with it."""

    plain: Ran
    seen: Ran


def run_all(python: str, modules: tuple[str, ...], programs: Mapping[str, Program], folder: Path) -> dict[str, Pair]:
    """Runs every program twice, in the order given."""
    jobs = [job for name in programs for job in _jobs(name, programs[name], folder)]
    codes = _run(python, modules, jobs, folder)
    return {
        name: Pair(*(_ran(codes[f"{name}-{kind}"], folder / f"{name}-{kind}") for kind in ("plain", "seen")))
        for name in programs
    }


def ask_all(python: str, modules: tuple[str, ...], programs: Mapping[str, str], folder: Path) -> dict[str, Ran]:
    """Runs every program observed, and tries those relations on its models that need no training."""
    asked = {"properties": True, "lessons": False, "question_seconds": 15}
    jobs = [_job(folder / name, Program(text), observed=True, **asked) for name, text in programs.items()]
    codes = _run(python, modules, jobs, folder)
    return {name: _ran(codes[name], folder / name) for name in programs}


def _run(python: str, modules: tuple[str, ...], jobs: list[dict[str, object]], folder: Path) -> dict[str, int]:
    (folder / "driver.py").write_text(DRIVER)
    (folder / "jobs.json").write_text(json.dumps(jobs))
    done = subprocess.run(
        [python, str(folder / "driver.py"), str(PROBE), str(folder / "jobs.json"), *modules],
        capture_output=True, text=True, timeout=600, check=False, cwd=folder, env=_environment(folder),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    codes: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    return codes


def _environment(folder: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"], "HOME": str(folder), "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "",
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }  # fmt: skip


def _jobs(name: str, program: Program, folder: Path) -> list[dict[str, object]]:
    return [_job(folder / f"{name}-{kind}", program, observed=kind == "seen") for kind in ("plain", "seen")]


def _job(home: Path, program: Program, *, observed: bool, **more: float) -> dict[str, object]:
    # The program may do away with its own folder; what is kept of it lies beside.
    (home / "here").mkdir(parents=True)
    (home / "here" / "train.py").write_text(program.text)
    settings = json.dumps({"events": str(home / "events.jsonl"), "budget": 5, **more}) if observed else ""
    return {
        "name": home.name, "folder": str(home / "here"), "out": str(home / "out"), "err": str(home / "err"),
        "settings": settings, "fresh": program.fresh,
    }  # fmt: skip


def _ran(code: int, home: Path) -> Ran:
    events = home / "events.jsonl"
    lines = events.read_text().splitlines() if events.exists() else []
    return Ran(code, (home / "out").read_text(), (home / "err").read_text(), read(lines))


def assert_unnoticed(program: Program, pair: Pair) -> None:
    """The program ended as it was meant to, and as it does without us; it printed the same, digest of weights and all."""
    plain, seen = pair.plain, pair.seen
    assert plain.code == program.code, plain.errors
    assert seen.code == plain.code, seen.errors
    assert seen.out == plain.out
    assert _last_line(seen.errors) == _last_line(plain.errors)


def assert_untroubled(pair: Pair) -> None:
    """The observation worked, and no detector takes the program for a faulty one."""
    recording = pair.seen.recording
    assert recording.unread == 0
    assert [f"{failure.where}: {failure.why}" for failure in recording.failures] == []
    symptoms = detect(recording, load(PluginGroup.DETECTOR, Detector).values())
    assert [symptom.message for symptom in symptoms if symptom.severity.rank > Severity.ADVICE.rank] == []


def _last_line(errors: str) -> str:
    """What went wrong; TensorFlow counts the functions of a process, and ours are among them."""
    return re.sub(r"\d+", "N", (errors.strip().splitlines() or [""])[-1])
