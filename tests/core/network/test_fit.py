"""One answer to "do these go together", for what was read and for what was seen."""

from __future__ import annotations

from itertools import product

import pytest

from bugloss.core.finding import Severity
from bugloss.core.network.activation import ACTIVATIONS, activation
from bugloss.core.network.fit import (
    ChangeKind,
    Clash,
    Misfit,
    Output,
    SuggestedChange,
    encoding_misfit,
    misfits,
    regression_misfits,
)
from bugloss.core.network.loss import LOSSES, Compares, Encoding, KnownLoss, Reads, loss


def found(loss_name: str, ending: str, units: int | None = 10, scores: bool | None = None) -> Misfit | None:
    row = loss(loss_name)
    assert row is not None
    seen = list(misfits(Output(activation(ending), units), row, scores))
    assert len(seen) <= 1, "one pair has one answer"
    return seen[0] if seen else None


@pytest.mark.parametrize(
    ("loss_name", "ending", "scores"),
    [
        ("CrossEntropyLoss", "linear", None),
        ("cross_entropy", "leaky_relu", None),
        ("NLLLoss", "log_softmax", None),
        ("BCELoss", "sigmoid", None),
        ("BCEWithLogitsLoss", "linear", None),
        ("categorical_crossentropy", "softmax", False),
        ("sparse_categorical_crossentropy", "linear", True),
        ("binary_crossentropy", "sigmoid", False),
        ("softmax_cross_entropy_with_logits", "linear", None),
        ("mse", "softmax", False),
    ],
)
def test_usual_pairs_go_together(loss_name: str, ending: str, scores: bool | None) -> None:
    assert found(loss_name, ending, scores=scores) is None


@pytest.mark.parametrize(
    ("loss_name", "ending", "scores", "clash"),
    [
        ("CrossEntropyLoss", "softmax", None, Clash.APPLIED_TWICE),
        ("CrossEntropyLoss", "sigmoid", None, Clash.APPLIED_TWICE),
        ("CrossEntropyLoss", "relu", None, Clash.CUT_SCORES),
        ("CrossEntropyLoss", "tanh", None, Clash.SQUEEZED_SCORES),
        ("NLLLoss", "softmax", None, Clash.NOT_LOGARITHMS),
        ("NLLLoss", "linear", None, Clash.NOT_LOGARITHMS),
        ("BCELoss", "linear", None, Clash.NOT_PROBABILITIES),
        ("BCELoss", "tanh", None, Clash.NOT_PROBABILITIES),
        ("BCEWithLogitsLoss", "sigmoid", None, Clash.APPLIED_TWICE),
        ("categorical_crossentropy", "linear", False, Clash.NOT_PROBABILITIES),
        ("categorical_crossentropy", "sigmoid", False, Clash.INDEPENDENT_CLASSES),
        ("sparse_categorical_crossentropy", "softmax", True, Clash.APPLIED_TWICE),
        ("binary_crossentropy", "softmax", False, Clash.EXCLUSIVE_CLASSES),
        ("sigmoid_cross_entropy_with_logits", "sigmoid", None, Clash.APPLIED_TWICE),
    ],
)
def test_wrong_pairs_are_named(loss_name: str, ending: str, scores: bool | None, clash: Clash) -> None:
    misfit = found(loss_name, ending, scores=scores)
    assert misfit is not None
    assert misfit.clash is clash
    assert misfit.message.startswith(loss(loss_name).name)  # type: ignore[union-attr]
    assert misfit.changes


def test_what_is_not_known_is_not_complained_about() -> None:
    row = loss("categorical_crossentropy")
    assert row is not None
    assert list(misfits(Output(None, 10), row, False)) == []
    assert list(misfits(Output(activation("linear"), 10), row, None)) == [], "from_logits is not known"


def test_numbers_have_the_last_word() -> None:
    cross_entropy, categorical = loss("CrossEntropyLoss"), loss("categorical_crossentropy")
    assert cross_entropy is not None and categorical is not None
    rows = Output(None, 10, least=0.0, largest=0.9, sums_to_one=True)
    assert [misfit.clash for misfit in misfits(rows, cross_entropy)] == [Clash.APPLIED_TWICE]
    outside = Output(activation("linear"), 10, least=-2.0, largest=3.0)
    (misfit,) = misfits(outside, categorical, False)
    assert (misfit.clash, misfit.severity) == (Clash.NOT_PROBABILITIES, Severity.ERROR)
    assert "from -2 to 3" in misfit.message
    clipped = Output(activation("relu"), 10, least=0.0, largest=0.7)
    assert list(misfits(clipped, categorical, False)) == []


