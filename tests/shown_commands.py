"""Blocks of commands in documents: read, run, and compared with what they show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"(?:<!-- (stack|file: \S+) -->\n)?^(`{3,4})(\w*)\n(.*?)^\2$", re.MULTILINE | re.DOTALL)
GOOD_CODES = {0, 1}  # 1: there are findings


@dataclass(frozen=True)
class Block:
    kind: str
    text: str
    mark: str = ""

    @property
    def file(self) -> str:
        return self.mark.removeprefix("file: ") if self.mark.startswith("file: ") else ""

    @property
    def commands(self) -> Iterator[tuple[str, list[str]]]:
        """Each command with the lines that it must print."""
        for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            command, *lines = part.rstrip("\n").split("\n")
            yield command, [line for line in lines if line.strip()]


def blocks(page: Path) -> list[Block]:
    return [Block(kind, text, mark) for mark, _, kind, text in BLOCK.findall(page.read_text())]


def run(command: str, folder: Path) -> str:
    """What a command prints, on both streams."""
    names = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    named = {f"GIT_{role}_{what}": "you@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env={**os.environ, **names, **named}, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert done.returncode in GOOD_CODES, f"$ {command}\n{done.stdout}"
    return done.stdout


def compare(command: str, expected: list[str], printed: str) -> None:
    """Every expected line is among those that were printed, after the one before it."""
    lines = iter(line.rstrip() for line in printed.split("\n"))
    for line in expected:
        if line.strip() == "…":
            continue
        pattern = re.compile(".*".join(re.escape(part) for part in line.rstrip().split("…")))
        assert any(pattern.fullmatch(found) for found in lines), f"$ {command}\nmissing: {line}\n\n{printed}"
