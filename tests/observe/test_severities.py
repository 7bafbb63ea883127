"""What is an alarm and what only a remark: the same sight weighs more in a model that does not learn."""

from __future__ import annotations

import math
from typing import Any

import pytest
from healthy_runs import HEALTHY

from bugloss.core.finding import Severity
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.observe.contract import Detector
from bugloss.observe.recording import NonFinite, Numbers, Occasion, RecordedLayer, Recording
from bugloss.observe.sketch import falling, noisy, sketch

DETECTORS = load(PluginGroup.DETECTOR, Detector)
FLAT = noisy([2.303] * 100, 0.01)
ERROR, WARNING, ADVICE = Severity.ERROR, Severity.WARNING, Severity.ADVICE


def severities(name: str, recording: Recording) -> set[Severity]:
    return {symptom.severity for symptom in DETECTORS[name].detect(recording)}


def layers(**numbers: Any) -> dict[str, dict[str, Any]]:
    return {name: dict(numbers) for name in ("fc1", "fc2")}


@pytest.mark.parametrize(
    ("name", "bent"),
    [
        ("dead-units", {"layers": {"fc1": {"dead_share": 0.98}}}),
        ("saturated-units", {"layers": {"fc1": {"saturated_share": 0.98}}}),
        ("update-too-large", {"layers": layers(update_ratio=0.5)}),
        ("growing-weights", {"layers": {"fc1": {"weight_rms": [0.1, 1.0, 5.0, 20.0]}}}),
        ("collapsed-weights", {"layers": {"fc1": {"weight_rms": [0.1, 0.01, 0.001, 0.001]}}}),
        ("activation-drift", {"layers": {"fc1": {"output_std": [0.1, 10.0, 50.0, 50.0]}}}),
        ("initial-output-scale", {"batch": {"outputs": Numbers((64, 10), "float32", -900.0, 900.0)}}),
        ("exploding-gradient", {"steps": {"gradient_norm": [0.5 * 1.1**index for index in range(100)]}}),
        ("optimizer-misses-parameters", {"optimizer": {"missing": ("fc1.weight", "fc1.bias"), "parameters": 2}}),
    ],
)
def test_what_a_learning_model_stands_is_an_alarm_in_one_that_does_not_learn(name: str, bent: dict[str, Any]) -> None:
    assert severities(name, sketch(FLAT, **bent)) == {WARNING}
    assert severities(name, sketch(falling(), **bent)) == {ADVICE}


def test_infinities_that_do_no_harm_are_a_remark() -> None:
    """Attention masks are filled with minus infinity on purpose."""
    mask = NonFinite(0, "forward", "attention", "masked_fill")
    assert severities("first-bad-operation", sketch(nonfinite=(mask,))) == {ADVICE}
    assert severities("first-bad-operation", sketch([2.3, *[math.nan] * 20], nonfinite=(mask,))) == {ERROR}


def test_a_loss_that_recovers_is_less_than_an_error() -> None:
    assert severities("loss-nonfinite", sketch([*falling(count=50), math.nan, *falling(count=50)])) == {WARNING}


def test_a_clipped_gradient_is_a_remark() -> None:
    norms = {"gradient_norm": [0.5 * 1.1**index for index in range(100)]}
    assert severities("exploding-gradient", sketch(FLAT, steps=norms, occasions=(Occasion("clip", 3, 100),))) == {
        ADVICE
    }


def test_adversaries_may_stand_still() -> None:
    assert severities("loss-flat", HEALTHY["gan"]) <= {ADVICE}


def test_an_objective_of_its_own_that_goes_below_zero_may_wander() -> None:
    wandering = noisy([*falling(2.0, 0.5, 50), *falling(0.5, 1.8, 50)], 0.02)
    below = [value - 1.5 for value in wandering]
    custom = {"kind": "custom", "name": "policy_loss"}
    assert severities("loss-rising", sketch(wandering, loss=custom)) == {WARNING}
    assert severities("loss-rising", sketch(below, loss=custom)) == {ADVICE}


