"""What ``bugloss test`` costs beyond running the same test file directly in the same environment."""

from __future__ import annotations

import tempfile
from pathlib import Path

from bench.measurement import BUGLOSS, alternate, summary
from bugloss.core.bug import Twin
from bugloss.corpus.checkout import checkout
from bugloss.corpus.collection import load
from bugloss.run.environment import provide

BUGS = ("torch-0003", "keras-0011")
REPEATS = 7


def measure() -> dict[str, object]:
    return {"repeats": REPEATS, "target": "below 0.5 s", "bugs": {bug: overhead(bug) for bug in BUGS}}


def overhead(bug: str) -> dict[str, object]:
    entry = load()[bug]
    python = provide(entry.stack).python
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch, "work")
        checkout(entry, Twin.FIXED, work)
        # The same thread counts and log level as in the sandbox; everything else is left alone.
        fixed = ["OMP_NUM_THREADS=1", "TF_NUM_INTRAOP_THREADS=1", "TF_NUM_INTEROP_THREADS=1", "TF_CPP_MIN_LOG_LEVEL=2"]
        commands = {"direct": ["env", *fixed, python, "test.py"], "bugloss test": [BUGLOSS, "test", f"{bug}f"]}
        seconds = summary(alternate(commands, REPEATS, direct=work))
    extra = seconds["bugloss test"]["median"] - seconds["direct"]["median"]
    print(f"   {bug}: direct {seconds['direct']['median']:.2f} s, bugloss test {extra:+.2f} s")
    return {"seconds": seconds, "overhead": round(extra, 3)}
