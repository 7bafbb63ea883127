"""Facts about contracts, data and settings: when they are an alarm, and when only worth a remark."""

from __future__ import annotations

import math
from typing import Any

import pytest

from bugloss.core.finding import Severity
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.observe.contract import Detector
from bugloss.observe.recording import (
    Evaluation,
    InputFeatures,
    LossFunction,
    Numbers,
    Occasion,
    PropertyAnswer,
    RecordedLayer,
    Recording,
    Started,
    Targets,
)
from bugloss.observe.sketch import falling, sketch

DETECTORS = load(PluginGroup.DETECTOR, Detector)
ERROR, WARNING, ADVICE = Severity.ERROR, Severity.WARNING, Severity.ADVICE
KERAS = Started("keras", "3.15.0", "tensorflow")
FLAT = [2.303] * 100
PIXELS = Numbers((64, 784), "float32", 0.0, 255.0, 33.0, 78.0, 0.4)
DROP = (RecordedLayer("fc1", "Linear", 680, 680), RecordedLayer("drop", "Dropout", settings={"rate": 0.5}))
SOFTMAX = Numbers((64, 10), "float32", 0.01, 0.6, 0.1, 0.1)
SIGMOIDS = Numbers((64, 10), "float32", 0.2, 0.8, 0.5, 0.1)
CATEGORICAL = {"name": "categorical_crossentropy", "from_logits": False}


def severity(name: str, recording: Recording) -> Severity | None:
    """The worst that a detector says of a recording."""
    found = [symptom.severity for symptom in DETECTORS[name].detect(recording)]
    return max(found, key=lambda one: one.rank, default=None)


@pytest.mark.parametrize(
    ("name", "bent"),
    [
        ("unnormalised-input", {"batch": {"inputs": (PIXELS,)}}),
        ("epsilon-extreme", {"optimizer": {"settings": {"learning_rate": 0.001, "epsilon": 1.0}}}),
        ("momentum-extreme", {"optimizer": {"kind": "SGD", "settings": {"learning_rate": 0.1, "momentum": 0.999}}}),
        ("cannot-overfit-batch", {"properties": (PropertyAnswer("overfit-batch", False),)}),
        ("bias-initialization", {"layers": {"fc1": {"bias_mean": 5.0}}}),
        ("weight-initialization-scale", {"layers": {"fc1": {"weight_std": 20.0}}}),
        (
            "learning-rate-vanished",
            {"steps": {"learning_rate": [0.1] * 40 + [1e-9]}},
        ),
        (
            "wrong-loss-for-targets",
            {"loss": {"kind": "mse", "name": "MSELoss"}, "batch": {"targets": Targets("one-hot", 10)}},
        ),
    ],
)
def test_what_a_learning_model_stands_is_an_alarm_in_one_that_does_not_learn(name: str, bent: dict[str, Any]) -> None:
    assert severity(name, sketch(FLAT, **bent)) is WARNING
    assert severity(name, sketch(falling(), **bent)) is ADVICE


def test_an_outer_product_of_outputs_and_targets_is_an_error_and_a_stretched_constant_a_remark() -> None:
    loss = {"kind": "mse", "name": "mse_loss", "broadcast": True, "output_shape": (64, 1)}
    assert severity("silent-broadcast", sketch(loss={**loss, "target_shape": (64,)})) is ERROR
    assert severity("silent-broadcast", sketch(loss={**loss, "target_shape": (1, 1)})) is ADVICE
    assert severity("silent-broadcast", sketch(started=KERAS, loss={**loss, "target_shape": (64,)})) is ADVICE


def test_a_second_softmax_is_always_an_alarm_and_a_sigmoid_for_each_class_only_where_it_hurts() -> None:
    assert severity("head-loss-mismatch", sketch(batch={"outputs": SOFTMAX})) is ERROR
    odd = {"started": KERAS, "loss": CATEGORICAL, "model": {"output_activation": "sigmoid"}}
    assert severity("head-loss-mismatch", sketch(FLAT, batch={"outputs": SIGMOIDS}, **odd)) is WARNING
    assert severity("head-loss-mismatch", sketch(batch={"outputs": SIGMOIDS}, **odd)) is ADVICE


