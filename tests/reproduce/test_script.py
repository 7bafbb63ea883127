"""The script says what it needs, what it shows and what was assumed."""

from __future__ import annotations

import ast
import re
import tomllib

from bugloss.core.report import Report
from bugloss.core.reproduction import ProgramEdit, Quote
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind, ExpectedException
from bugloss.reproduce.program.script import Header, in_own_folder, main_pins, places, write_script

TEXT = "import torch\nx = torch.zeros(2)\nx.foo()\n"
LOG = (
    ProgramEdit(EditAction.IMPORT_ADDITION, "torch is used and not imported", "import torch"),
    ProgramEdit(EditAction.INPUT_DATA_GENERATION, "gone", "y = 1", quotes=(Quote("y is one", 0, 8),), needed=False),
)


def header(title: str = "It crashes") -> Header:
    expected = Expectation(ExpectationKind.EXCEPTION, (ExpectedException("AttributeError", "no attribute 'foo'"),))
    return Header(Report(title, ""), expected, "R4", "3.11", ["torch==2.13.0", "numpy==2.4.6"], "torch")


def metadata(script: str) -> dict[str, object]:
    """The inline metadata as PEP 723 reads it."""
    (found,) = re.finditer(r"(?m)^# /// (?P<type>[a-zA-Z0-9-]+)$\s(?P<content>(^#(| .*)$\s)+)^# ///$", script)
    assert found["type"] == "script"
    lines = found["content"].splitlines(keepends=True)
    return tomllib.loads("".join(line[2:] if line.startswith("# ") else line[1:] for line in lines))


def test_the_metadata_are_those_of_pep_723() -> None:
    told = metadata(write_script(TEXT, LOG, header()))
    assert told == {"requires-python": "==3.11.*", "dependencies": ["torch==2.13.0", "numpy==2.4.6"]}


def test_the_program_follows_unchanged_and_the_whole_parses() -> None:
    script = write_script(TEXT, LOG, header())
    assert script.endswith(TEXT)
    ast.parse(script)


def test_the_edits_are_told_with_their_words_and_whether_they_were_needed() -> None:
    script = write_script(TEXT, LOG, header())
    assert "A4 import-addition: torch is used" in script
    assert 'from the report: "y is one"' in script
    assert "[also shown without it]" in script
    assert "Nothing was edited" in write_script(TEXT, (), header())


def test_a_hostile_title_cannot_leave_its_comment() -> None:
    script = write_script(TEXT, (), header('x\nimport os; os.remove("a")\n# ///'))
    comments = script[: -len(in_own_folder(TEXT))]
    assert all(line.startswith("#") or not line for line in comments.split("\n"))
    assert metadata(script)["dependencies"]


def test_lines_of_an_edit_are_found_in_the_finished_script() -> None:
    script = write_script(TEXT, LOG, header())
    (first, last), gone = places(LOG, script)
    assert script.split("\n")[first - 1] == "import torch"
    assert first == last
    assert gone == (0, 0)


def test_only_frameworks_are_pinned() -> None:
    pins = ["torch==2.13.0", "numpy==2.4.6", "sympy==1.14"]
    assert main_pins(pins, {"torch": "2.13.0", "numpy": "2.4.6"}) == pins[:2]
