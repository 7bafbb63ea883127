"""Edits: what they say, what they do to a text, and how they are undone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.edit import Edit, Span, TextChange, apply_changes, quoted, read_span


def place(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1)


@st.composite
def text_and_changes(draw: st.DrawFn) -> tuple[str, str, list[TextChange]]:
    """A text, what plain slicing makes of it, and the changes that say the same."""
    text = draw(st.text(alphabet="ab\né中", max_size=30))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True)))
    spans = list(zip(cuts[::2], cuts[1::2], strict=False))
    changes, expected, position = [], "", 0
    for start, end in spans:
        new = draw(st.text(alphabet="xy\n", max_size=3))
        changes.append(TextChange("a.py", Span(*place(text, start), *place(text, end)), text[start:end], new))
        expected += text[position:start] + new
        position = end
    return text, expected + text[position:], draw(st.permutations(changes))


@given(text_and_changes())
def test_changes_are_those_of_plain_slicing(drawn: tuple[str, str, list[TextChange]]) -> None:
    text, expected, changes = drawn
    assert apply_changes(text, changes) == expected


@given(text_and_changes())
def test_the_inverse_of_an_edit_undoes_it(drawn: tuple[str, str, list[TextChange]]) -> None:
    text, expected, changes = drawn
    edit = Edit.of(*changes)
    assert edit.fits("a.py", text)
    assert edit.inverse.fits("a.py", expected)
    assert edit.inverse.apply("a.py", expected) == text


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("lr=1.0", "lr=0.001", "write `lr=0.001` instead of `lr=1.0` in line 4"),
        ("nn.Softmax(dim=1)", "", "remove `nn.Softmax(dim=1)` in line 4"),
        ("", ".detach()", "insert `.detach()` in line 4"),
    ],
)
def test_a_change_is_told_by_what_is_there_and_what_to_write(old: str, new: str, words: str) -> None:
    assert Edit.of(TextChange("a.py", Span(4, 0, 4, len(old)), old, new)).text == words


def test_an_edit_of_two_files_changes_each_of_them() -> None:
    first, second = TextChange("a.py", Span(1, 0, 1, 1), "a", "x"), TextChange("b.py", Span(1, 1, 1, 2), "b", "y")
    edit = Edit.of(first, second).moved(lambda path: f"src/{path}")
    assert edit.paths == ("src/a.py", "src/b.py")
    assert edit.apply("src/a.py", "ab") == "xb"
    assert edit.apply("src/b.py", "ab") == "ay"


def test_the_document_leads_with_the_first_change() -> None:
    edit = Edit.of(TextChange("a.py", Span(4, 6, 4, 9), "1.0", "0.1"))
    expected = {"path": "a.py", "line": 4, "column": 7, "end_line": 4, "end_column": 10, "from": "1.0", "to": "0.1"}
    assert edit.document == {**expected, "text": edit.text, "changes": [expected]}


def test_an_edit_of_another_text_does_not_fit() -> None:
    edit = Edit.of(TextChange("a.py", Span(1, 4, 1, 7), "1.0", "0.1"))
    assert edit.fits("a.py", "lr = 1.0") is False
    assert edit.fits("a.py", "lr: 1.0") is True
    assert read_span("ab\ncd", Span(1, 1, 2, 1)) == "b\nc"


def test_long_code_is_quoted_by_its_beginning() -> None:
    assert quoted("f(\n  1)") == "`f( …`"
    assert len(quoted("x" * 300)) < 80