def test_a_layer_that_nobody_updates_may_be_meant_to_stay() -> None:
    still = {"changed": False, "update_ratio": 0.0}
    assert severities("unchanged-weights", sketch(layers={"fc1": still})) == {ERROR}
    left_out = {"missing": ("fc1.weight", "fc1.bias")}
    assert severities("unchanged-weights", sketch(layers={"fc1": still}, optimizer=left_out)) == {ADVICE}


def test_steps_too_small_for_a_float_are_told_from_steps_that_are_not_made() -> None:
    still = layers(changed=False, update_ratio=0.0)
    found = list(DETECTORS["unchanged-weights"].detect(sketch(FLAT, layers=still, steps={"learning_rate": 1e-12})))
    assert [(symptom.severity, symptom.evidence["lost_in_rounding"]) for symptom in found] == [(WARNING, True)]


@pytest.mark.parametrize(
    ("validation", "hits", "severity"),
    [
        ([2.0, 1.5, 1.2, 1.1, 1.0, 1.1, 1.3, 1.6, 1.8, 2.0], [0.5, 0.6, 0.6], WARNING),
        ([2.0, 1.5, 1.2, 1.1, 1.0, 1.1, 1.3, 1.6, 1.8, 2.0], [0.5, 0.8, 0.94], ADVICE),
        ([2.0, 1.5, 1.2, 1.1, 1.0, 1.05, 1.1, 1.14, 1.16, 1.18], [0.5, 0.8, 0.84], ADVICE),
        ([2.0, 0.5, 0.1, 0.05, 0.03, 0.03, 0.05, 0.07, 0.09, 0.1], [0.5, 0.9, 0.99], ADVICE),
    ],
    ids=["steep", "surer of the same answers", "gentle", "next to nothing"],
)
def test_overfitting_is_an_alarm_when_answers_get_worse(
    validation: list[float], hits: list[float], severity: Severity
) -> None:
    recording = sketch(
        falling(2.3, 0.05), validation=validation, accuracies=[0.5, 0.8, 0.97], validation_accuracies=hits
    )
    assert severities("overfitting", recording) == {severity}


def test_stopping_early_is_an_alarm_while_the_model_is_still_bad() -> None:
    steady = [2.3 - 0.015 * index for index in range(100)]
    assert severities("still-improving", sketch(steady, accuracies=[0.1, 0.2, 0.4])) == {WARNING}
    assert severities("still-improving", sketch(steady, accuracies=[0.1, 0.5, 0.9])) == {ADVICE}


def test_messages_and_evidence_of_a_lost_run_hold_words_for_numbers() -> None:
    symptom = next(iter(DETECTORS["loss-nonfinite"].detect(sketch([2.0, math.nan]))))
    assert symptom.evidence["loss"] == "nan"
    assert symptom.evidence["before"] == 2.0


def test_a_formula_that_pairs_all_samples_is_an_alarm_where_nothing_is_learned() -> None:
    """A ranking loss compares all pairs on purpose, and learns."""
    loss = {"kind": "custom", "broadcast": True, "output_shape": (64, 1), "target_shape": ()}
    assert severities("silent-broadcast", sketch(FLAT, loss=loss)) == {WARNING}
    assert severities("silent-broadcast", sketch(falling(), loss=loss)) == {ADVICE}


def test_gradients_that_are_all_but_gone_are_an_alarm_where_little_is_learned() -> None:
    deep = tuple(RecordedLayer(f"fc{number}", "Linear", 100, 100, {"units": 10}) for number in range(1, 7))
    bent = {"architecture": deep, "layers": {"fc1": {"gradient_rms": 1e-9}}}
    assert severities("vanishing-gradient", sketch(falling(2.3, 1.8), **bent)) == {WARNING}
    assert severities("vanishing-gradient", sketch(falling(2.3, 0.2), **bent)) == {ADVICE}


def test_measuring_the_whole_training_data_once_more_is_no_leak() -> None:
    data, measured = {"samples": 3200}, {"overlap": 1.0, "samples": 3200}
    assert severities("split-overlap", sketch(data=data, validation_data=measured)) == {ADVICE}
    assert severities("split-overlap", sketch(data=data, validation_data={**measured, "samples": 400})) == {WARNING}
