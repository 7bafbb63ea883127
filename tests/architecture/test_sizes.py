"""No file and no function grows beyond what can be read in one go."""

from __future__ import annotations

import ast

from package_source import SOURCE, trees

MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 60
# To be split; whoever does so takes the file off this list.
STILL_LONG: set[str] = set()


def long_files() -> set[str]:
    return {file for file in trees() if len((SOURCE / file).read_text().splitlines()) > MOST_LINES_OF_A_FILE}


def test_no_file_is_too_long() -> None:
    assert long_files() - STILL_LONG == set()


def test_no_file_stays_on_the_list_once_it_is_short() -> None:
    assert STILL_LONG - long_files() == set()


def test_no_function_is_too_long() -> None:
    long = [
        f"{file}:{node.lineno} {node.name}"
        for file, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno >= MOST_LINES_OF_A_FUNCTION
    ]
    assert long == []
