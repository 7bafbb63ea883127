"""Every detector proves itself: it sees what its faulty sketches show, and raises no alarm over healthy training."""

from __future__ import annotations

import dataclasses
import gzip
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from healthy_runs import HEALTHY
from hypothesis import given
from hypothesis import strategies as st
from pace import within

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.observe.contract import Detector
from bugloss.observe.recording import RecordedLayer, Recording, read
from bugloss.observe.sketch import noisy, sketch

PLUGINS = load(PluginGroup.DETECTOR, Detector)
DETECTORS = dict(sorted(PLUGINS.items()))
FAULTY = [pytest.param(each, i, id=f"{each.name}-{i}") for each in DETECTORS.values() for i in range(len(each.faulty))]
CLEAN = [pytest.param(each, i, id=f"{each.name}-{i}") for each in DETECTORS.values() for i in range(len(each.healthy))]
EACH = [pytest.param(detector, id=name) for name, detector in DETECTORS.items()]
HEADINGS = ("What it finds", "Why it hurts", "How it decides", "Known problems", "References")
REAL_RUNS = sorted((Path(__file__).parent / "healthy").glob("*.jsonl.gz"))
MOST_SECONDS = 3.0  # for five looks, ten times what the slowest takes
SKETCHES = [recording for each in DETECTORS.values() for recording in (*each.faulty, *each.healthy)]


def alarms(recording: Recording) -> list[str]:
    """What all detectors together would show to the user as an alarm."""
    found = [symptom for detector in DETECTORS.values() for symptom in detector.detect(recording)]
    return [f"{symptom.name}: {symptom.message}" for symptom in found if symptom.severity is not Severity.ADVICE]


def test_no_detector_is_broken() -> None:
    assert [error.message for error in PLUGINS.broken] == []
    assert len(DETECTORS) >= 45


@pytest.mark.parametrize(("detector", "index"), FAULTY)
def test_a_faulty_recording_triggers_the_detector(detector: Detector, index: int) -> None:
    found = list(detector.detect(detector.faulty[index]))
    assert found
    assert {symptom.name for symptom in found} == {detector.name}
    for symptom in found:
        well_formed(symptom)


def well_formed(symptom: Symptom) -> None:
    """One sentence, evidence that JSON can hold, a step that is a number."""
    assert symptom.message.strip() == symptom.message
    assert symptom.message.endswith(".")
    assert "\n" not in symptom.message
    assert len(symptom.message) < 300
    json.dumps(dict(symptom.evidence), allow_nan=False)
    assert symptom.step is None or isinstance(symptom.step, int)


@pytest.mark.parametrize("detector", EACH)
def test_a_layer_is_named_once_at_the_most(detector: Detector) -> None:
    for recording in detector.faulty:
        named = [symptom.layer for symptom in detector.detect(recording) if symptom.layer]
        assert len(named) == len(set(named))


@pytest.mark.parametrize(("detector", "index"), CLEAN)
def test_a_healthy_recording_does_not_trigger_the_detector(detector: Detector, index: int) -> None:
    assert [symptom.message for symptom in detector.detect(detector.healthy[index])] == []


@pytest.mark.parametrize("detector", EACH)
def test_a_detector_carries_proofs_of_both_kinds(detector: Detector) -> None:
    assert len(detector.faulty) >= 2
    assert len(detector.healthy) >= 2


@pytest.mark.parametrize("detector", EACH)
def test_a_detector_says_nothing_of_the_plain_sketch(detector: Detector) -> None:
    assert [symptom.message for symptom in detector.detect(sketch())] == []


@pytest.mark.parametrize("name", HEALTHY)
def test_healthy_training_raises_no_alarm(name: str) -> None:
    assert alarms(HEALTHY[name]) == []


@pytest.mark.parametrize("path", REAL_RUNS, ids=lambda path: path.name.split(".")[0])
def test_a_healthy_program_that_really_ran_raises_no_alarm(path: Path) -> None:
    with gzip.open(path, "rt") as lines:
        recording = read(lines)
    assert recording.steps
    assert alarms(recording) == []


