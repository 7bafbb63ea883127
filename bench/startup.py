"""How fast a command starts: ``--help`` and ``list`` against an interpreter that does nothing."""

from __future__ import annotations

import sys

from bench.measurement import BUGLOSS, alternate, processor_seconds, summary

REPEATS = 25


def measure() -> dict[str, object]:
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "bugloss --help": [BUGLOSS, "--help"],
        "bugloss list": [BUGLOSS, "list"],
    }
    seconds = summary(alternate(commands, REPEATS))
    processor = summary(alternate(commands, REPEATS, processor_seconds))
    for name, spent in seconds.items():
        of_processor = processor[name]["median"]
        print(f"   {name:<16} {spent['median'] * 1000:6.0f} ms, of processor time {of_processor * 1000:6.0f} ms")
    return {"repeats": REPEATS, "seconds": seconds, "processor_seconds": processor, "target": "below 0.2 s"}
