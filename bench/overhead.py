"""What ``bugloss test`` costs beyond running the same test file directly in the same environment."""

from __future__ import annotations

import tempfile
from pathlib import Path

from bench.measurement import BUGLOSS, alternate, summary
from bugloss.core.bug import Twin
from bugloss.corpus.checkout import checkout
from bugloss.corpus.collection import load
from bugloss.corpus.trial import stack_of
from bugloss.run.environment import provide

BUGS = ("torch-0003", "keras-0011")
REPEATS = 7


def measure() -> dict[str, object]:
    return {"repeats": REPEATS, "target": "below 0.5 s", "bugs": {bug: overhead(bug) for bug in BUGS}}


def overhead(bug: str) -> dict[str, object]:
    entry = load()[bug]
    python = provide(stack_of(entry)).python
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch, "work")
        checkout(entry, Twin.FIXED, work)
        # The same thread counts and log level as in the sandbox; everything else is left alone.
        fixed = ["OMP_NUM_THREADS=1", "TF_NUM_INTRAOP_THREADS=1", "TF_NUM_INTEROP_THREADS=1", "TF_CPP_MIN_LOG_LEVEL=2"]
        commands = {"direct": ["env", *fixed, python, "test.py"], "bugloss test": [BUGLOSS, "test", f"{bug}f"]}
        seconds = summary(alternate(commands, REPEATS, direct=work))
    # On a shared machine a program's own seconds swing more than what is measured here: the least counts as well.
    extra = {kind: round(seconds["bugloss test"][kind] - seconds["direct"][kind], 3) for kind in ("median", "least")}
    own = {kind: f"{seconds['direct'][kind]:.2f}" for kind in extra}
    for kind in extra:
        print(f"   {bug}: {kind} direct {own[kind]} s, bugloss test {extra[kind]:+.2f} s")
    return {"seconds": seconds, "overhead": extra}
