"""No file and no function grows beyond what can be read in one go."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = ("src/bugloss", "scripts", "bench", "tests")
MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 60
# Programs that are tried, not ours to shape: bugs of the benches, and snippets that do not parse on purpose.
PROGRAMS = ("bench/programs/", "/template/", "/kept/")


@cache
def texts() -> dict[str, str]:
    """Every Python file of ours by its path in the repository."""
    paths = (path for folder in CODE for path in sorted((ROOT / folder).rglob("*.py")))
    names = {path.relative_to(ROOT).as_posix(): path for path in paths}
    return {name: path.read_text() for name, path in names.items() if not any(part in name for part in PROGRAMS)}


def long_functions(name: str, text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if function and (node.end_lineno or node.lineno) - node.lineno >= MOST_LINES_OF_A_FUNCTION:
            yield f"{name}:{node.lineno} {node.name}"


def test_no_file_is_too_long() -> None:
    assert [name for name, text in texts().items() if len(text.splitlines()) > MOST_LINES_OF_A_FILE] == []


def test_no_function_is_too_long() -> None:
    assert [place for name, text in texts().items() for place in long_functions(name, text)] == []


def test_the_files_of_every_folder_are_looked_at() -> None:
    assert {name.split("/")[0] for name in texts()} == {"src", "scripts", "bench", "tests"}
