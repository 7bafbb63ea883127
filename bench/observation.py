"""What watching costs: plain training, bugloss, PyTorch's anomaly mode, and checking every batch as DeepLocalize does.

Five models with steps of at least 5 ms: an MLP, a small CNN and a small transformer in PyTorch, an MLP and a CNN in
Keras. Each way of running trains the same model for the same number of steps in a process of its own, in turn; the
program reports its own training seconds, so that neither imports nor start-up count.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.measurement import ROOT
from bugloss.run.environment import provide
from bugloss.run.stack import load_stack

REPEATS = 5
PROGRAMS = ROOT / "bench" / "programs"
PROBE = ROOT / "src" / "bugloss" / "probes" / "observe"
MODELS = {
    "torch": ("mlp", "cnn", "transformer"),
    "keras3": ("mlp", "cnn"),
}
WAYS = {"torch": ("plain", "bugloss", "anomaly", "every-batch"), "keras3": ("plain", "bugloss", "every-batch")}


def measure() -> dict[str, object]:
    results = {}
    for stack, models in MODELS.items():
        python = provide(load_stack(stack)).python
        for model in models:
            results[f"{stack} {model}"] = compare(python, stack, model)
    ratios = [result["ratios"]["bugloss"] for result in results.values()]
    print(f"   bugloss: median {statistics.median(ratios):.3f}, worst {max(ratios):.3f} times plain training")
    return {
        "repeats": REPEATS,
        "target": "median at most 1.05, worst at most 1.15",
        "median": round(statistics.median(ratios), 3),
        "worst": round(max(ratios), 3),
        "models": results,
    }


def compare(python: str, stack: str, model: str) -> dict[str, dict[str, float]]:
    taken: dict[str, list[float]] = {way: [] for way in WAYS[stack]}
    steps: list[float] = []
    for _ in range(REPEATS):
        for way in WAYS[stack]:
            seconds, count = train(python, stack, model, way)
            taken[way].append(seconds)
            if way == "plain":
                steps.append(1000 * seconds / count)
    medians = {way: statistics.median(seconds) for way, seconds in taken.items()}
    # Pairs that ran one after the other: a machine that slows down slows both.
    ratios = {
        way: round(statistics.median(one / plain for one, plain in zip(taken[way], taken["plain"], strict=True)), 3)
        for way in taken
    }
    words = ", ".join(f"{way} {ratio:.3f}" for way, ratio in ratios.items() if way != "plain")
    print(f"   {stack} {model}: {statistics.median(steps):.1f} ms a step; {words}", flush=True)
    return {
        "seconds": {way: round(value, 3) for way, value in medians.items()},
        "ratios": ratios,
        "milliseconds_per_step": {"plain": round(statistics.median(steps), 2)},
    }


def train(python: str, stack: str, model: str, way: str) -> tuple[float, int]:
    """Training seconds and steps of one process."""
    script = str(PROGRAMS / f"train_{stack}.py")
    with tempfile.TemporaryDirectory() as scratch:
        settings = json.dumps({"events": str(Path(scratch, "events.jsonl"))})
        watched = [str(PROBE), settings] if way == "bugloss" else []
        command = [python, *watched, script, model, way]
        done = subprocess.run(command, cwd=scratch, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    answer = json.loads(done.stdout.strip().splitlines()[-1])
    return answer["seconds"], answer["steps"]


def environment() -> dict[str, str]:
    threads = dict.fromkeys(("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"), "1")
    return {"PATH": "/usr/bin:/bin", "TF_CPP_MIN_LOG_LEVEL": "2", "HOME": "/tmp", **threads}
