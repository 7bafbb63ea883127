"""``bugloss verify`` of all bugs, two at a time against one at a time."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time

from bench.measurement import BUGLOSS, ROOT

RUNS = 1


def measure() -> dict[str, object]:
    timings = {f"-j {jobs}": verify(jobs) for jobs in (1, 2)}
    one, two = (float(str(timing["seconds"])) for timing in timings.values())
    print(f"   -j 1 {one:.0f} s, -j 2 {two:.0f} s: {one / two:.2f} times as fast")
    return {"runs": RUNS, "timings": timings, "speed_up": round(one / two, 2)}


def verify(jobs: int) -> dict[str, object]:
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as scratch:
        command = [BUGLOSS, "verify", "--runs", str(RUNS), "-j", str(jobs), "-o", scratch, "--json"]
        start = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
        taken = time.monotonic() - start
    document = json.loads(done.stdout)
    counts = {name: document[name] for name in ("active", "flaky", "broken", "not_run")}
    return {"seconds": round(taken, 1), "bugs": len(document["bugs"]), **counts}