@pytest.mark.parametrize("detector", EACH)
def test_a_detector_explains_itself_under_the_usual_headings(detector: Detector) -> None:
    text = type(detector).__doc__ or ""
    assert tuple(re.findall(r"^ *## (.+)$", text, re.MULTILINE)) == HEADINGS
    assert text.strip().split("\n")[0].endswith(".")


@pytest.mark.parametrize("detector", EACH)
def test_a_detector_is_named_for_the_symptom_and_lives_in_a_file_of_that_name(detector: Detector) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", detector.name)
    assert type(detector).__module__.rsplit(".", 1)[-1] == detector.name.replace("-", "_")


def test_the_folder_of_detectors_holds_nothing_but_detectors() -> None:
    folder = Path(__file__).resolve().parents[2] / "src" / "bugloss" / "observe" / "detectors"
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert modules == {name.replace("-", "_") for name in DETECTORS}


# What a probe may fail to see: any number of a nested value, any value of a list, any list.


def torn(chosen: Recording, seed: int, share: float) -> Recording:
    """The recording with random parts knocked out or spoilt."""
    chance = Random(seed)
    changes: dict[str, Any] = {}
    for item in dataclasses.fields(Recording):
        changes[item.name] = spoil(getattr(chosen, item.name), chance, share, item.default)
    return Recording(**changes)


def spoil(value: Any, chance: Any, share: float, empty: Any = None) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.replace(
            value,
            **{item.name: spoil(getattr(value, item.name), chance, share, item.default) for item in optional(value)},
        )
    if isinstance(value, tuple):
        kept = tuple(spoil(item, chance, share, item) for item in value if chance.random() > share)
        return () if chance.random() < share / 2 else kept
    if isinstance(value, dict):
        return {key: spoil(item, chance, share, item) for key, item in value.items() if chance.random() > share}
    if isinstance(value, float) and not isinstance(value, bool) and chance.random() < share:
        return chance.choice(
            [float("nan"), float("inf"), -float("inf"), 0.0, -1.0, 1e30, 1e-30, *([None] * (empty is None))]
        )
    return None if empty is None and chance.random() < share / 2 else value


def optional(value: Any) -> list[Any]:
    """Fields that may be missing; the others are what makes the event one."""
    return [
        item for item in dataclasses.fields(value) if item.default is not dataclasses.MISSING or item.name == "layers"
    ]


@given(st.integers(0, len(SKETCHES) - 1), st.integers(0, 2**32), st.sampled_from([0.02, 0.2, 0.7]))
def test_no_detector_stumbles_over_missing_or_spoilt_parts(number: int, seed: int, share: float) -> None:
    recording = torn(SKETCHES[number], seed, share)
    for detector in DETECTORS.values():
        found = list(detector.detect(recording))
        assert all(symptom.name == detector.name for symptom in found)
        for symptom in found:
            well_formed(symptom)


@pytest.mark.parametrize("field", [item.name for item in dataclasses.fields(Recording)])
def test_no_detector_needs_a_part_of_the_recording(field: str) -> None:
    empty = dataclasses.replace(sketch(), **{field: dataclasses.replace(Recording()).__getattribute__(field)})
    for detector in DETECTORS.values():
        for symptom in detector.detect(empty):
            assert symptom.name == detector.name
            well_formed(symptom)


@pytest.fixture(scope="module")
def long_run() -> Recording:
    """5,000 steps, 200 of them sampled, and 100 layers; nothing is well, so that every detector has to look closely."""
    layers = tuple(RecordedLayer(f"layer{number}", "Linear", 100, 100, {"units": 10}) for number in range(100))
    plain = sketch(
        noisy([2.303] * 5000, 0.05), architecture=layers, accuracies=[0.1], validation=noisy([2.3] * 10, 0.01)
    )
    sample = plain.samples[0]
    return dataclasses.replace(
        plain, samples=tuple(dataclasses.replace(sample, step=25 * number) for number in range(200))
    )


@pytest.mark.parametrize("detector", EACH)
def test_a_detector_is_quick(detector: Detector, long_run: Recording) -> None:
    first = list(detector.detect(long_run))  # the first look fills caches
    with within(MOST_SECONDS):
        again = [list(detector.detect(long_run)) for _ in range(5)]
    assert all(symptoms == first for symptoms in again)
