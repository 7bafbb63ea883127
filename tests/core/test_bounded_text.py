"""What is cut of a stranger's text, and what never is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.bounded_text import LONGEST_BLANK, LONGEST_LINE, LONGEST_TOKEN, bounded, middle_cut
from bugloss.core.raised import LONGEST_MESSAGE, RaisedException
from bugloss.core.report import Report
from bugloss.intake.reading import take_apart


@pytest.mark.parametrize(
    "text",
    [
        "x = np.array([" + "0.25, " * 600 + "])\n",
        "/home/user/" + "folder/" * 50 + "train.py",
        "=" * 300 + "\n",
        "a\n" * 50_000,
        "中文，" * 1_000,
        "def f():\n" + " " * 120 + "return 1\n",
    ],
    ids=["data in code", "path", "ruler", "many lines", "prose without blanks", "indentation"],
)
def test_what_people_write_is_left_as_it_is(text: str) -> None:
    assert bounded(text) == text


def test_beginning_and_end_of_a_long_token_stay() -> None:
    cut = bounded(f"weights = '{'QUJD' * 10_000}=' # a picture")
    assert cut.startswith("weights = 'QUJD")
    assert cut.endswith("QUJD=' # a picture")
    assert len(cut) < LONGEST_TOKEN + 40


def test_the_indentation_below_many_blank_lines_stays() -> None:
    assert bounded("a:" + "\n" * 5_000 + "    b") == "a:" + "\n" * 100 + "\n" * 96 + "    " + "b"


@given(st.lists(st.sampled_from([" ", "\n", "a", ".", "[", "\t", "é", "1, "]), max_size=40), st.integers(1, 400))
def test_nothing_longer_than_the_limits_is_left(pieces: list[str], times: int) -> None:
    cut = bounded("".join(piece * times for piece in pieces))
    assert max(map(len, cut.split("\n"))) <= LONGEST_LINE
    assert max(map(len, cut.split()), default=0) <= LONGEST_LINE
    assert " " * (LONGEST_BLANK + 1) not in cut
    assert "a" * (LONGEST_TOKEN + 1) not in cut


def test_a_middle_is_cut_out_only_where_a_text_is_too_long() -> None:
    assert middle_cut("abc", 3) == "abc"
    assert middle_cut("0123456789", 5) == "01…89"


def test_a_message_of_an_exception_is_bounded_wherever_it_comes_from() -> None:
    told = RaisedException("ValueError", "builtins.ValueError", "shapes differ\n" + "a b c\n" * 50_000 + "the end")
    assert len(told.message) <= LONGEST_MESSAGE
    assert told.message.startswith("shapes differ\n")
    assert told.message.endswith("the end")


def test_a_report_says_that_something_was_cut() -> None:
    plain, dumped = take_apart(Report("", "loss is nan")), take_apart(Report("", "loss is nan " + "ab" * 5_000))
    assert plain.remarks == ()
    assert "were shortened" in dumped.remarks[0]