def test_raw_scores_in_a_loss_that_takes_probabilities_are_an_error() -> None:
    assert severity("head-loss-mismatch", sketch(started=KERAS, loss=CATEGORICAL)) is ERROR


def test_a_log_softmax_before_a_cross_entropy_changes_nothing() -> None:
    outputs = Numbers((64, 10), "float32", -5.0, -0.1, -2.4, 1.0)
    assert (
        severity("head-loss-mismatch", sketch(model={"output_activation": "log_softmax"}, batch={"outputs": outputs}))
        is None
    )


def test_evaluation_without_a_result_and_with_gradients_may_be_anything() -> None:
    modes: dict[str, Any] = {"training_modes": ("drop",)}
    judged = (Evaluation(99, 5, 320, 0.6, **modes),)
    quiet = (Evaluation(99, 5, 320, **modes),)
    dummy = (Evaluation(0, 1, 2, gradients_on=True, **modes),)
    assert severity("dropout-active-in-evaluation", sketch(architecture=DROP, evaluations=judged)) is WARNING
    assert severity("dropout-active-in-evaluation", sketch(architecture=DROP, evaluations=quiet)) is WARNING
    assert severity("dropout-active-in-evaluation", sketch(architecture=DROP, evaluations=dummy)) is ADVICE


def test_parameters_without_an_optimizer_are_an_alarm_behind_trained_ones_only() -> None:
    assert severity("optimizer-misses-parameters", sketch(optimizer={"missing": ("fc2.weight",)})) is WARNING
    assert severity("optimizer-misses-parameters", sketch(optimizer={"missing": ("fc1.weight",)})) is ADVICE
    everything = ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias")
    assert severity("optimizer-misses-parameters", sketch(optimizer={"missing": everything})) is ADVICE


def test_what_one_optimizer_misses_another_may_update() -> None:
    plain = sketch().optimizers[0]
    blind = type(plain)("optimizer-0", "Adam", missing=("fc2.weight",))
    assert severity("optimizer-misses-parameters", sketch(optimizers=(blind, plain))) is None


