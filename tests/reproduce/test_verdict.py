"""How near a run came, and the guards that keep the verdict honest."""

from __future__ import annotations

import pytest
from pretended_runs import SCRIPT, ended, raised

from bugloss.core.reproduction import Level, ProgramEdit, StandInFor
from bugloss.core.run import Outcome
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.expected.figures import read_figures
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind, ExpectedException
from bugloss.reproduce.expected.symptoms import SymptomKind
from bugloss.reproduce.expected.verdict import capped, judge
from bugloss.reproduce.program.draft import Draft, LineOrigin

MESSAGE = "mat1 and mat2 shapes cannot be multiplied (32x400 and 256x120)"
THEIRS = Draft.reported("out = net(x)\n")


def crash(kind: str = "RuntimeError", message: str = MESSAGE, function: str = "") -> Expectation:
    return Expectation(ExpectationKind.EXCEPTION, (ExpectedException(kind, message, function),))


def symptom(*kinds: SymptomKind, primary: int = 1) -> Expectation:
    return Expectation(ExpectationKind.SYMPTOM, symptoms=kinds, primary=primary)


def level(expectation: Expectation, *, draft: Draft = THEIRS, **run: object) -> Level:
    return judge(expectation, ended(**run), draft, SCRIPT).level  # type: ignore[arg-type]


def test_class_message_and_raising_function_make_it_exact() -> None:
    seen = raised("RuntimeError", MESSAGE, library="forward")
    assert level(crash(function="forward"), exception=seen) is Level.EXACT


def test_another_raising_function_makes_it_the_same() -> None:
    assert level(crash(function="addmm"), exception=raised("RuntimeError", MESSAGE, library="forward")) is Level.SAME


def test_without_a_reported_function_every_number_must_agree_to_be_exact() -> None:
    other = MESSAGE.replace("400", "512")
    assert level(crash(), exception=raised("RuntimeError", MESSAGE)) is Level.EXACT
    assert level(crash(), exception=raised("RuntimeError", other)) is Level.SAME


def test_an_alike_message_is_of_the_same_kind() -> None:
    seen = raised("RuntimeError", "mat1 and mat2 shapes cannot be multiplied because of (4x4 and 5x5) in addmm")
    assert level(crash(), exception=seen) is Level.SIMILAR


def test_the_class_that_newer_pythons_name_in_front_of_a_method_does_not_matter() -> None:
    told = crash("TypeError", "forward() takes 2 positional arguments but 3 were given")
    seen = raised("TypeError", "Sequential.forward() takes 2 positional arguments but 3 were given")
    assert level(told, exception=seen) is Level.EXACT


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("AttributeError", "'module' object has no attribute 'mul'", "module 'tensorflow' has no attribute 'mul'"),
        ("TypeError", "can't pickle _thread.lock objects", "cannot pickle '_thread.lock' object"),
        (
            "TypeError",
            "f() takes exactly 2 arguments (3 given)",
            "Net.f() takes 2 positional arguments but 3 were given",
        ),
        ("TypeError", "unorderable types: str() < int()", "'<' not supported between instances of 'str' and 'int'"),
    ],
)
def test_other_releases_of_python_say_the_same_in_other_words(kind: str, old: str, new: str) -> None:
    assert level(crash(kind, old), exception=raised(kind, new)).rank >= Level.SAME.rank


def test_the_operation_that_tensorflow_names_behind_a_message_does_not_matter() -> None:
    seen = raised("InvalidArgumentError", f"{MESSAGE} [Op:MatMul] name:")
    assert level(crash("InvalidArgumentError"), exception=seen) is Level.EXACT


def test_another_attribute_is_another_message() -> None:
    told = crash("AttributeError", "'module' object has no attribute 'mul'")
    seen = raised("AttributeError", "module 'tensorflow' has no attribute 'div'")
    assert level(told, exception=seen) is Level.BROKEN


