"""Draws docs/images/terminal.svg: the real output of a few commands, as the README shows it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
BUGLOSS = Path(sys.executable).with_name("bugloss")
# What an engineer, a library maintainer and a researcher type first, and how many lines of the answer are shown.
COMMANDS = {
    "diagnose docs/examples/train.py": 14,
    "triage bugs/torch/torch-0003/original.md": 8,
    "test torch-0003b": 12,
}
WIDTH = 112


def main() -> int:
    """Runs the commands and writes the picture."""
    with Path(os.devnull).open("w") as nowhere:
        console = Console(record=True, width=WIDTH, file=nowhere, force_terminal=True)
        for command, most in COMMANDS.items():
            console.print(f"[bold green]$[/] [bold]bugloss {command}[/]", highlight=False)
            lines = output_of(command).rstrip().splitlines()
            console.print(Text.from_ansi("\n".join(lines[:most]) + ("\n…\n" if lines[most:] else "\n")))
    target = ROOT / "docs" / "images" / "terminal.svg"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(without_fonts(console.export_svg(title="bugloss")), encoding="utf-8")
    print(f"written: {target.relative_to(ROOT)}")
    return 0


def output_of(command: str) -> str:
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH)}
    environment.pop("NO_COLOR", None)
    done = subprocess.run(
        [BUGLOSS, *command.split()], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout


def without_fonts(svg: str) -> str:
    """Rich links fonts of a content network; the picture does with what the reader has."""
    start, end = svg.index("@font-face"), svg.rindex("@font-face")
    return svg[:start] + svg[svg.index("}", end) + 1 :]


if __name__ == "__main__":
    sys.exit(main())
