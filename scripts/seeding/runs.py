"""Runs seeded programs under the observing probe, one after another; what has run already is not run again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from seeding.blueprint import FAULTS, Blueprint, draw, seed

HERE = Path(__file__).parent
PROBE = HERE.parents[1] / "src" / "bugloss" / "probes" / "observe"
PROGRAMS = {"torch": "torch_program.py", "keras": "keras_program.py"}
SECONDS = 120
GENEROUS = 0.5  # of the training time may go into observing


def plans(first: int, count: int, faults: Sequence[str] = FAULTS) -> Iterator[Blueprint]:
    """Healthy programs, each followed by itself with one fault of each kind."""
    for number in range(first, first + count):
        healthy = draw(number)
        yield healthy
        yield from (seed(healthy, fault) for fault in faults)


def record(folder: Path, stack: str, python: str, plan: Blueprint, probe: Path = PROBE) -> bool:
    """Runs a plan unless it came to its end before; whether anything was run. The result is written last."""
    run = folder / stack / plan.name
    if _came_to_its_end(run / "result.json"):
        return False
    shutil.rmtree(run, ignore_errors=True)
    run.mkdir(parents=True)
    (run / "plan.json").write_text(json.dumps(plan.plain()), encoding="utf-8")
    # Half of the programs are watched closely, half as users do by default, so that features of both are learned.
    budget = (GENEROUS, None)[plan.number % 2]
    settings = json.dumps({"events": str(run / "events.jsonl"), "budget": budget})
    program = HERE / PROGRAMS["torch" if stack.startswith("torch") else "keras"]
    command = [python, str(probe), settings, str(program), str(run / "plan.json")]
    done = _run(command)
    result = _result(done) if _observed(run / "events.jsonl") else {"failed": "no step was observed"}
    (run / "result.json").write_text(json.dumps(result), encoding="utf-8")
    return True


def _came_to_its_end(result: Path) -> bool:
    return result.exists() and "score" in json.loads(result.read_text(encoding="utf-8"))


def _observed(events: Path) -> bool:
    return events.exists() and '"event": "step"' in events.read_text(encoding="utf-8")


def _run(command: list[str]) -> subprocess.CompletedProcess[str] | None:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "2"}
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, env=environment, check=False)
    except subprocess.TimeoutExpired:
        return None


def _result(done: subprocess.CompletedProcess[str] | None) -> dict[str, object]:
    """The score that the program printed last; a program that failed has none and says why."""
    if done is None:
        return {"failed": f"took longer than {SECONDS} seconds"}
    if done.returncode:
        return {"failed": done.stderr[-500:]}
    score = json.loads(done.stdout.strip().splitlines()[-1])["score"]
    return {"score": None if score != score else score}
