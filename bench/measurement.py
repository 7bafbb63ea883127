"""Timing commands against each other, and keeping what came out."""

from __future__ import annotations

import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results"
BUGLOSS = str(Path(sys.executable).with_name("bugloss"))


def seconds(command: Sequence[str], environment: Mapping[str, str] | None = None, cwd: Path = ROOT) -> float:
    """Wall seconds of one call; what it prints is dropped."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.monotonic()
    subprocess.run(command, cwd=cwd, env={**variables, **(environment or {})}, capture_output=True, check=False)
    return time.monotonic() - start


def processor_seconds(command: Sequence[str], environment: Mapping[str, str] | None = None, cwd: Path = ROOT) -> float:
    """Seconds of processor time of one call: they depend less on what else the machine does."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds(command, environment, cwd)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def alternate(
    commands: Mapping[str, Sequence[str]], repeats: int, measure: Callable[..., float] = seconds, **places: Path
) -> dict[str, list[float]]:
    """Each command so many times, in turn, after one call of each that does not count."""
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for repeat in range(repeats + 1):
        for name, command in commands.items():
            spent = measure(command, cwd=places.get(name, ROOT))
            if repeat:
                taken[name].append(spent)
    return taken


def summary(taken: Mapping[str, Sequence[float]]) -> dict[str, dict[str, float]]:
    """Median, least and most of each series."""
    return {
        name: {
            "median": round(statistics.median(spent), 4),
            "least": round(min(spent), 4),
            "most": round(max(spent), 4),
        }
        for name, spent in taken.items()
    }


def save(name: str, result: Mapping[str, object]) -> Path:
    """Writes one result with the command, the day and the machine."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    system = f"{platform.system()} {platform.machine()}"
    facts = {
        "command": f"python -m bench {name}",
        "date": date.today().isoformat(),
        "machine": f"{system}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "load_average": round(os.getloadavg()[0], 1),
    }
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps({**facts, **result}, indent=1) + "\n", encoding="utf-8")
    return path.relative_to(ROOT)
