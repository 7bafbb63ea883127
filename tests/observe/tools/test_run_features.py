"""Features of a run: each moves with what it is named for, and none falls over a broken recording."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from bugloss.observe.recording import LayerNumbers, Recording, Sample
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.tools.run_features import BOUND, FEATURES, features

PLAIN = features(sketch(accuracies=[0.1 * number for number in range(1, 11)], validation=[0.3]))

BENT = {
    "loss_nonfinite": sketch([*falling(count=50), *[math.inf] * 50]),
    "loss_fall": sketch(falling(2.3, 0.002)),
    "loss_fall_late": sketch([*falling(2.3, 2.2, 67), *falling(2.2, 0.1, 33)]),
    "loss_trend": sketch([2.3 + 0.01 * index for index in range(100)]),
    "loss_noise": sketch([2.3 if index % 2 else 9.0 for index in range(100)]),
    "loss_turning": sketch([2.3 if index // 10 % 2 else 9.0 for index in range(100)]),
    "loss_peak": sketch([2.3, 900.0, *falling(count=98)]),
    "loss_negative": sketch([-1.0] * 100),
    "gradient_growth": sketch(layers={"fc1": {"gradient_rms": [0.01] * 5 + [9.0] * 5}}),
    "gradient_vanishing": sketch(layers={"fc1": {"gradient_rms": 1e-8}}),
    "gradient_zero": sketch(layers={"fc1": {"gradient_zero_share": 0.9}}),
    "gradient_nonfinite": sketch(layers={"fc1": {"gradient_nonfinite": 1}}),
    "update_largest": sketch(layers={"fc1": {"update_ratio": 7.0}}),
    "weight_growth": sketch(layers={"fc1": {"weight_rms": [0.2] * 5 + [9.0] * 5}}),
    "weight_unchanged": sketch(layers={"fc1": {"changed": False}}),
    "dead": sketch(layers={"fc1": {"dead_share": 0.9}}),
    "zeros": sketch(layers={"fc1": {"zero_share": 0.9}, "fc2": {"zero_share": 0.9}}),
    "saturated": sketch(layers={"fc1": {"saturated_share": 0.9}}),
    "output_shrinking": sketch(layers={"fc2": {"output_std": 1e-6}}),
}


@pytest.mark.parametrize("name", BENT)
def test_a_feature_rises_with_what_it_is_named_for(name: str) -> None:
    bent = features(BENT[name])[name]
    assert bent > (0.0 if math.isnan(PLAIN[name]) else PLAIN[name])


def test_every_feature_of_a_full_recording_is_known_but_saturation() -> None:
    assert [name for name, value in PLAIN.items() if math.isnan(value)] == ["saturated"]


def test_features_do_not_depend_on_the_scale_of_the_loss() -> None:
    scaled = features(sketch([1000 * loss for loss in falling()]))
    free = [name for name in FEATURES if name.startswith("loss_") and name not in ("loss_first", "loss_last")]
    assert {name: scaled[name] for name in free} == pytest.approx({name: PLAIN[name] for name in free})


@pytest.mark.parametrize(
    "recording",
    [
        Recording(),
        sketch([math.nan] * 100),
        sketch([math.inf, 0.0, -1.0]),
        sketch([0.0] * 100, samples=()),
        sketch(samples=(Sample(0, layers={"fc1": LayerNumbers(gradient_rms=math.inf, weight_rms=math.nan)}),)),
        replace(sketch(), models=()),
    ],
)
def test_broken_recordings_give_bounded_or_unknown_features(recording: Recording) -> None:
    found = features(recording)
    assert set(found) == set(FEATURES)
    assert all(math.isnan(value) or abs(value) <= BOUND for value in found.values())
