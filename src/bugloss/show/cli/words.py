"""How grades and standings look on a terminal."""

from __future__ import annotations

from bugloss.core.judgement import Grade, Standing

GRADE_STYLE = {
    Grade.FAIL: "red",
    Grade.PASS: "green",
    Grade.UNDECIDED: "yellow",
    Grade.STRANGE: "magenta",
    Grade.NOT_RUN: "yellow",
}

STANDING_STYLE = {
    Standing.ACTIVE: "green",
    Standing.FLAKY: "yellow",
    Standing.BROKEN: "red",
    Standing.NOT_RUN: "yellow",
}
