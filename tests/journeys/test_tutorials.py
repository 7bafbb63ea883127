"""Every code block of ``docs/tutorials`` is run, page by page in a folder of its own, and what it shows is compared.

A block below ``<!-- file: NAME -->`` is written as that file. In a block ``console`` each line after ``$`` is run, and the
lines after it are what it must print, in this order; ``…`` stands for anything. ``<!-- stack -->`` marks what needs an
environment: without one only the other blocks are run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bugloss.run.environment import Environment

PAGES = sorted((Path(__file__).parents[2] / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(r"(?:<!-- (stack|file: \S+) -->\n)?^(`{3,4})(\w*)\n(.*?)^\2$", re.MULTILINE | re.DOTALL)
RUN = {"console"}
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


def execute(page: Path, folder: Path, *, with_stack: bool) -> int:
    """Runs the blocks of a page; gives how many commands were run."""
    count = 0
    for block in blocks(page):
        if block.file:
            place = folder / block.file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(block.text)
        elif block.kind == "console" and (with_stack or block.mark != "stack"):
            for command, expected in block.commands:
                compare(command, expected, run(command, folder))
                count += 1
    return count


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_blocks_of_a_tutorial_do_what_they_show(page: Path, tmp_path: Path) -> None:
    assert execute(page, tmp_path, with_stack=False) > 0


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_whole_tutorial_does_what_it_shows(page: Path, tmp_path: Path, stack: Callable[[str], Environment]) -> None:
    stack("torch")
    execute(page, tmp_path, with_stack=True)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_block_of_a_tutorial_is_left_out(page: Path) -> None:
    """Each is a file, commands, or what a file contains afterwards."""
    kinds = {(block.kind, bool(block.file)) for block in blocks(page)}
    assert {kind for kind, is_file in kinds if not is_file} <= RUN
    assert any(block.mark == "stack" for block in blocks(page))


def test_there_is_a_tutorial_for_each_user() -> None:
    assert [page.stem for page in PAGES] == ["engineer", "maintainer", "researcher"]


def test_a_missing_line_is_seen() -> None:
    compare("x", ["a … c", "…", "z"], "a b c\nq\nz\n")
    with pytest.raises(AssertionError, match="missing: z"):
        compare("x", ["z"], "a\n")
    with pytest.raises(AssertionError, match="missing: a"):
        compare("x", ["b", "a"], "a\nb\n")
