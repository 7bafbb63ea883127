"""What enters a model, and whether training shows the harm that a suspicious fact would do."""

from __future__ import annotations

import math

from bugloss.observe.inputs import brings_to_scale, first_inputs, inputs_of
from bugloss.observe.recording import InputFeatures, Numbers, RecordedLayer, Recording
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.underperformance import (
    beats_chance,
    starts_far_above_chance,
    training_underperforms,
    validation_underperforms,
)

REAL = Numbers((64, 16), "float32", -3.0, 5.0, 0.0, 1.0)
TOKENS = Numbers((64, 20), "int64", 0.0, 999.0, 300.0, 200.0)
WHOLE = Numbers((640, 16), "float32", -3.0, 4.0, 0.0, 1.0)


def test_the_data_as_a_whole_come_before_batches() -> None:
    recording = sketch(data={"input": WHOLE}, batch={"inputs": (TOKENS, REAL), "features": (InputFeatures(),)})
    assert [item.whole for item in inputs_of(recording, "train")] == [True, False, False]
    assert [(item.place, item.numbers) for item in first_inputs(recording)] == [(0, WHOLE), (1, REAL)]
    assert first_inputs(recording)[1].largest == 5.0


def test_tokens_masks_and_broken_numbers_are_no_real_inputs() -> None:
    broken = Numbers((64, 16), "float32", -3.0, math.inf, 0.0, 1.0)
    flat = Numbers((64,), "float32", -3.0, 3.0, 0.0, 1.0)
    assert first_inputs(sketch(batch={"inputs": (TOKENS, broken, flat)})) == ()
    assert first_inputs(Recording()) == ()


def test_a_model_that_begins_with_a_norm_brings_its_input_to_scale() -> None:
    dense = RecordedLayer("fc", "Dense", 99, 99)
    assert brings_to_scale(
        sketch(architecture=(RecordedLayer("in", "InputLayer"), RecordedLayer("n", "Normalization"), dense))
    )
    assert brings_to_scale(
        sketch(architecture=(RecordedLayer("flat", "Flatten"), RecordedLayer("bn", "BatchNorm1d"), dense))
    )
    assert not brings_to_scale(sketch(architecture=(dense, RecordedLayer("bn", "BatchNorm1d"))))


def test_a_run_underperforms_that_starts_far_above_chance_and_does_not_get_far() -> None:
    assert starts_far_above_chance(sketch(falling(60.0, 1.9)))
    assert training_underperforms(sketch(falling(60.0, 1.9)))
    assert training_underperforms(sketch([2.3] * 100))
    assert not training_underperforms(sketch(falling(60.0, 0.2)))
    assert not training_underperforms(sketch())
    assert beats_chance(sketch())


def test_a_run_underperforms_whose_loss_stays_far_above_chance_however_often_it_is_right() -> None:
    assert training_underperforms(sketch(falling(500.0, 80.0), accuracies=[0.3, 0.7]))


def test_validation_underperforms_only_when_it_is_worse_three_times_over() -> None:
    assert validation_underperforms(sketch(validation=[4.0]))
    assert not validation_underperforms(sketch(validation=[0.4, 0.3, 0.2]))
    assert not validation_underperforms(sketch())
    assert validation_underperforms(sketch(accuracies=[0.9], validation_accuracies=[0.5]))
