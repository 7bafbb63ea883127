"""DeepDiagnosis: symptoms at their thresholds, and the tree from symptom to change."""

from __future__ import annotations

import math

import pytest

from bugloss.observe.recording import NonFinite, Numbers, RecordedLayer, Recording, Targets
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.tools.contract import ToolAnswer
from bugloss.observe.tools.deepdiagnosis import DeepDiagnosis

FLAT = [2.3 + 0.0001 * (index % 7) for index in range(100)]
LARGE_INPUT = {"inputs": (Numbers((64, 16), "float32", 0.0, 255.0, 120.0, 70.0),)}
REAL = {"target": Numbers((64, 1), "float32", -3.0, 3.0, 0.0, 1.0), "targets": Targets("real")}
SIGMOID = (
    RecordedLayer("fc1", "Dense", 680, 680, {"activation": "sigmoid"}),
    RecordedLayer("fc2", "Dense", 410, 410, {"activation": "softmax"}),
)


def told(recording: Recording) -> ToolAnswer:
    return DeepDiagnosis().diagnose([recording])


def first(recording: Recording) -> tuple[str, str]:
    answer = told(recording)
    return answer.symptoms[0].name, answer.causes[0].cause


CASES = {
    "weights that never move at a tiny rate": (
        sketch(layers={"fc1": {"update_ratio": 1e-9}}, steps={"learning_rate": 1e-8}),
        ("unchanged-weight", "wrong-learning-rate"),
    ),
    "weights that never move at a usual rate": (
        sketch(layers={"fc1": {"changed": False}}), ("unchanged-weight", "wrong-optimizer"),
    ),
    "nodes dead from the start": (
        sketch(layers={"fc1": {"dead_share": 0.95}}), ("dead-node", "wrong-weight-initialization"),
    ),
    "nodes that die at a large rate": (
        sketch(layers={"fc1": {"dead_share": [0.0, 0.1, 0.9]}}, steps={"learning_rate": 0.5}),
        ("dead-node", "wrong-learning-rate"),
    ),
    "nodes that die on raw pixels": (
        sketch(layers={"fc1": {"dead_share": [0.0, 0.1, 0.9]}}, batch=LARGE_INPUT), ("dead-node", "unnormalised-input"),
    ),
    "hidden sigmoids that saturate": (
        sketch(layers={"fc1": {"saturated_share": [0.1, 0.2, 0.3, 0.9]}}), ("saturated-activation", "wrong-activation"),
    ),
    "gradients that vanish behind sigmoids": (
        sketch(layers={"fc1": {"gradient_rms": 1e-9}}, architecture=SIGMOID), ("vanishing-gradient", "wrong-activation"),
    ),
    "numbers that explode late": (
        sketch(nonfinite=(NonFinite(40, "forward", "fc1"),)), ("exploding-tensor", "wrong-learning-rate"),
    ),
    "numbers that explode at once": (
        sketch(nonfinite=(NonFinite(0, "forward", "fc1"),)), ("exploding-tensor", "wrong-weight-initialization"),
    ),
    "a loss that is exactly zero": (sketch([0.0] * 100), ("zero-loss", "wrong-loss-function")),
    "a loss that stands still for the wrong task": (
        sketch(FLAT, batch=REAL), ("loss-not-decreasing", "wrong-loss-function"),
    ),
    "a loss that stands still after a softmax that the loss has itself": (
        sketch(FLAT, model={"output_activation": "softmax"}), ("loss-not-decreasing", "wrong-activation"),
    ),
    "targets that the output cannot reach": (
        sketch(batch=REAL, model={"output_activation": "sigmoid"}), ("out-of-range", "wrong-activation"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_first_symptom_goes_down_the_tree(case: str) -> None:
    recording, expected = CASES[case]
    assert first(recording) == expected


def test_a_healthy_run_shows_nothing() -> None:
    answer = told(sketch(accuracies=[0.1 * number for number in range(1, 11)]))
    assert (answer.symptoms, answer.causes) == ((), ())


def test_an_accuracy_at_its_end_need_not_grow() -> None:
    assert told(sketch(accuracies=[0.9, 0.95, 0.99, 1.0, 1.0, 1.0, 1.0, 1.0])).causes == ()


def test_an_accuracy_that_stands_still_is_seen() -> None:
    names = [symptom.name for symptom in told(sketch(accuracies=[0.1] * 10)).symptoms]
    assert names == ["accuracy-not-increasing"]


def test_a_saturated_output_is_no_symptom() -> None:
    assert told(sketch(layers={"fc2": {"saturated_share": 0.9}})).symptoms == ()


def test_a_threshold_must_hold_three_times() -> None:
    assert told(sketch(layers={"fc1": {"dead_share": [0.0, 0.9, 0.9, 0.0, 0.9, 0.9, 0.0]}})).symptoms == ()


def test_later_symptoms_follow_with_less_confidence() -> None:
    bent = {"fc1": {"dead_share": [0.0, 0.0, 0.8], "update_ratio": [1e-3] * 8 + [1e-9] * 3}}
    answer = told(sketch([*falling(count=40), *[1.0] * 60], layers=bent))
    assert [cause.confidence for cause in answer.causes] == [0.7, 0.35]


def test_numbers_that_are_none_break_nothing() -> None:
    bent = {"fc1": dict.fromkeys(("gradient_rms", "weight_rms", "output_std", "dead_share", "update_ratio"), math.nan)}
    assert told(sketch([math.nan] * 100, layers=bent)).symptoms[0].name == "invalid-loss"
    assert told(Recording()).causes == ()