def test_the_same_attribute_missing_elsewhere_is_kin() -> None:
    told = crash("AttributeError", "'Tensor' object has no attribute 'summary'")
    seen = raised("AttributeError", "'KerasTensor' object has no attribute 'summary'")
    assert level(told, exception=seen) is Level.SIMILAR


def test_a_message_quoted_without_its_class_is_the_same_and_no_more() -> None:
    assert level(crash(""), exception=raised("RuntimeError", MESSAGE)) is Level.SAME
    assert level(crash(""), exception=raised("RuntimeError", "expected scalar type Long")) is Level.BROKEN


def test_the_first_line_of_a_long_message_is_enough_if_it_is_whole() -> None:
    seen = raised("ValueError", "Python inputs are unlike the signature\n  inputs: (3, 4)\n  signature: (3, 5)")
    assert level(crash("ValueError", "Python inputs are unlike the signature"), exception=seen).rank >= Level.SAME.rank
    assert level(crash("ValueError", "Python inputs are"), exception=seen).rank < Level.SAME.rank


def test_memory_that_goes_on_growing_is_seen_and_what_settles_is_not() -> None:
    grows = "".join(f"memory in use {200 + 5 * step}\n" for step in range(15))
    settles = "".join(f"memory in use {min(200 + 30 * step, 260)}\n" for step in range(15))
    assert level(symptom(SymptomKind.MEMORY), printed=grows) is Level.SAME
    assert level(symptom(SymptomKind.MEMORY), printed=settles) is Level.RUNS
    assert level(symptom(SymptomKind.MEMORY), printed="memory in use 200\nmemory in use 300\n") is Level.RUNS


def test_what_the_sandbox_says_no_to_is_not_the_reported_error() -> None:
    """A program that filled the disk ended with "File too large" of our own limit, and counted as an OSError."""
    seen = raised("OSError", "[Errno 27] File too large")
    assert level(crash("OSError", ""), exception=seen) is Level.BROKEN
    assert level(crash("OSError", "[Errno 27] File too large"), exception=seen) is Level.EXACT


def test_a_program_that_is_cut_off_says_so() -> None:
    found = judge(crash(), ended(outcome=Outcome.TIMED_OUT), THEIRS, SCRIPT)
    assert found.reason == found.observed.message == "the program did not finish in time"


def test_another_message_or_class_is_none() -> None:
    assert level(crash(), exception=raised("RuntimeError", "expected scalar type Long")) is Level.BROKEN
    assert level(crash(), exception=raised("ValueError", "too many values to unpack")) is Level.BROKEN


def test_a_class_without_a_message_is_at_most_kin_and_an_import_error_is_not_even_that() -> None:
    assert level(crash("ValueError", ""), exception=raised("ValueError", "anything")) is Level.SIMILAR
    assert level(crash("ImportError", ""), exception=raised("ImportError", "No module named x")) is Level.RUNS


@pytest.mark.parametrize("kind", ["SyntaxError", "ImportError", "ModuleNotFoundError", "NameError"])
def test_errors_of_the_paste_never_count_for_a_report_about_something_else(kind: str) -> None:
    assert level(crash(), exception=raised(kind, "no matter what")) is Level.BROKEN


def test_an_import_error_counts_where_the_report_is_about_it() -> None:
    message = "cannot import name 'Merge' from 'keras.layers'"
    assert level(crash("ImportError", message), exception=raised("ImportError", message)) is Level.EXACT


def test_an_error_that_our_own_line_raises_never_counts() -> None:
    ours = Draft("x = make_up()\nout = net(x)\n", (LineOrigin.OURS, LineOrigin.REPORTED, LineOrigin.REPORTED))
    match = judge(crash(), ended(exception=raised("RuntimeError", MESSAGE, line=1)), ours, SCRIPT)
    assert (match.level, match.guarded) == (Level.BROKEN, True)
    assert level(crash(), draft=ours, exception=raised("RuntimeError", MESSAGE, line=2)) is Level.EXACT


