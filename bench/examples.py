"""``bugloss check`` on official example programs: what it says at warning or above, and how fast it is.

``BUGLOSS_EXAMPLES`` names a folder with checkouts of the examples (pytorch/examples, keras-team/keras-io, Lightning-AI/
pytorch-lightning, huggingface/accelerate …), one folder each. They are not part of this repository.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from bench.measurement import BUGLOSS, alternate, summary
from bugloss.check.running.file_search import find_files
from bugloss.check.running.inspection import check_paths, check_text
from bugloss.check.running.selection import Selection

REPEATS = 3
_START = "import keras, numpy, tensorflow, torch\nmodel = torch.nn.Linear(2, 2)\nkeras.layers.Dense(np.int)\n"


def measure() -> dict[str, object]:
    named = os.environ.get("BUGLOSS_EXAMPLES")
    if not named or not Path(named).is_dir():
        print("   not run: set BUGLOSS_EXAMPLES to a folder with checkouts of example programs", file=sys.stderr)
        return {"not_run": "BUGLOSS_EXAMPLES is not set"}
    folder = Path(named)
    check_text(_START, Selection())  # start-up: rules and catalogues are loaded with the first program
    begin = time.process_time()  # of this process: others that share the machine do not count
    inspection = check_paths([folder], Selection())
    spent = time.process_time() - begin
    serious = [finding for finding in inspection.findings if finding.severity.rank > 0]
    programs = Counter(file.path.relative_to(folder).parts[0] for file in find_files([folder]))
    print(f"   {inspection.files} programs, {inspection.lines} lines: {len(serious)} findings at warning or above")
    print(f"   {inspection.lines / spent:.0f} lines a second")
    return {
        "programs": dict(programs),
        "lines": inspection.lines,
        "cpu_seconds_after_start": round(spent, 2),
        "lines_per_second_after_start": round(inspection.lines / spent),
        "serious": [
            f"{Path(finding.path).relative_to(folder)}:{finding.span.line} {finding.severity.value} {finding.rule}"
            for finding in serious
        ],
        "seconds_side_by_side": side_by_side(folder),
        "repeats": REPEATS,
    }


def side_by_side(folder: Path) -> dict[str, dict[str, float]]:
    """The same files by bugloss (one and two processes), ruff and TorchFix, in turn."""
    with tempfile.TemporaryDirectory() as scratch:
        bin_folder = Path(scratch, "venv", "bin")
        subprocess.run([sys.executable, "-m", "venv", str(bin_folder.parent)], check=True)
        pip = [str(bin_folder / "pip"), "install", "--quiet", "--disable-pip-version-check", "torchfix"]
        subprocess.run(pip, check=True, capture_output=True)
        check = [BUGLOSS, "check", "--output-format", "concise"]
        commands = {
            "bugloss check": [*check, str(folder), "--no-cache"],
            "bugloss check -j 2": [*check, str(folder), "--no-cache", "-j", "2"],
            "bugloss check, nothing changed": [*check, str(folder)],
            "bugloss check -j 2, 1000 files": [*check, str(thousand(folder, Path(scratch))), "--no-cache", "-j", "2"],
            "ruff check": [str(Path(BUGLOSS).with_name("ruff")), "check", "--no-cache", "--isolated", str(folder)],
            "torchfix": [str(bin_folder / "torchfix"), str(folder)],
        }
        seconds = summary(alternate(commands, REPEATS))
    for name, spent in seconds.items():
        print(f"   {name:<32} {spent['median']:7.2f} s")
    return seconds


def thousand(folder: Path, scratch: Path) -> Path:
    """A thousand files: the examples, those of them once more that are needed to fill up."""
    found = [file.path for file in find_files([folder])]
    for number in range(1000):
        path = found[number % len(found)]
        copy = scratch / "thousand" / str(number // len(found)) / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    return scratch / "thousand"
