"""How fast a command starts: ``--help`` and ``list`` against an interpreter that does nothing."""

from __future__ import annotations

import sys

from bench.measurement import BUGLOSS, alternate, summary

REPEATS = 25


def measure() -> dict[str, object]:
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "bugloss --help": [BUGLOSS, "--help"],
        "bugloss list": [BUGLOSS, "list"],
    }
    seconds = summary(alternate(commands, REPEATS))
    for name, spent in seconds.items():
        print(f"   {name:<16} {spent['median'] * 1000:6.0f} ms")
    return {"repeats": REPEATS, "seconds": seconds, "target": "below 0.2 s"}
