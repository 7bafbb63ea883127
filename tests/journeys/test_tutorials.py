"""Every code block of ``docs/tutorials`` is run, page by page in a folder of its own, and what it shows is compared.

A block below ``<!-- file: NAME -->`` is written as that file. In a block ``console`` each line after ``$`` is run, and the
lines after it are what it must print, in this order; ``…`` stands for anything. ``<!-- stack -->`` marks what needs an
environment: without one only the other blocks are run.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from shown_commands import blocks, compare, run

from bugloss.run.environment import Environment

PAGES = sorted((Path(__file__).parents[2] / "docs" / "tutorials").glob("*.md"))
RUN = {"console"}


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
