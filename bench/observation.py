"""What watching costs: plain training, bugloss, PyTorch's anomaly mode, and checking every batch as DeepLocalize does.

Five models with steps of at least 5 ms: an MLP, a small CNN and a small transformer in PyTorch, an MLP and a CNN in
Keras. Each way of running trains the same model for the same number of steps as plain training does at the same time,
on another core; the cores change sides each time, and both begin together. So a machine that slows down slows both.
The program reports its own training seconds, so that neither imports nor start-up count.
"""

from __future__ import annotations

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.measurement import ROOT
from bugloss.run.environment import provide
from bugloss.stacks.stack import load_stack

PAIRS = {"bugloss": 10}  # even: cores change sides
FEW_PAIRS = 2  # of the ways that only give the scale
PROGRAMS = ROOT / "bench" / "programs"
PROBE = ROOT / "src" / "bugloss" / "probes" / "observe"
MODELS = {
    "torch": ("mlp", "cnn", "transformer"),
    "keras3": ("mlp", "cnn"),
}
WAYS = {"torch": ("bugloss", "anomaly", "every-batch"), "keras3": ("bugloss", "every-batch")}


def measure() -> dict[str, object]:
    results: dict[str, dict[str, Any]] = {}
    for stack, models in MODELS.items():
        python = provide(load_stack(stack)).python
        for model in models:
            results[f"{stack} {model}"] = compare(python, stack, model)
    ratios = [result["ratios"]["bugloss"] for result in results.values()]
    print(f"   bugloss: median {statistics.median(ratios):.3f}, worst {max(ratios):.3f} times plain training")
    return {
        "target": "median at most 1.05, worst at most 1.15",
        "median": round(statistics.median(ratios), 3),
        "worst": round(max(ratios), 3),
        "models": results,
    }


def compare(python: str, stack: str, model: str) -> dict[str, Any]:
    plain: list[float] = []
    ratios: dict[str, float] = {}
    spread: dict[str, list[float]] = {}
    for way in WAYS[stack]:
        single = []
        for number in range(PAIRS.get(way, FEW_PAIRS)):
            one, other = side_by_side(python, stack, model, way, swapped=bool(number % 2))
            plain.append(other[0] / other[1])
            single.append(one[0] / other[0])
        # Of two pairs with changed sides the faster core counts once for each.
        evened = [math.sqrt(first * second) for first, second in zip(single[::2], single[1::2], strict=True)]
        ratios[way] = round(statistics.median(evened), 3)
        spread[way] = [round(ratio, 3) for ratio in evened]
    words = ", ".join(f"{way} {ratio:.3f}" for way, ratio in ratios.items())
    print(f"   {stack} {model}: {1000 * statistics.median(plain):.1f} ms a step; {words}; {spread}", flush=True)
    return {
        "ratios": ratios,
        "pairs": spread,
        "milliseconds_per_step": {"plain": round(1000 * statistics.median(plain), 2)},
    }


def side_by_side(
    python: str, stack: str, model: str, way: str, *, swapped: bool
) -> tuple[tuple[float, int], tuple[float, int]]:
    """Training seconds and steps of a way and of plain training, at the same time."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        sys.exit("two cores are needed, one for each side of a pair")
    with tempfile.TemporaryDirectory() as scratch:
        sides = [
            start(python, stack, model, side, core, scratch)
            for side, core in zip((way, "plain"), reversed(cores) if swapped else cores, strict=True)
        ]
        for process in sides:
            assert process.stdout is not None
            process.stdout.readline()  # it is ready for its first step
        for process in sides:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        one, other = (answer_of(process) for process in sides)
    return one, other


def start(python: str, stack: str, model: str, way: str, core: int, scratch: str) -> subprocess.Popen[str]:
    settings = json.dumps({"events": str(Path(scratch, "events.jsonl"))})
    watched = [str(PROBE), settings] if way == "bugloss" else []
    command = ["taskset", "-c", str(core), python, *watched, str(PROGRAMS / f"train_{stack}.py"), model, way]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=scratch, env=environment(), stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def answer_of(process: subprocess.Popen[str]) -> tuple[float, int]:
    out, err = process.communicate()
    if process.returncode:
        sys.exit(f"{process.args!r} failed:\n{err[-2000:]}")
    answer = json.loads(out.strip().splitlines()[-1])
    return answer["seconds"], answer["steps"]


def environment() -> dict[str, str]:
    threads = dict.fromkeys(("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"), "1")
    return {"PATH": "/usr/bin:/bin", "TF_CPP_MIN_LOG_LEVEL": "2", "HOME": "/tmp", **threads}
