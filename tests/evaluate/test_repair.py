"""Scores of repair tools."""

from __future__ import annotations

from bugloss.evaluate.repair import RepairRow, compare_tools, read_rows, score, score_groups, write_row


def row(bug: str, plausible: int, *, tool: str = "bugloss", correct: bool = False, **more: int) -> RepairRow:
    return RepairRow(bug, tool, "crash", 3, 1, plausible, correct, more.get("regressions", 0), 10.0)


def test_a_patch_in_the_second_place_counts_for_five_and_not_for_one() -> None:
    found = score([row("a", 1, correct=True), row("b", 2), row("c", 0), row("d", 6)])
    assert (found.plausible_1.count, found.plausible_5.count, found.correct_1.count) == (1, 2, 1)
    assert found.plausible_5.value == 0.5


def test_regressions_are_counted_by_offered_patches() -> None:
    assert score([row("a", 0, regressions=1), row("b", 1)]).regressions.document["value"] == 0.5


def test_an_interval_holds_the_share() -> None:
    low, high = score([row("a", 1), row("b", 0)]).plausible_1.interval
    assert 0 < low < 0.5 < high < 1


def test_tools_are_compared_on_the_bugs_that_both_were_given() -> None:
    rows = [row("a", 1), row("b", 1), row("a", 0, tool="random-search")]
    found = compare_tools(rows, "bugloss", "random-search")
    assert (found.pairs, found.difference) == (1, 1.0)
    assert set(score_groups(rows)) == {"bugloss", "random-search"}


def test_rows_are_read_back_and_a_torn_line_is_left_out() -> None:
    kept = [row("a", 1), row("b", 0)]
    text = "".join(f"{write_row(one)}\n" for one in kept)
    assert read_rows(text + text[:20]) == kept
