"""The commands that README.md shows first print what it shows."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from shown_commands import Block, blocks, compare, run

from bugloss.run.environment import Environment

ROOT = Path(__file__).parents[2]
# Other numbers on every machine and day: seconds, run ids, how similar one of more and more bugs is.
VARYING = re.compile(r"\b\d+\.\d\d s\b|\b\d{8}-\d{6}\b|\b[01]\.\d\d (?=similar)")


def shown(verb: str) -> Block:
    """The block whose command has this verb and shows what it prints."""
    return next(
        block
        for block in blocks(ROOT / "README.md")
        if any(f"bugloss {verb}" in command and lines for command, lines in block.commands)
    )


def check(block: Block, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "112")
    for command, lines in block.commands:
        compare(command, [VARYING.sub("…", line) for line in lines], run(command, folder))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs/examples").mkdir(parents=True)
    shutil.copy(ROOT / "docs/examples/train.py", tmp_path / "docs/examples")
    shutil.copy(ROOT / "bugs/torch/torch-0003/buggy/classify_shapes.py", tmp_path)
    return tmp_path


def test_check_prints_what_the_readme_shows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(shown("check"), folder, monkeypatch)


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("verb", ["diagnose", "lookup"])
def test_with_an_environment_so_do(
    verb: str, folder: Path, stack: Callable[[str], Environment], monkeypatch: pytest.MonkeyPatch
) -> None:
    interpreter = Path(stack("torch").python)
    if verb == "lookup":
        (folder / "bin").mkdir()
        (folder / "bin/python").write_text(f'#!/bin/sh\nexec {interpreter} "$@"\n')
        (folder / "bin/python").chmod(0o755)
        block = shown(verb)
        changed = block.text.replace("python ", f"{folder}/bin/python ", 1)
        check(Block(block.kind, changed), folder, monkeypatch)
    else:
        check(shown(verb), folder, monkeypatch)
