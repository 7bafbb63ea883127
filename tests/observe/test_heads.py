"""What the last operation gives and what the loss reads it as, by numbers rather than by names."""

from __future__ import annotations

import math

import pytest

from bugloss.core.network.activation import activation
from bugloss.observe.heads import class_width, main_head, main_loss, refuses_strange_labels
from bugloss.observe.recording import LossFunction, Numbers, RecordedModel, Started
from bugloss.observe.sketch import sketch

SOFTMAX = Numbers((64, 10), "float32", 0.01, 0.6, 0.1, 0.1)
KERAS = Started("keras", "3.15.0", "tensorflow")


def test_rows_that_add_up_to_one_come_from_a_softmax() -> None:
    head = main_head(sketch(batch={"outputs": SOFTMAX}))
    assert head is not None and head.sums_to_one is True
    other = main_head(sketch(batch={"outputs": Numbers((64, 10), "float32", 0.01, 0.6, 0.2, 0.1)}))
    assert other is not None and other.sums_to_one is False


def test_the_mean_of_a_thinned_tensor_proves_nothing() -> None:
    large = Numbers((64, 100), "float32", 0.0, 0.6, 0.0101, 0.1)
    head = main_head(sketch(loss={"output_shape": (64, 100)}, batch={"outputs": large}))
    assert head is not None and head.sums_to_one is None


def test_numbers_have_the_last_word_over_the_name_of_the_activation() -> None:
    head = main_head(sketch(model={"output_activation": "softmax"}))  # the outputs reach from -4 to 4
    assert head is not None and head.activation is None
    head = main_head(sketch(model={"output_activation": "softmax"}, batch={"outputs": SOFTMAX}))
    assert head is not None and head.activation is activation("softmax")


def test_with_several_models_nobody_knows_the_last_activation() -> None:
    models = tuple(
        RecordedModel(f"model-{place}", "Net", parameters=9, output_activation="softmax") for place in range(2)
    )
    head = main_head(sketch(models=models, batch={"outputs": SOFTMAX}))
    assert head is not None and head.activation is None


def test_outputs_of_another_shape_or_with_nan_are_not_read() -> None:
    batches = [{"outputs": Numbers((64, 3), "float32", 9.0, 9.0, 9.0)}, {"outputs": Numbers((64, 10), nonfinite=3)}]
    head = main_head(sketch(batch=batches))
    assert head is not None and head.outputs == () and head.least is None and head.within(0, 1) is None


@pytest.mark.parametrize(
    ("kind", "shape", "framework", "width"),
    [
        ("cross-entropy", (8, 5, 16, 16), "torch", 5),
        ("cross-entropy", (8, 16, 16, 5), "keras", 5),
        ("binary-cross-entropy", (8, 16, 3), "torch", 3),
        ("mse", (8,), "torch", 1),
        ("mse", (), "torch", None),
    ],
)
def test_classes_lie_where_the_framework_keeps_them(
    kind: str, shape: tuple[int, ...], framework: str, width: int | None
) -> None:
    assert class_width(LossFunction(kind, kind, output_shape=shape), framework) == width


def test_a_second_kind_of_loss_makes_the_first_unsure_unless_all_batches_fit_it() -> None:
    evaluated = LossFunction("mse", "mse_loss", output_shape=(64, 10))
    trained = LossFunction("cross-entropy", "cross_entropy", output_shape=(64, 10))
    assert main_loss(sketch(loss_functions=(trained, evaluated))) is trained
    assert main_loss(sketch(loss_functions=(trained, evaluated), batches=())) is None
    assert main_loss(sketch(loss_functions=())) is None


def test_pytorch_that_goes_on_has_no_quarrel_with_the_labels() -> None:
    assert refuses_strange_labels(sketch())
    assert not refuses_strange_labels(sketch(started=KERAS))
    assert not refuses_strange_labels(sketch([2.3, math.nan]))
