"""Seconds and megabytes of every stack: cold (nothing cached), warm (uv's cache filled), and there already."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

from bench.measurement import BUGLOSS, ROOT, seconds
from bugloss.stacks.stack import stack_names


def measure() -> dict[str, object]:
    with tempfile.TemporaryDirectory() as scratch:
        downloads = Path(scratch, "uv")
        return {"stacks": {name: build(name, Path(scratch), downloads) for name in stack_names()}}


def build(stack: str, scratch: Path, downloads: Path) -> dict[str, object]:
    """Three calls of the same command; the third finds everything built, as a second bug of the stack would."""
    command = [BUGLOSS, "env", "build", stack]
    cold_cache, warm_cache = scratch / f"{stack}-cold", scratch / f"{stack}-warm"
    cold = seconds(command, {"BUGLOSS_CACHE": str(cold_cache), "UV_CACHE_DIR": str(downloads)})
    warm = seconds(command, {"BUGLOSS_CACHE": str(warm_cache), "UV_CACHE_DIR": str(downloads)})
    there = seconds(command, {"BUGLOSS_CACHE": str(warm_cache), "UV_CACHE_DIR": str(downloads)})
    history = (warm_cache / "builds.jsonl").read_text().splitlines()
    result = {
        "cold_seconds": round(cold, 1),
        "warm_seconds": round(warm, 1),
        "built_already_seconds": round(there, 2),
        "builds_recorded_after_two_calls": len(history),
        "megabytes": json.loads(history[-1])["megabytes"],
    }
    subprocess.run(["rm", "-rf", str(cold_cache), str(warm_cache)], cwd=ROOT, check=True)
    print(f"   {stack}: {result}")
    return result
