"""Code with mistakes is read as far as possible, and every node stands where it stands in the text."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.source.text.recovery import read_tolerantly


def calls(text: str) -> list[str]:
    """The calls that were read, as their places in the text say them."""
    source = read_tolerantly(text, "pasted.py")
    found = [node for node in ast.walk(source.tree) if isinstance(node, ast.Call)]
    return [source.segment(node) for node in sorted(found, key=lambda node: (node.lineno, node.col_offset))]


BROKEN = {
    "a statement that is no Python": "a()\nb( c d )\ne()\n",
    "a print of Python 2": 'a()\nfor x in y:\n    print "x", x\n    b()\ne()\n',
    "a header without a colon": "a()\nfor x in y\n    b()\ne()\n",
    "a header without a body": "a()\nfor x in y:\nb()\ne()\n",
    "a function without a body": "a()\ndef f(x):\n\nb()\ne()\n",
    "a bracket that is never closed": "a()\nx = (1,\n     2\nb()\ne()\n",
    "a bracket too many": "a()\nx = 1)\nb()\ne()\n",
    "a statement over several lines": "a()\nx = [\n    1,\n    2 3,\n    4,\n]\nb()\ne()\n",
    "an indented rest": "a()\n    b()\n    e()\n",
    "all of it indented": "    a()\n    if x:\n        b()\n    e()\n",
    "a level that does not exist": "if x:\n        a()\n    b()\ne()\n",
    "an omission": "a()\n...\n…\nb()\ne()\n",
    "a string that does not end": "a()\nx = 'no end\nb()\ne()\n",
    "prompts of the interpreter": ">>> a()\n3\n>>> if x:\n...     b()\n>>> e()\n",
    "magics of a notebook": "%matplotlib inline\na()\n!pip install x\nb()\ne()\n",
    "an else without an if": "a()\nelse:\n    b()\ne()\n",
    "a try without an except": "a()\ntry:\n    b()\nprint(\ne()\n",
    "a null byte": "a()\nx = \x00\nb()\ne()\n",
    "carriage returns": "a()\r\nx = = 2\r\nb()\r\ne()\r\n",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
def test_what_stands_around_a_mistake_is_read(text: str) -> None:
    wanted = [one for one in ("a()", "b()", "e()") if one in text]
    assert [one for one in calls(text) if one in {"a()", "b()", "e()"}] == wanted


def test_a_text_without_mistakes_is_read_as_it_is() -> None:
    text = "if x:\n    a(b)\n"
    assert ast.dump(read_tolerantly(text, "x.py").tree, include_attributes=True) == ast.dump(
        ast.parse(text), include_attributes=True
    )


@pytest.mark.parametrize("text", ["", ")))", "\x00", "'''", "it does not work, please help", "(" * 500])
def test_what_is_no_code_gives_an_empty_tree(text: str) -> None:
    assert not [node for node in ast.walk(read_tolerantly(text, "x.py").tree) if isinstance(node, ast.Call)]


LINES = st.sampled_from(
    ["a()", "if x:", "    b()", "        c(", "else:", ")", "x = [", "'''", "def f(:", "\tq()", "…"]
)


@given(st.lists(LINES, max_size=30))
def test_any_lines_are_read_and_their_nodes_lie_in_the_text(lines: list[str]) -> None:
    source = read_tolerantly("\n".join(lines), "x.py")
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call):
            assert source.segment(node).endswith(")")


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    read_tolerantly(text, "x.py")
