"""Edits applied to a text, and fixes to a file until none is left."""

from __future__ import annotations

import ast
import inspect
import sys

import pytest

from bugloss.check.contract import replace_node
from bugloss.check.running.fixing import apply_fixes
from bugloss.check.running.inspection import all_rules, check_text
from bugloss.check.running.safe_fixes import mend_text
from bugloss.check.running.selection import Selection
from bugloss.core.edit import Edit, Span, TextChange, apply_changes
from bugloss.core.finding import Finding, Fix, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import delete_statement, insert_before
from bugloss.source.program import Program
from bugloss.source.text.source_file import SourceFile, parse_source

SAFE = frozenset({Safety.SAFE})


def finding(*changes: TextChange, safety: Safety = Safety.SAFE) -> Finding:
    fix = Fix(safety, "so", Edit.of(*changes))
    return Finding(
        "r", "a.py", changes[0].span, "m", Severity.ERROR, Category.API, FixPattern.API_CONTRACT, fix=fix
    )  # fmt: skip


def at(line: int, column: int, end_line: int, end_column: int, text: str) -> TextChange:
    return TextChange("a.py", Span(line, column, end_line, end_column), "", text)


def program_of(text: str) -> Program:
    source = parse_source(text, "a.py")
    assert isinstance(source, SourceFile)
    return Program(source)


def test_columns_count_characters_not_bytes() -> None:
    program = program_of("é中 = f('ü', old)\n")
    call = next(node for node in ast.walk(program.tree) if isinstance(node, ast.Call))
    fix = replace_node(program, call.args[1], "new", "rename")
    assert fix.edit is not None
    assert fix.edit.apply("a.py", program.source.text) == "é中 = f('ü', new)\n"


def test_an_edit_that_is_asked_for_twice_is_made_once() -> None:
    edit = at(1, 0, 1, 0, "import x\n")
    assert apply_changes("y\n", [edit, edit]) == "import x\ny\n"
    text, made = apply_fixes("y\n", [finding(edit), finding(edit)], SAFE)
    assert (text, len(made)) == ("import x\ny\n", 2)


def test_of_overlapping_fixes_the_first_wins() -> None:
    first, second = finding(at(1, 0, 1, 3, "X")), finding(at(1, 2, 1, 4, "Y"))
    assert apply_fixes("abcdef", [second, first], SAFE) == ("Xdef", [first])


def test_fixes_that_touch_are_both_made() -> None:
    first, second = finding(at(1, 0, 1, 3, "X")), finding(at(1, 3, 1, 4, "Y"))
    assert apply_fixes("abcdef", [second, first], SAFE)[0] == "XYef"


def test_a_fix_is_made_whole_or_not_at_all() -> None:
    first = finding(at(1, 0, 1, 1, "X"))
    both = finding(at(1, 0, 1, 2, "Y"), at(2, 0, 2, 1, "Z"))
    assert apply_fixes("ab\nc\n", [first, both], SAFE) == ("Xb\nc\n", [first])


def test_only_fixes_of_the_wanted_safety_are_made() -> None:
    suggested = finding(at(1, 0, 1, 1, "X"), safety=Safety.SUGGESTED)
    assert apply_fixes("a", [suggested], SAFE) == ("a", [])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("for x in y:\n    a()\n", "for x in y:\n    new()\n    a()\n"),
        ("for x in y:\n\ta()\n", "for x in y:\n\tnew()\n\ta()\n"),
        ("for x in y: a()\n", "for x in y: new(); a()\n"),
        ("for x in y:\n    # first\n    a()  # why\n", "for x in y:\n    # first\n    new()\n    a()  # why\n"),
    ],
)
def test_a_line_is_put_before_a_statement_however_it_is_indented(before: str, after: str) -> None:
    program = program_of(before)
    loop = program.tree.body[0]
    assert isinstance(loop, ast.For)
    changed = insert_before(program, loop.body[0], "new()").apply("a.py", before)
    assert changed == after
    ast.parse(changed)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if x:\n    gone()\n    b()\n", "if x:\n    b()\n"),
        ("if x:\n    gone()  # why\n    b()\n", "if x:\n    b()\n"),
        ("if x:\n    gone()\nb()\n", "if x:\n    pass\nb()\n"),
        ("if x:\n    gone(1,\n         2)\n    b()\n", "if x:\n    b()\n"),
        ("if x: gone()\n", "if x: pass\n"),
        ("if x:\n    gone(); b()\n", "if x:\n    pass; b()\n"),
        ("if x:\n    b(); gone()\n", "if x:\n    b(); pass\n"),
        ("if x:\n    b()\n    gone()", "if x:\n    b()\n"),
    ],
)
def test_a_statement_is_deleted_and_nothing_else(before: str, after: str) -> None:
    program = program_of(before)
    (call,) = program.called("gone")
    statement = program.parents[call]
    assert isinstance(statement, ast.stmt)
    changed = delete_statement(program, statement).apply("a.py", before)
    assert changed == after
    ast.parse(changed)


FIXABLE = [
    pytest.param(rule.faulty[index], id=f"{rule.name}-{index}")
    for rule in all_rules()
    for index in range(len(rule.faulty))
    if "Safety.SAFE" in inspect.getsource(sys.modules[type(rule).__module__])
]


@pytest.mark.parametrize("text", FIXABLE)
def test_mending_ends_where_nothing_more_is_to_be_mended(text: str) -> None:
    """Every faulty snippet of the rules with safe fixes: the mended text parses, has fewer findings, and stays as it is."""
    selection = Selection()
    before = check_text(text, selection)
    mended = mend_text(text, "<text>", before, selection)
    ast.parse(mended.text)
    after = check_text(mended.text, selection)
    if not mended.made:
        assert mended.text == text
        return
    assert len(after) < len(before)
    again = mend_text(mended.text, "<text>", after, selection)
    assert (again.text, again.made) == (mended.text, ())
    assert {(found.rule, found.message, found.span) for found in mended.left} <= {
        (found.rule, found.message, found.span) for found in after
    }


def test_comments_and_formatting_survive_a_fix() -> None:
    text = (
        "import numpy as np  # the usual name\nimport torch\n\n\n"
        "x = np.array( [1,2] ,dtype = np.float )   # odd spacing, kept\n"
    )
    selection = Selection(target={"numpy": "2.0"})
    mended = mend_text(text, "<text>", check_text(text, selection), selection)
    assert mended.made
    assert mended.text == text.replace("np.float ", "float ")
