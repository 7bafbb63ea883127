"""What is read from one file, also from old, broken and foreign ones."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pace import within

from bugloss.localize.index.inside import Inside
from bugloss.localize.index.source_facts import line_hashes, packed, phrases_of, read_source, unpacked

PROGRAM = '''\
"""Trains things."""
import os, sys as system
from pkg.losses import (
    focal as f,
    dice,
)
from . import near
from ..far import away


class Trainer(Base):
    # counts epochs
    def fit(
        self,
        batches,
    ):
        """Loops."""
        def inner():
            pass
        raise ValueError("the batches are empty now")

    async def stop(self): pass


def main():
    print "python two"
'''


def test_definitions_have_qualified_names_and_their_lines() -> None:
    found = read_source(PROGRAM, "a.py").inside.definitions
    assert [(d.name, d.is_class, d.line, d.end) for d in found] == [
        ("Trainer", True, 11, 22),
        ("Trainer.fit", False, 13, 20),
        ("Trainer.stop", False, 22, 22),
        ("main", False, 25, 26),
    ]


def test_a_functions_terms_are_those_of_its_lines() -> None:
    inside = read_source(PROGRAM, "a.py").inside
    assert dict(inside.shared(["batch", "python", "nowhere"])) == {"batch": [1, 2], "python": [3, 1]}
    assert inside.definitions[1].length > 2 and dict(Inside().shared(["batch"])) == {}


def test_the_four_fields_are_told_apart() -> None:
    classes, methods, variables, comments = read_source(PROGRAM, "a.py").fields
    assert dict(classes) == {"trainer": 1}
    assert dict(methods) == {"fit": 1, "stop": 1, "main": 1}
    assert {"epoch", "loop", "empty"} <= comments.keys() and "epoch" not in variables
    assert "valueerror" in variables and "fit" not in variables


def test_imports_are_found_in_all_spellings() -> None:
    assert set(read_source(PROGRAM, "a.py").imports) == {
        *("os", "sys", "pkg.losses", "pkg.losses.focal", "pkg.losses.dice"),
        *(".", ".near", "..far", "..far.away"),
    }


def test_quotes_and_comments_do_not_hide_code() -> None:
    text = 'a = \'# no comment\'  # a real one\ndef after(): pass\nb = """def inside(): pass"""\n'
    facts = read_source(text, "a.py")
    assert [d.name for d in facts.inside.definitions] == ["after"]
    assert "real" in facts.fields.comments


def test_c_files_have_comments_of_their_own() -> None:
    facts = read_source("// resize kernel\nstruct Resizer {\n  int width; /* in pixels */\n};\n", "a.cu")
    assert [d.name for d in facts.inside.definitions] == ["Resizer"]
    assert {"kernel", "pixel"} <= facts.fields.comments.keys()


def test_pasted_lines_are_recognised_whatever_their_indentation() -> None:
    facts = read_source("if x:\n        result = model.predict(images)\n", "a.py")
    assert set(line_hashes("result = model.predict(images)")) <= facts.lines


def test_messages_are_recognised_by_three_words_in_a_row() -> None:
    facts = read_source('raise ValueError("the batches are empty now")\n# a comment of many words\n', "a.py")
    assert facts.phrases & set(phrases_of("ValueError: batches are empty"))
    assert not facts.phrases & set(phrases_of("a comment of many words"))


@given(st.text(max_size=300), st.sampled_from(["a.py", "a.cpp", "a.ipynb"]))
def test_any_text_can_be_read(text: str, path: str) -> None:
    for definition in read_source(text, path).inside.definitions:
        assert 1 <= definition.line <= definition.end <= text.count("\n") + 1


@given(st.frozensets(st.integers(0, 2**32 - 1)))
def test_hashes_survive_packing(numbers: frozenset[int]) -> None:
    assert frozenset(unpacked(packed(numbers))) == numbers


def test_reading_grows_with_the_size_of_the_file_only() -> None:
    with within(6):
        long = read_source("def f(a):\n    return a + 'x' * 3  # more\n" * 20_000, "a.py")
        broken = [read_source(text, "a.py") for text in ('"' * 200_000, "'''" + "a" * 300_000, "(" * 300_000)]
    assert len(long.inside.definitions) == 20_000
    assert not any(facts.inside.definitions for facts in broken)
