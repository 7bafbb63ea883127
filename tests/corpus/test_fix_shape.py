"""Fixes as changes of syntax, and the nearest bugs of the real corpus."""

from __future__ import annotations

from collections import Counter

from bugloss.core.taxonomy import GeneralType
from bugloss.corpus.collection import load
from bugloss.corpus.fix_shape import fix_shape
from bugloss.corpus.similarity import Similarities


def shape(before: str, after: str) -> Counter[str]:
    return fix_shape({"a.py": before}, {"a.py": after}).change


def test_the_same_fix_in_two_programs_has_one_shape() -> None:
    first = shape("y = net(x)\nloss = f(y)\n", "y = net(x)\nloss = f(y.squeeze(1))\n")
    second = shape("loss = f(out)\n", "loss = f(out.squeeze(1))\n")
    assert first == second
    assert first["+call squeeze"] == 1


def test_a_removed_argument_is_named_with_its_call() -> None:
    assert "-argument Dense.activation='softmax'" in shape("d = Dense(3, activation='softmax')", "d = Dense(3)")


def test_what_stays_in_a_changed_statement_is_its_context() -> None:
    found = fix_shape({"a.py": "d = Dense(3, activation='relu')"}, {"a.py": "d = Dense(3)"})
    assert "call Dense" in found.context


def test_text_that_is_not_python_has_no_shape() -> None:
    assert not fix_shape({"a.txt": "x", "b.py": "def ("}, {"a.txt": "y", "b.py": "def )"}).change


MOST_OTHERS = 0.05  # a fix of another type can be nearly the same: a term of a loss in the same kind of training


def test_the_nearest_bugs_of_a_shape_bug_are_shape_bugs() -> None:
    entries, _ = load().readable()
    known = Similarities(entries)
    shapes = {entry.id for entry in entries if entry.bug.labels.general_type is GeneralType.SHAPE_MISMATCH}
    others = {bug: known.similar(bug, 1)[0].bug for bug in shapes if known.similar(bug, 1)[0].bug not in shapes}
    assert len(others) <= MOST_OTHERS * len(shapes), others