def test_a_whole_model_that_was_swapped_is_an_error() -> None:
    swapped = {"foreign": 4, "parameters": 4, "missing": ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias")}
    assert severity("optimizer-of-other-parameters", sketch(optimizer=swapped)) is ERROR
    assert severity("optimizer-misses-parameters", sketch(optimizer=swapped)) is None


def test_unshuffled_classes_need_to_change_between_batches() -> None:
    mixed = [
        {"targets": Targets("index", 4, {"0": 40, "1": 24}, 20.0)},
        {"targets": Targets("index", 4, {"1": 9, "2": 55}, 20.0)},
    ]
    assert severity("unshuffled-data", sketch(data={"shuffled": False}, batch=mixed)) is ADVICE
    assert severity("unshuffled-data", sketch(data={"shuffled": True}, batch=mixed)) is None


def test_nan_inputs_that_do_no_harm_are_a_remark() -> None:
    gaps = {"inputs": (Numbers((64, 16), "float32", -3.0, 3.0, 0.0, 1.0, 0.0, 7),)}
    assert severity("nonfinite-input", sketch(batch=gaps)) is ADVICE
    assert severity("nonfinite-input", sketch([2.3, math.nan], batch=gaps)) is ERROR


def test_overlap_by_nature_is_a_remark() -> None:
    discrete = {"features": InputFeatures(duplicate_share=0.6)}
    assert severity("split-overlap", sketch(validation_data={"overlap": 0.9})) is WARNING
    assert severity("split-overlap", sketch(data=discrete, validation_data={"overlap": 0.9})) is ADVICE


def test_a_shift_between_parts_is_an_alarm_where_validation_underperforms() -> None:
    moved = {"inputs": (Numbers((64, 16), "float32", 3.0, 9.0, 6.0, 1.0),)}
    assert severity("preprocessing-skew", sketch(validation_batch=moved)) is ADVICE
    assert severity("preprocessing-skew", sketch(validation_batch=moved, validation=[5.0])) is WARNING


def test_thinned_readings_of_uneven_columns_raise_no_alarm() -> None:
    """The probe once read only every fifth of twenty columns; their scales differed, and so did the readings."""
    uneven = InputFeatures(scale_spread=1e6)
    one = {"inputs": (Numbers((900, 20), "float32", -200.0, 175.0, -5.4, 32.4),), "features": (uneven,)}
    other = {"inputs": (Numbers((240, 20), "float32", -4000.0, 5000.0, 86.0, 539.0),), "features": (uneven,)}
    assert severity("preprocessing-skew", sketch(batch=one, validation_batch=other)) is ADVICE


def test_stale_statistics_of_a_batch_norm_are_an_alarm_where_evaluation_underperforms() -> None:
    slow = (
        RecordedLayer("fc1", "Dense", 680, 680),
        RecordedLayer("bn", "BatchNormalization", 80, 40, {"momentum": 0.9999}),
    )
    bent: dict[str, Any] = {"started": KERAS, "architecture": slow}
    assert severity("batch-norm-statistics", sketch(**bent)) is ADVICE
    assert severity("batch-norm-statistics", sketch(**bent, validation=[9.0])) is WARNING


def test_two_terms_of_a_loss_are_no_accumulation() -> None:
    steps = {"backwards": 4, "metrics": {"accumulated_scale": 1.0}}
    terms = (LossFunction("mse", "mse_loss"), LossFunction("mae", "l1_loss"))
    assert severity("accumulation-unscaled", sketch(steps=steps)) is ADVICE
    assert severity("accumulation-unscaled", sketch(steps=steps, loss_functions=terms)) is None


def test_a_rate_of_zero_is_an_error_and_a_warm_up_from_zero_is_nothing() -> None:
    standing = {name: {"update_ratio": 0.0} for name in ("fc1", "fc2")}
    still = sketch(FLAT, steps={"learning_rate": 0.0}, layers=standing)
    assert severity("learning-rate-too-low", still) is ERROR
    rising = sketch(steps={"learning_rate": [1e-5 * step for step in range(100)]})
    assert severity("learning-rate-too-low", rising) is None


def test_weights_that_got_no_gradient_do_not_accuse_the_rate() -> None:
    standing = {name: {"update_ratio": 0.0} for name in ("fc1", "fc2")}
    assert severity("learning-rate-too-low", sketch(FLAT, layers=standing)) is None


def test_a_loss_that_shoots_up_betrays_the_rate_even_if_it_comes_down_again() -> None:
    rate = {"optimizer": {"settings": {"learning_rate": 1.0}}, "steps": {"learning_rate": 1.0}}
    assert severity("learning-rate-too-high", sketch([2.3] * 5 + [90.0] * 20 + [0.1] * 75, **rate)) is WARNING
    assert severity("learning-rate-too-high", sketch(**rate)) is None


def test_labels_learned_no_better_than_shuffled_ones_need_a_run_that_bears_it_out() -> None:
    answers = (PropertyAnswer("labels-matter", False), PropertyAnswer("overfit-batch", True))
    assert severity("labels-do-not-fit-inputs", sketch(FLAT, properties=answers)) is WARNING
    assert severity("labels-do-not-fit-inputs", sketch(properties=answers)) is ADVICE


def test_backward_passes_without_a_step_are_an_error() -> None:
    lost = (Occasion("backward-without-step", 0, facts={"backwards": 30}),)
    assert severity("never-stepped", sketch([], optimizers=(), samples=(), occasions=lost)) is ERROR


def test_a_crash_before_the_first_step_is_no_missing_step() -> None:
    lost = (Occasion("backward-without-step", 0, facts={"backwards": 1}),)
    assert severity("never-stepped", sketch([], optimizers=(), samples=(), occasions=lost)) is None
