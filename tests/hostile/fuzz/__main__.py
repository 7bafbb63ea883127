"""``make fuzz``: every target for its share of the seconds, each in a process of its own; what fails is kept.

``python -m hostile.fuzz --seconds 600 --seed today``; the seed is printed, and the same seed tries the same inputs.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

from hostile.fuzz.engine import Fault, fuzz, limit_memory
from hostile.fuzz.targets import TARGETS

_PATIENCE = 120  # seconds beyond its share after which a target's process counts as hanging


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="for all targets together")
    parser.add_argument("--seed", default=date.today().isoformat(), help="the day by default")
    parser.add_argument("--target", choices=sorted(TARGETS), action="append", help="all by default")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = options.target or list(TARGETS)
    if options.inside:
        return _inside(names[0], options.seed, options.seconds, Path(options.inside))
    print(f"seed {options.seed}, {options.seconds:g} s over {len(names)} targets", flush=True)
    failed = [_one(name, options.seed, options.seconds / len(names)) for name in names]
    return 1 if any(failed) else 0


def _inside(name: str, seed: str, seconds: float, note: Path) -> int:
    limit_memory()

    def found(fault: Fault) -> None:
        print(f"  {fault.keep().name} ({len(fault.content)} bytes): {fault.detail}", flush=True)

    tried, faults = fuzz(name, seed, seconds, found, note)
    print(f"{name}: {tried} inputs, {faults} ways to fail", flush=True)
    return 1 if faults else 0


def _one(name: str, seed: str, seconds: float) -> bool:
    """Whether the target failed; a process that dies or hangs failed on the input that it had noted."""
    with tempfile.TemporaryDirectory(prefix="bugloss-fuzz-") as folder:
        note = Path(folder, "input")
        command = [sys.executable, "-m", "hostile.fuzz", "--target", name, "--seed", seed, "--seconds", str(seconds)]
        variables = {**os.environ, "BUGLOSS_CACHE": str(Path(folder, "cache")), "TMPDIR": folder}
        process = subprocess.Popen([*command, "--inside", str(note)], env=variables, process_group=0)
        try:
            code = process.wait(seconds + _PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            code = process.wait()
        if code in {0, 1}:
            return code == 1
        fault = Fault(name, note.read_bytes() if note.exists() else b"", "died", "", json.dumps({"exit code": code}))
        print(f"  {fault.keep().name}: the process ended with {code}", flush=True)
        return True


if __name__ == "__main__":
    sys.exit(main())
