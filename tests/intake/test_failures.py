"""A report carries its failures, each with its place in the body."""

from __future__ import annotations

from bugloss.core.report import Reading, Report
from bugloss.intake.reading import take_apart

TRACEBACK = """\
Traceback (most recent call last):
  File "train.py", line 9, in <module>
    main()
KeyError: 'acc'
"""
CHAIN = f"{TRACEBACK}\nDuring handling of the above exception, another exception occurred:\n\n" + TRACEBACK.replace(
    "KeyError: 'acc'", "ValueError: no metric"
)


def reading_of(body: str, title: str = "") -> Reading:
    return take_apart(Report(title, body))


def test_the_place_of_a_failure_holds_whatever_its_margin() -> None:
    margins = {
        "fence": f"It stops:\n\n```\n{TRACEBACK}```\n",
        "indentation": "It stops:\n\n" + "".join(f"    {line}\n" for line in TRACEBACK.splitlines()),
        "HTML": f"<p>It stops:</p>\n<pre><code>{TRACEBACK.replace('<', '&lt;').replace('>', '&gt;')}</code></pre>\n",
    }
    for name, body in margins.items():
        (failure,) = reading_of(body).failures
        shown = body[failure.start : failure.end]
        assert "Traceback" in shown.split("\n")[0], name
        assert shown.endswith("KeyError: 'acc'"), name
        assert failure.frames[0].function == "<module>", name


def test_of_a_chain_the_last_one_ended_the_program() -> None:
    reading = reading_of(f"```\n{CHAIN}```\n")
    assert [failure.kind for failure in reading.failures] == ["KeyError", "ValueError"]
    assert [failure.kind for failure in reading.ended_by] == ["ValueError"]
    assert reading.failure is not None
    assert reading.failure.text == "no metric"


def test_a_traceback_goes_before_a_bare_line() -> None:
    reading = reading_of(f"ValueError: first seen\n\nIn full:\n\n```\n{TRACEBACK}```\n")
    assert [failure.kind for failure in reading.ended_by] == ["KeyError", "ValueError"]


def test_an_exception_that_words_name_speaks_where_none_is_shown() -> None:
    body = "When I call fit, it says `TypeError: bad operand` and stops."
    reading = reading_of(body)
    assert reading.failures == ()
    assert reading.failure is not None
    assert reading.failure.kind == "TypeError"
    assert body[reading.failure.start :].startswith("TypeError: bad operand")


def test_a_report_without_an_exception_has_no_failure() -> None:
    for body in ("The loss stays at 0.69.", "then Segmentation fault (core dumped)", ""):
        assert reading_of(body).failure is None
