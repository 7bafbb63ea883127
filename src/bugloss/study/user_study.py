"""dlRepro's user study: do hints help people to reproduce bugs, and to do so faster? Its Tables 9 and 10, with tests.

The paper prints per cent and mean seconds for each of four sets of two bugs, and no test. Two groups of 11 people
reproduced two bugs each, which gives the attempts of each set.
"""

from __future__ import annotations

from statistics import fmean
from typing import NamedTuple

from bugloss.study.information import SOURCE
from bugloss.study.result import Cell, StudiedTable, StudyResult
from bugloss.study.significance import compare_pairs, compare_two_shares


class BugSet(NamedTuple):
    """Attempts of each group, successes without and with hints, and mean seconds without and with hints."""

    name: str
    attempts: int
    without: int
    with_hints: int
    seconds_without: float
    seconds_with: float


SETS = (
    BugSet("set 1", 4, 3, 4, 1437, 1088),
    BugSet("set 2", 6, 4, 5, 1803, 1563),
    BugSet("set 3", 6, 5, 6, 2548, 1792),
    BugSet("set 4", 6, 4, 6, 2165, 1512),
)
_PRINTED_RATES, _PRINTED_MORE, _PRINTED_FASTER = (0.7291, 0.9583), 0.2292, 0.2435


def study_user_study() -> StudyResult:
    """Both tables and both tests."""
    return StudyResult("user-study", SOURCE, (_sets(), _tests()))


def _sets() -> StudiedTable:
    numbers = [_numbers(each) for each in SETS]
    rows: list[tuple[Cell, ...]] = [(each.name, *values) for each, values in zip(SETS, numbers, strict=True)]
    means = [round(fmean(column), 4) for column in zip(*numbers, strict=True)]
    columns = ("bugs", "reproduced without hints", "with hints", "seconds without", "seconds with", "faster by")
    remark = (
        f"The paper prints {_PRINTED_RATES[0]:.2%} and {_PRINTED_RATES[1]:.2%} reproduced ({_PRINTED_MORE:.2%} more) "
        f"and {_PRINTED_FASTER:.2%} less time: means over the four sets."
    )
    drawn = columns[1:3]
    return StudiedTable("user-study", "Four sets of bugs", columns, (*rows, ("mean", *means)), (remark,), drawn)


def _numbers(each: BugSet) -> tuple[float, ...]:
    rates = round(each.without / each.attempts, 4), round(each.with_hints / each.attempts, 4)
    faster = round(1 - each.seconds_with / each.seconds_without, 4)
    return (*rates, each.seconds_without, each.seconds_with, faster)


def _tests() -> StudiedTable:
    attempts = sum(each.attempts for each in SETS)
    without, with_hints = sum(each.without for each in SETS), sum(each.with_hints for each in SETS)
    shares = compare_two_shares((without, attempts - without), (with_hints, attempts - with_hints))
    times = compare_pairs([each.seconds_without for each in SETS], [each.seconds_with for each in SETS])
    rows = (
        (f"reproduced: {without} and {with_hints} of {attempts}, Fisher's exact test", shares.p, shares.effect),
        ("mean seconds of the four sets, paired t-test", times.p, times.effect),
    )
    remark = "Attempts of one person are not independent, and the times are means; the paper publishes nothing finer."
    title = "Is the difference larger than chance?"
    return StudiedTable("user-study-tests", title, ("compared", "p", "effect"), rows, (remark,))
