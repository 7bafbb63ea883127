"""Recordings are read from what a probe wrote, however torn."""

from __future__ import annotations

import json
import math
from dataclasses import MISSING, fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stored_runs import as_events, words

from bugloss.core.diagnosis import Site
from bugloss.observe.recording import EVENTS, PropertyAnswer, RecordedLayer, RecordedModel, Recording, gather, read
from bugloss.observe.sketch import sketch

EXAMPLES: dict[Any, Any] = {
    "int": 1,
    "str": "torch",
    "float": 1.0,
    "bool | None": True,
    "RaisedException": {"kind": "ValueError", "qualified": "ValueError", "message": "bad"},
}
STEP = {"event": "step", "step": 3, "loss": 0.5}


def lines(*events: Any) -> list[str]:
    return [json.dumps(event) for event in events]


def test_a_recording_survives_being_written_and_read() -> None:
    drawn = sketch(
        [2.0, math.nan, math.inf, -math.inf],
        layers={"fc1": {"gradient_rms": math.nan}},
        properties=(PropertyAnswer("overfit-batch", False, {"last_loss": math.inf}),),
    )
    again = read(lines(*words(as_events(drawn))))
    assert str(again) == str(drawn).replace("_Sketch(", "Recording(", 1)
    assert again.unread == 0


def test_words_for_numbers_become_numbers_everywhere() -> None:
    recording = read(
        lines(
            {"event": "step", "step": 0, "loss": "nan", "metrics": {"f1": "-inf"}},
            {"event": "sample", "step": 0, "layers": {"fc1": {"gradient_rms": "inf", "running_variance": ["nan", 1]}}},
        )
    )
    assert math.isnan(recording.steps[0].loss or 0)
    assert recording.steps[0].metrics["f1"] == -math.inf
    numbers = recording.samples[0].layers["fc1"]
    assert numbers.gradient_rms == math.inf
    assert numbers.running_variance is not None
    assert math.isnan(numbers.running_variance[0])


def test_a_torn_line_is_counted_and_costs_no_other() -> None:
    torn = json.dumps(STEP)[:-4]
    recording = read([json.dumps(STEP), torn, "", "\n", json.dumps({**STEP, "step": 4})])
    assert [step.step for step in recording.steps] == [3, 4]
    assert recording.unread == 1


def test_an_event_whose_values_do_not_fit_is_counted() -> None:
    recording = read(lines({"event": "step", "step": "three"}, {"event": "step", "loss": 1.0}, STEP))
    assert len(recording.steps) == 1
    assert recording.unread == 2


def test_keys_and_events_of_a_newer_probe_are_left_out() -> None:
    recording = read(
        lines({**STEP, "temperature": 21.0}, {"event": "weather"}, {"no": "event"}, [1, 2], "text", 7, None)
    )
    assert [step.loss for step in recording.steps] == [0.5]
    assert recording.unread == 0


@pytest.mark.parametrize("name", [7, None, ["step"], {"step": 1}])
def test_an_event_whose_name_is_no_text_is_left_out(name: object) -> None:
    assert gather([{"event": name, "step": 1}]) == Recording()


def test_the_last_word_counts_for_what_exists_once() -> None:
    recording = read(
        lines(
            {"event": "started", "framework": "torch", "version": "1"},
            {"event": "started", "framework": "keras", "version": "3"},
        )
    )
    assert recording.started is not None
    assert recording.started.framework == "keras"


def test_every_event_has_its_place() -> None:
    for name, kind in EVENTS.items():
        required = {
            item.name: EXAMPLES[item.type] for item in fields(kind) if item.default is MISSING is item.default_factory
        }
        recording = gather([{"event": name, **required}])
        assert recording != Recording(), name
        assert recording.unread == 0, name


@given(st.lists(st.dictionaries(st.sampled_from(["event", "step", "loss", "layers"]), st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.sampled_from(sorted(EVENTS)),
    st.lists(st.integers(), max_size=3), st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)), max_size=10))  # fmt: skip
def test_no_object_stops_the_reading(events: list[dict[str, Any]]) -> None:
    recording = read([json.dumps(event) for event in events])
    assert recording.unread <= len(events)


@given(st.lists(st.text(max_size=40), max_size=10))
def test_no_text_stops_the_reading(texts: list[str]) -> None:
    assert read(texts).unread <= len(texts)


def test_layers_are_those_of_all_models_as_last_described() -> None:
    first, second = sketch().models[0], sketch(model={"model": "model-1"}).models[0]
    recording = Recording(models=(first, second))
    assert list(recording.layers) == ["fc1", "fc2"]
    assert [layer.name for layer in recording.kinds("Linear")] == ["fc1", "fc2"]
    assert recording.layers["fc1"].site == Site("train.py", 10)


def test_dimensions_do_not_count_in_the_kind_of_a_layer() -> None:
    model = RecordedModel(
        "model-0",
        "Net",
        (RecordedLayer("norm", "BatchNorm2d"), RecordedLayer("conv", "Conv2D"), RecordedLayer("fc", "Dense")),
    )
    recording = Recording(models=(model,))
    assert [layer.name for layer in recording.kinds("BatchNorm", "Conv")] == ["norm", "conv"]


def test_a_series_leaves_out_what_is_missing() -> None:
    recording = sketch(layers={"fc1": {"gradient_rms": [0.1, None, 0.3]}})
    assert recording.series("gradient_rms", "fc1")[:2] == ((0, 0.1), (2, 0.3))
    assert recording.series("gradient_rms", "no such layer") == ()


def test_losses_are_those_of_the_steps_that_have_one() -> None:
    assert sketch([1.0, 2.0], steps={"loss": [1.0, None]}).loss_values == (1.0,)


def test_the_last_answer_of_a_property_counts() -> None:
    recording = Recording(
        properties=(
            PropertyAnswer("causality", True),
            PropertyAnswer("causality", False),
            PropertyAnswer("other", None),
        )
    )
    answer = recording.property("causality")
    assert answer is not None
    assert answer.holds is False
    assert recording.property("unasked") is None
