"""A patch that sets a number is tried with other numbers."""

from __future__ import annotations

import pytest

from bugloss.core.edit import Edit, Span, TextChange
from bugloss.core.finding import Safety
from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.other_values import other_values


def values(old: str, new: str) -> list[str]:
    change = TextChange("train.py", Span(1, 0, 1, len(old)), old, new)
    patch = Patch(Edit.of(change), FixPattern.OPTIMIZER, 0.8, Safety.SUGGESTED, "", "test")
    return [one.edit.changes[0].new for one in other_values(patch)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("lr=5.0", "lr=0.01", ["lr=0.1", "lr=0.03", "lr=0.003", "lr=0.001"]),
        ("BATCH = 200", "BATCH = 30", ["BATCH = 300", "BATCH = 90", "BATCH = 9", "BATCH = 3"]),
        ("dropout=0.0", "dropout=0.3", ["dropout=0.5", "dropout=0.9", "dropout=0.1"]),
        ("momentum=0.999", "momentum=0.99", ["momentum=0.5", "momentum=0.9", "momentum=0.1"]),
        ("'relu'", "'tanh'", []),
        ("betas=(0.9, 0.1)", "betas=(0.9, 0.999)", []),
    ],
)
def test_a_number_gets_neighbours_and_anything_else_none(old: str, new: str, expected: list[str]) -> None:
    assert values(old, new) == expected