def test_only_a_loss_that_can_be_asked_for_scores_is_said_to_have_been_asked() -> None:
    torch = found("CrossEntropyLoss", "softmax", scores=True)  # as the probe records it
    assert torch is not None and torch == found("CrossEntropyLoss", "softmax")
    keras = found("categorical_crossentropy", "softmax", scores=True)
    assert keras is not None and "with from_logits=True expects logits" in keras.message


def test_one_unit_under_a_loss_over_classes_is_given_the_binary_loss() -> None:
    misfit = found("categorical_crossentropy", "sigmoid", 1, False)
    assert misfit is not None and misfit.clash is Clash.SINGLE_UNIT
    assert SuggestedChange(ChangeKind.SET_LOSS, "categorical_crossentropy", "binary_crossentropy") in misfit.changes


def test_raw_scores_have_two_ways_to_a_loss_over_probabilities() -> None:
    misfit = found("BCELoss", "linear", 1)
    assert misfit is not None
    assert misfit.changes == (
        SuggestedChange(ChangeKind.SET_ACTIVATION, "", "sigmoid"),
        SuggestedChange(ChangeKind.SET_LOSS, "BCELoss", "BCEWithLogitsLoss"),
    )
    keras = found("sparse_categorical_crossentropy", "linear", 10, False)
    assert keras is not None
    assert SuggestedChange(ChangeKind.SET_ARGUMENT, "", "from_logits=True") in keras.changes


@pytest.mark.parametrize(
    ("loss_name", "written", "other"),
    [
        ("categorical_crossentropy", Encoding.CLASS_NUMBERS, "sparse_categorical_crossentropy"),
        ("sparse_categorical_crossentropy", Encoding.ONE_HOT, "categorical_crossentropy"),
        ("softmax_cross_entropy_with_logits", Encoding.CLASS_NUMBERS, "sparse_softmax_cross_entropy_with_logits"),
    ],
)
def test_targets_written_for_the_other_loss(loss_name: str, written: Encoding, other: str) -> None:
    row = loss(loss_name)
    assert row is not None
    misfit = encoding_misfit(row, written, 10)
    assert misfit is not None and misfit.changes[0] == SuggestedChange(ChangeKind.SET_LOSS, loss_name, other)
    assert encoding_misfit(row, row.targets, 10) is None
    assert encoding_misfit(row, None, 10) is None


def test_values_learned_through_an_activation_that_cannot_reach_them() -> None:
    row = loss("mse")
    assert row is not None
    (slow,) = regression_misfits(Output(activation("softmax"), 10), row, classes=True, may_be_negative=False)
    assert slow.clash is Clash.CLASSES_AS_VALUES
    (cut,) = regression_misfits(Output(activation("relu"), 1), row, classes=False, may_be_negative=True)
    assert cut.clash is Clash.CUT_VALUES
    assert list(regression_misfits(Output(activation("relu"), 1), row, classes=False, may_be_negative=False)) == []


def test_every_pair_has_at_most_one_answer_and_every_answer_a_change() -> None:
    for row, ending, units, scores in product(LOSSES, ACTIVATIONS, (None, 1, 2, 10), (None, True, False)):
        answers = list(misfits(Output(ending, units), row, scores))
        assert len(answers) <= 1
        assert all(answer.changes and answer.message.startswith(row.name) for answer in answers)


def test_a_loss_that_is_added_as_a_row_is_judged_like_the_others() -> None:
    invented = KnownLoss("FancyLoss", "fancy", "torch", Reads.PROBABILITIES, Compares.CLASSES, Encoding.ONE_HOT)
    remove = LOSSES.add(invented)
    try:
        misfit = found("torch.nn.FancyLoss", "linear")
        assert misfit is not None and misfit.clash is Clash.NOT_PROBABILITIES
    finally:
        remove()
    assert loss("FancyLoss") is None
