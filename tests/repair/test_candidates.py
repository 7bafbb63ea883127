"""Which patches are tried, and which of them together."""

from __future__ import annotations

from bugloss.core.edit import Edit, Span, TextChange
from bugloss.core.finding import Safety
from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.candidates import together


def patch(source: str, line: int, confidence: float = 0.9) -> Patch:
    change = TextChange("train.py", Span(line, 0, line, 1), "a", "b")
    return Patch(Edit.of(change), FixPattern.OPTIMIZER, confidence, Safety.SUGGESTED, "because", source)


def test_two_likely_patches_of_different_causes_are_one() -> None:
    (both,) = together([patch("rate", 3), patch("head", 5)])
    assert [change.span.line for change in both.edit.changes] == [3, 5]
    assert both.source == "rate + head"


def test_patches_of_one_cause_of_one_line_or_unlikely_ones_are_not_combined() -> None:
    patches = [patch("rate", 3), patch("rate", 5), patch("head", 3), patch("seed", 7, confidence=0.1)]
    assert [one.source for one in together(patches)] == ["rate + head"]
