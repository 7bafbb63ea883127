"""What a layer is, whichever framework named it."""

from __future__ import annotations

import math

import pytest

from bugloss.observe.layer_kinds import (
    dropout_rate,
    fan_in,
    fan_out,
    has_settled_order,
    is_batch_norm,
    is_norm,
    latest_models,
    number,
)
from bugloss.observe.recording import RecordedLayer, RecordedModel, Recording


@pytest.mark.parametrize(
    ("layer", "inputs", "outputs"),
    [
        (RecordedLayer("fc", "Linear", 785 * 100, settings={"units": 100}), 784, 100),
        (RecordedLayer("fc", "Dense", 784 * 100, settings={"units": 100, "use_bias": False}), 784, 100),
        (RecordedLayer("conv", "Conv2d", 8 * 28, settings={"filters": 8, "kernel_size": [3, 3]}), 27, 72),
        (RecordedLayer("conv", "Conv1D", 8 * 7, settings={"filters": 8, "kernel_size": 2}), 6, 16),
        (RecordedLayer("rnn", "LSTM", 4000, settings={"units": 16}), None, 16),
        (RecordedLayer("fc", "Linear", 100), None, None),
        (RecordedLayer("fc", "Dense", 0, settings={"units": 8}), None, 8),
    ],
)
def test_inputs_of_a_unit_follow_from_the_count_of_parameters(
    layer: RecordedLayer, inputs: int | None, outputs: int | None
) -> None:
    assert fan_in(layer) == inputs
    assert fan_out(layer) == outputs


@pytest.mark.parametrize("kind", ["BatchNorm1d", "SyncBatchNorm", "BatchNormalization", "LazyBatchNorm2d"])
def test_batch_norm_goes_by_many_names(kind: str) -> None:
    assert is_batch_norm(RecordedLayer("bn", kind))
    assert is_norm(RecordedLayer("bn", kind))


def test_a_layer_norm_keeps_no_statistics_of_batches() -> None:
    assert is_norm(RecordedLayer("ln", "LayerNorm"))
    assert not is_batch_norm(RecordedLayer("ln", "LayerNorm"))


def test_only_dropout_has_a_dropout_rate() -> None:
    assert dropout_rate(RecordedLayer("d", "SpatialDropout2D", settings={"rate": 0.3})) == 0.3
    assert dropout_rate(RecordedLayer("d", "Dropout", settings={"p": 0.4})) == 0.4
    assert dropout_rate(RecordedLayer("d", "LSTM", settings={"rate": 0.3})) is None


def test_settings_that_are_no_finite_numbers_are_left_out() -> None:
    settings = {"a": True, "b": "0.1", "c": math.nan, "d": [0.9, 0.999], "e": 3}
    assert number(settings, "a", "b", "c", "d", "missing") is None
    assert number(settings, "a", "e") == 3.0


def test_a_model_counts_once_as_it_was_last_described() -> None:
    first, last = RecordedModel("model-0", "Net"), RecordedModel("model-0", "Net", trainable=5)
    assert latest_models(Recording(models=(first, last))) == (last,)


def test_layers_of_a_keras_class_of_ones_own_come_as_they_were_assigned() -> None:
    assert has_settled_order(RecordedModel("m", "Net"), "torch")
    assert has_settled_order(RecordedModel("m", "Functional"), "keras")
    assert not has_settled_order(RecordedModel("m", "MyModel"), "keras")
