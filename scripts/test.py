"""Everything that must hold before a change lands: ``make test``.

Lint, types, generated pages, unit and architecture tests, tests against real environments and the real
sandbox, a minute of fuzzing, then verification of every bug whose content changed since it was last recorded
and of a sample that is another one every day. A missing interpreter or sandbox is reported as skipped, never as passed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

BIN = Path(sys.executable).parent
ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT_MISSING = 3
FUZZING_SECONDS = 60  # `make fuzz` takes longer; the seed is the day
# About half of the time: programs that train while they are observed, and journeys through whole verbs.
SECOND_HALF = ("tests/probes", "tests/observe", "tests/journeys")


@dataclass(frozen=True)
class Step:
    """One gate: a name for people, a command, and the exit code that means "could not be run here"."""

    name: str
    command: Sequence[str]
    not_run: int | None = None
    folder: Path = ROOT
    beside: Sequence[str] = ()  # a second command that runs at the same time; what it prints comes after the first


def steps(jobs: int, sample: int) -> list[Step]:
    python, bugloss = sys.executable, str(BIN / "bugloss")
    return [
        Step("lint", [str(BIN / "ruff"), "check", "."]),
        Step("format", [str(BIN / "ruff"), "format", "--check", "."]),
        Step("types", [str(BIN / "mypy")]),
        Step("generated pages", [python, "scripts/document.py", "--check"]),
        Step("bug folders", [bugloss, "lint"]),
        Step(
            "tests",
            [python, "-m", "pytest", "--durations=10", *(f"--ignore={folder}" for folder in SECOND_HALF)],
            beside=[python, "-m", "pytest", "--durations=10", "-p", "no:cacheprovider", *SECOND_HALF],
        ),
        Step("fuzzing", [python, "-m", "hostile.fuzz", "--seconds", str(FUZZING_SECONDS)], folder=ROOT / "tests"),
        Step(
            "verification",
            [bugloss, "verify", "--changed", "--sample", str(sample), "-j", str(jobs)],
            not_run=ENVIRONMENT_MISSING,
        ),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-j", "--jobs", type=int, default=2, help="programs that run at once in the verification")
    parser.add_argument("--sample", type=int, default=6, help="bugs to verify besides the changed ones")
    options = parser.parse_args()
    results = [(step, *run(step)) for step in steps(options.jobs, options.sample)]
    print("\nsummary")
    for step, outcome, seconds in results:
        print(f"  {step.name:<16} {outcome:<8} {seconds:6.0f} s")
    outcomes = [outcome for _, outcome, _ in results]
    passed, failed, not_run = (outcomes.count(outcome) for outcome in ("passed", "failed", "not run"))
    print(f"gates: {passed} passed, {failed} failed, {not_run} skipped")
    return 1 if "failed" in outcomes else 0


def run(step: Step) -> tuple[str, float]:
    print(f"\n── {step.name}: {' '.join(step.command)}", flush=True)
    start = time.monotonic()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as printed:
        second = subprocess.Popen(step.beside, cwd=step.folder, stdout=printed, stderr=printed) if step.beside else None
        code = subprocess.run(step.command, cwd=step.folder, check=False).returncode
        if second is not None:
            code = max(code, second.wait(), key=abs)
            printed.seek(0)
            print(f"\n── {step.name}, at the same time: {' '.join(step.beside)}\n{printed.read()}", flush=True)
    outcome = "passed" if code == 0 else "not run" if code == step.not_run else "failed"
    return outcome, time.monotonic() - start


if __name__ == "__main__":
    sys.exit(main())
