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
COMMANDS = (
    "check bugs/torch/torch-0003/buggy",
    "test torch-0003b",
    "diff torch-0003",
    "test torch-0003f",
)
WIDTH = 112


def main() -> int:
    """Runs the commands and writes the picture."""
    with Path(os.devnull).open("w") as nowhere:
        console = Console(record=True, width=WIDTH, file=nowhere, force_terminal=True)
        for command in COMMANDS:
            console.print(f"[bold green]$[/] [bold]bugloss {command}[/]", highlight=False)
            console.print(Text.from_ansi(output_of(command).rstrip() + "\n"))
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
