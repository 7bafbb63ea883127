"""What would count as reproduced is read from the report before anything runs."""

from __future__ import annotations

from pretended_runs import reading_of

from bugloss.core.run import Frame, RaisedException
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind, expect
from bugloss.reproduce.expected.symptoms import SymptomKind
from bugloss.workflows.reproduction import exceptions_of


def expected(body: str, title: str = "") -> Expectation:
    reading = reading_of(body, title)
    return expect(reading, exceptions_of(reading))


TRACEBACK = """It stops.

```
Traceback (most recent call last):
  File "train.py", line 12, in <module>
    out = net(x)
  File "/usr/lib/python3/site-packages/torch/nn/modules/linear.py", line 134, in forward
    return F.linear(input, self.weight, self.bias)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x400 and 256x120)
```
"""


def test_a_traceback_gives_class_message_raising_function_and_the_reporters_own_line() -> None:
    told = expected(TRACEBACK)
    assert told.kind is ExpectationKind.EXCEPTION
    assert told.exception is not None
    assert told.exception.kind == "RuntimeError"
    assert told.exception.message.endswith("(32x400 and 256x120)")
    assert (told.exception.function, told.exception.place) == ("forward", "out = net(x)")
    assert "32" not in told.exception.template


def test_an_error_that_prose_names_counts_with_the_words_that_name_it() -> None:
    body = "When I call fit it says ValueError: Shapes (None, 1) and (None, 3) are incompatible\nWhy?"
    told = expected(body)
    assert told.exception is not None
    assert told.exception.kind == "ValueError"
    assert told.exception.quote is not None
    assert body[told.exception.quote.start : told.exception.quote.end].startswith("ValueError")


def test_of_two_errors_the_one_in_the_title_comes_first() -> None:
    body = "First I got KeyError: 'loss' and solved it.\n\nNow it says TypeError: unhashable type: 'list' in the loader"
    told = expected(body, "TypeError: unhashable type: 'list'")
    assert told.exceptions[0].kind == "TypeError"


def test_a_warning_is_no_error() -> None:
    body = (
        "UserWarning: Implicit dimension choice for softmax has been deprecated.\n\nThe loss does not decrease at all."
    )
    told = expected(body)
    assert told.kind is ExpectationKind.SYMPTOM


def test_words_name_symptoms_and_printed_figures_support_them() -> None:
    told = expected("The loss becomes nan in the first epoch.\n\n```\nEpoch 1 loss: nan\nEpoch 2 loss: nan\n```")
    assert told.symptoms[0] is SymptomKind.NAN
    assert told.quotes
    assert told.figures.losses


def test_figures_that_contradict_the_words_weaken_them() -> None:
    falling = "```\nloss: 2.0\nloss: 1.0\nloss: 0.4\nloss: 0.1\n```"
    alone, contradicted = (
        expected("The loss does not decrease." + tail, "Model predicts the same class for every input")
        for tail in ("", f"\n\n{falling}")
    )
    assert SymptomKind.FLAT in alone.symptoms
    assert contradicted.symptoms[0] is SymptomKind.CONSTANT


def test_a_report_that_says_nothing_testable_is_said_to_be_so() -> None:
    assert expected("Please help me with my network.").kind is ExpectationKind.UNKNOWN


def test_what_the_report_is_about_is_known_by_its_words() -> None:
    told = expected("NameError: name 'optimizer' is not defined")
    assert told.is_about("NameError")
    assert told.speaks_of("optimizer")
    assert not told.speaks_of("optim")


def test_an_exception_without_a_class_is_left_out() -> None:
    found = RaisedException("", "", "something", (), (Frame("a.py", 1, "f"),))
    assert expect(reading_of("It fails."), [found]).kind is ExpectationKind.UNKNOWN


def test_a_known_message_counts_without_its_class() -> None:
    told = expected("Why 3048?", "Two inputs: mat1 and mat2 shapes cannot be multiplied (1x3048 and 1000x512)")
    assert told.exception is not None
    assert (told.exception.kind, told.exception.message.split(" (")[0]) == (
        "",
        "mat1 and mat2 shapes cannot be multiplied",
    )


def test_an_error_between_marks_ends_with_them() -> None:
    told = expected("I get `TypeError: forward() takes 2 positional arguments but 3 were given`. Python 3.8")
    assert told.exception is not None
    assert told.exception.message.endswith("were given")


def test_the_point_of_a_number_does_not_end_a_sentence() -> None:
    told = expected("The loss is 13.97 and does not get better.")
    assert told.symptoms == (SymptomKind.FLAT,)
