"""DeepLocalize: the first error in the order of computation is the one that is reported."""

from __future__ import annotations

import math

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.recording import NonFinite, Recording
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.tools.contract import ToolAnswer
from bugloss.observe.tools.deeplocalize import DeepLocalize


def told(recording: Recording) -> ToolAnswer:
    return DeepLocalize().diagnose([recording])


def phase_and_layer(recording: Recording) -> tuple[object, str | None]:
    (symptom,) = told(recording).symptoms
    return symptom.evidence["phase"], symptom.layer


def test_a_healthy_run_has_no_cause() -> None:
    answer = told(sketch())
    assert answer.causes == ()
    assert answer.remarks


def test_nothing_given_is_said() -> None:
    assert DeepLocalize().diagnose([]).remarks == ("No run is given.",)


def test_outputs_that_are_no_numbers_name_the_first_layer_forward() -> None:
    bent = {"fc1": {"output_nonfinite": [0, 0, 3]}, "fc2": {"output_nonfinite": [0, 0, 3]}}
    assert phase_and_layer(sketch(layers=bent)) == ("forward", "fc1")


def test_backward_is_checked_from_the_last_layer() -> None:
    bent = {"fc1": {"gradient_nonfinite": 1}, "fc2": {"gradient_nonfinite": 1}}
    assert phase_and_layer(sketch(layers=bent)) == ("backward", "fc2")


def test_forward_comes_before_backward_in_the_same_step() -> None:
    bent = {"fc1": {"gradient_rms": 0.0}, "fc2": {"zero_share": 1.0}}
    assert phase_and_layer(sketch(layers=bent)) == ("forward", "fc2")


def test_an_earlier_step_comes_first_whatever_the_phase() -> None:
    bent = {"fc1": {"weight_nonfinite": [0, 1]}, "fc2": {"output_nonfinite": [0, 0, 1]}}
    assert phase_and_layer(sketch(layers=bent)) == ("update", "fc1")


def test_weights_that_stay_the_same_are_an_error_of_the_update() -> None:
    recording = sketch(layers={"fc1": {"changed": False}, "fc2": {"changed": False}})
    assert phase_and_layer(recording) == ("update", "fc1")
    assert told(recording).causes[0].fix_pattern is FixPattern.OPTIMIZER


def test_a_frozen_layer_may_stay_the_same() -> None:
    frozen = {"gradient_rms": None, "changed": False}
    assert told(sketch(layers={"fc1": frozen})).causes == ()


def test_a_loss_that_is_no_number_is_an_error_of_the_loss_at_its_line() -> None:
    recording = sketch([*falling(count=50), *[math.nan] * 50])
    assert phase_and_layer(recording) == ("loss", None)
    assert told(recording).causes[0].locations[0].line == 25


def test_the_exact_event_of_the_probe_beats_the_sampled_step() -> None:
    recording = sketch(
        layers={"fc2": {"output_nonfinite": [0, 0, 0, 0, 4]}}, nonfinite=(NonFinite(7, "forward", "fc1", "log"),)
    )
    answer = told(recording)
    assert (answer.symptoms[0].step, answer.symptoms[0].layer) == (7, "fc1")
    assert answer.causes[0].locations[0].line == 10


def test_a_loss_that_never_falls_is_a_model_that_does_not_learn() -> None:
    answer = told(sketch([2.3 + 0.001 * (index % 7) for index in range(100)]))
    assert answer.symptoms[0].name == "model-does-not-learn"


def test_a_flat_loss_is_forgiven_while_the_accuracy_rises() -> None:
    answer = told(sketch([2.3] * 100, accuracies=[0.1 * number for number in range(1, 11)]))
    assert answer.causes == ()


def test_an_empty_recording_is_no_error() -> None:
    assert told(Recording()).causes == ()