def test_a_library_that_our_line_called_does_not_count_either() -> None:
    ours = Draft("net(stand_in)\n", (LineOrigin.OURS, LineOrigin.OURS))
    seen = raised("RuntimeError", MESSAGE, line=1, library="forward")
    assert judge(crash(), ended(exception=seen), ours, SCRIPT).guarded


@pytest.mark.parametrize("outcome", [Outcome.TIMED_OUT, Outcome.KILLED, Outcome.OUT_OF_MEMORY])
def test_a_run_that_was_cut_off_shows_nothing(outcome: Outcome) -> None:
    for expectation in (crash(), symptom(SymptomKind.NAN)):
        assert level(expectation, outcome=outcome, printed="loss: nan\n" * 5) is Level.BROKEN


def test_a_symptom_must_come_from_a_run_without_an_error() -> None:
    assert level(symptom(SymptomKind.NAN), printed="loss: nan\n" * 4) is Level.SAME
    crashed = raised("ValueError", "nan in input")
    assert level(symptom(SymptomKind.NAN), printed="loss: nan\n" * 4, exception=crashed) is Level.BROKEN


def test_a_neighbouring_symptom_of_one_family_is_kin() -> None:
    told = symptom(SymptomKind.CONSTANT, SymptomKind.FLAT)
    assert level(told, printed="loss: 1.0\n" * 6) is Level.SIMILAR
    assert level(symptom(SymptomKind.NAN, SymptomKind.FLAT), printed="loss: 1.0\n" * 6) is Level.RUNS


def test_a_healthy_run_shows_no_symptom() -> None:
    falling = "".join(f"loss: {2.0 * 0.7**step:.4f}\n" for step in range(12))
    for kind in (SymptomKind.NAN, SymptomKind.FLAT, SymptomKind.DIVERGES, SymptomKind.ZERO, SymptomKind.NEGATIVE):
        assert level(symptom(kind), printed=falling) is Level.RUNS


def test_a_run_that_prints_nothing_shows_nothing() -> None:
    assert level(symptom(SymptomKind.FLAT)) is Level.RUNS


def test_with_a_stand_in_network_a_symptom_is_at_most_similar_and_a_library_error_at_most_the_same() -> None:
    edit = ProgramEdit(EditAction.NEURAL_NETWORK_CONSTRUCTION, "stand-in", assumes=frozenset({StandInFor.NETWORK}))
    told = symptom(SymptomKind.NAN)
    match = judge(told, ended("loss: nan\n" * 4), THEIRS, SCRIPT)
    assert capped(match, told, (edit,)).level is Level.SIMILAR
    assert capped(match, told, ()).level is Level.SAME
    error = judge(crash(), ended(exception=raised("RuntimeError", MESSAGE, library="forward")), THEIRS, SCRIPT)
    assert capped(error, crash(), (edit,)).level is Level.SAME


def test_a_printed_value_counts_when_it_is_printed() -> None:
    told = Expectation(ExpectationKind.VALUE, value="(64, 10)")
    assert level(told, printed="shape (64, 1)\n") is Level.RUNS
    assert level(told, printed="shape (64, 10)\n") is Level.SAME


def test_figures_are_read_from_logs_of_several_styles() -> None:
    text = (
        "Epoch 1 - loss: 0.5 - val_loss: 0.7 - accuracy: 81.5%\n"
        "[2/12] train loss 0.4 | test loss 0.9\n"
        "Valid: loss 1.1 acc 50.0\n"
        "loss tensor(0.3)"
    )
    figures = read_figures(text)
    assert figures.losses == (0.5, 0.4, 0.3)
    assert figures.held_out_losses == (0.7, 0.9, 1.1)
    assert figures.accuracies == pytest.approx((0.815,))
    assert figures.of("val_accuracy") == pytest.approx((0.5,))
