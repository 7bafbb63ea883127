"""From a report to a program that shows its bug, with a real framework."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from pretended_runs import reading_of

from bugloss.core.reproduction import Level
from bugloss.core.taxonomy import EditAction
from bugloss.run.environment import Environment
from bugloss.workflows.reproduced import ReproductionRequest, document
from bugloss.workflows.reproduction import exceptions_of, reproduce

REPORTS = Path(__file__).parents[1] / "reproduce" / "reports"


@pytest.mark.stack
def test_a_fragment_and_a_message_become_a_program_with_the_same_error(stack: Callable[[str], Environment]) -> None:
    stack("torch")
    told: list[str] = []
    reading = reading_of((REPORTS / "shape-crash.md").read_text(encoding="utf-8"))
    found = reproduce(
        reading, ReproductionRequest(budget=300, offline=True, timeout=120, runs=2, shrink=False), notify=told.append
    )
    assert found.level is Level.EXACT, found.reason
    assert [run.outcome for run in found.runs] == ["match", "match"]
    assert {entry.action for entry in found.log} >= {EditAction.IMPORT_ADDITION, EditAction.INPUT_DATA_GENERATION}
    assert any(text.startswith("attempt 1") for text in told)
    ast.parse(found.script)
    assert document(found, "out")["expected"] == {
        "kind": "exception",
        "exception": "RuntimeError",
        "message": "mat1 and mat2 shapes cannot be multiplied (32x400 and 256x120)",
        "function": "",
        "evidence": [],
    }


def test_of_chained_tracebacks_the_last_counts_and_one_with_lines_goes_before_a_bare_one() -> None:
    body = (
        "ValueError: first seen in the title\n\n```\nTraceback (most recent call last):\n"
        "  File \"a.py\", line 1, in <module>\n    f()\nKeyError: 'x'\n\n"
        "During handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n"
        '  File "a.py", line 3, in <module>\n    g()\nRuntimeError: then this\n```\n'
    )
    assert exceptions_of(reading_of(body))[0].kind == "RuntimeError"
