"""Of foreign test scripts only plain commands of Python's test runners are run; a shell never is."""

from __future__ import annotations

import pytest

from bugloss.core.foreign_bug import ForeignTest, Runner
from bugloss.corpus.foreign.commands import command_of, commands_of
from bugloss.corpus.foreign.requirement_lines import requirement_lines


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pytest tests/a.py::test_b", ForeignTest(Runner.PYTEST, ("tests/a.py::test_b",))),
        ("python3.7 -m pytest -q 'a b.py'", ForeignTest(Runner.PYTEST, ("-q", "a b.py"))),
        ("python -m unittest -q a.B.test_c", ForeignTest(Runner.UNITTEST, ("-q", "a.B.test_c"))),
        ("python train.py --epochs 3  # short", ForeignTest(Runner.SCRIPT, ("train.py", "--epochs", "3"))),
    ],
)
def test_plain_commands_are_read(line: str, expected: ForeignTest) -> None:
    assert command_of(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "tox -e py37",
        "pytest a.py; rm -rf /",
        "pytest $(ls)",
        "curl x | sh",
        "python -c 'print(1)'",
        "pytest 'a",
        "ls > b",
    ],
)
def test_what_needs_a_shell_is_none(line: str) -> None:
    assert command_of(line) is None


def test_a_script_gives_its_commands_and_names_the_others() -> None:
    found, refused = commands_of("#!/bin/bash\n\npytest a.py \\\n  -x\nmake\n")
    assert found == (ForeignTest(Runner.PYTEST, ("a.py", "-x")),)
    assert refused == ("make",)


def test_requirements_are_names_with_versions() -> None:
    lines = ["numpy == 1.2.0  # old", "keras>=2,<3", "-r other.txt", "--index-url x", "./wheel.whl", "a @ https://x"]
    found, remarks = requirement_lines([*lines, "tensorflow-gpu==1.15.0", "scipy=1.4.1=py37_0", "pandas; x == 'y'", ""])
    assert found == ("numpy==1.2.0", "keras>=2,<3", "tensorflow==1.15.0", "scipy==1.4.1", "pandas")
    assert len(remarks) == 5
    assert remarks[-1] == "tensorflow-gpu is replaced by tensorflow: there is no graphics card in the sandbox"
