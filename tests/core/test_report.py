"""The vocabulary of reports."""

from __future__ import annotations

from bugloss.core.report import Block, BlockKind, Fact, FactKind, Reading, Report


def test_the_text_of_a_report_has_its_title_once() -> None:
    assert Report("Loss is nan", "After one epoch.").text == "Loss is nan\n\nAfter one epoch."
    body = "# Loss is nan\n\nAfter one epoch."
    assert Report("Loss is nan", body).text is body


def test_blocks_and_facts_are_found_by_their_kind() -> None:
    code, prose = Block(BlockKind.CODE, "x = 1", 0, 5), Block(BlockKind.PROSE, "why?", 6, 10)
    shape, loss = Fact(FactKind.SHAPE, "(1, 2)", 0, 1), Fact(FactKind.LOSS, "mse", 2, 3)
    reading = Reading(Report("", ""), (code, prose), (shape, loss))
    assert list(reading.of_kind(BlockKind.CODE)) == [code]
    assert list(reading.about(FactKind.LOSS, FactKind.METRIC)) == [loss]
