"""Relations on whole programs: sound ones of many kinds break none, each spoilt one breaks its own, at its line."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from forked_programs import Ran, ask_all
from relation_programs import (
    keras2_graphs,
    keras_healthy,
    keras_missed,
    keras_spoilt,
    torch_healthy,
    torch_missed,
    torch_spoilt,
)

from bugloss.core.finding import Severity
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.observe.contract import Detector
from bugloss.observe.detection import detect
from bugloss.run.environment import Environment

Runs = Mapping[str, Ran]
Stack = Callable[[str], Environment]
SOUND = {
    "torch": {**torch_healthy.HEALTHY, **torch_missed.HEALTHY, **torch_spoilt.HEALTHY},
    "keras3": {**keras_healthy.HEALTHY, **keras_missed.HEALTHY, **keras_spoilt.HEALTHY},
    "keras2-tf1": keras2_graphs.HEALTHY,
}
SPOILT = {
    "torch": {**torch_missed.SPOILT, **torch_spoilt.SPOILT},
    "keras3": {**keras_missed.SPOILT, **keras_spoilt.SPOILT},
    "keras2-tf1": keras2_graphs.SPOILT,
}
BREAKS = {
    "torch": {**torch_missed.BREAKS, **torch_spoilt.BREAKS},
    "keras3": {**keras_missed.BREAKS, **keras_spoilt.BREAKS},
    "keras2-tf1": keras2_graphs.BREAKS,
}
MODULES = {"torch": ("torch",), "keras3": ("keras",), "keras2-tf1": ("keras",)}
CASES = [(name, program) for name in BREAKS for program in BREAKS[name]]
pytestmark = pytest.mark.stack


RAN: dict[tuple[str, str], Runs] = {}


@pytest.fixture
def ran(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Runs]:
    """All sound or all spoilt programs of a framework, run once."""

    def run(name: str, kind: str) -> Runs:
        if (name, kind) not in RAN:
            programs = SOUND[name] if kind == "sound" else {one: SPOILT[name][one] for one in BREAKS[name]}
            RAN[name, kind] = ask_all(str(stack(name).python), MODULES[name], programs, tmp_path_factory.mktemp(kind))
        return RAN[name, kind]

    return run


@pytest.mark.parametrize("name", SOUND)
def test_sound_programs_of_many_kinds_break_nothing(name: str, ran: Callable[[str, str], Runs]) -> None:
    sound = ran(name, "sound")
    assert {program: one.errors for program, one in sound.items() if one.code} == {}
    assert {program: alarms for program, one in sound.items() if (alarms := alarms_of(one))} == {}
    tried = [program for program in sound if name == "torch" or asked(program)]
    assert [one for one in tried if not any(answer.holds for answer in sound[one].recording.properties)] == []


@pytest.mark.parametrize("name", ["torch", "keras3"])
def test_numbers_of_robustness_are_given_and_a_change_against_the_model_raises_its_loss(
    name: str, ran: Callable[[str, str], Runs]
) -> None:
    for program in ("rnn", "u-net"):
        answers = ran(name, "sound")[program].recording.properties
        answer = next(one for one in answers if one.name == "robustness")
        assert answer.holds is None
        assert answer.facts["fgsm_loss"] > answer.facts["clean_loss"], answer.facts
        assert answer.facts["fgsm_loss"] > answer.facts["noise_loss"], answer.facts


def alarms_of(one: Ran) -> list[str]:
    symptoms = detect(one.recording, load(PluginGroup.DETECTOR, Detector).values())
    return [symptom.message for symptom in symptoms if symptom.severity.rank > Severity.ADVICE.rank]


def asked(program: str) -> bool:
    """Hand-written loops of TensorFlow are asked only where a loss object judges the outputs."""
    return not program.startswith(("tape-", "step-", "gan", "policy", "regression", "named-loop"))


@pytest.mark.parametrize(("name", "program"), CASES, ids=[f"{name}-{program}" for name, program in CASES])
def test_a_spoilt_program_breaks_its_relation_at_its_line(
    name: str, program: str, ran: Callable[[str, str], Runs]
) -> None:
    answers = [one for one in ran(name, "spoilt")[program].recording.properties if one.holds is False]
    relation, text = BREAKS[name][program], SPOILT[name][program].splitlines()
    found = next((one for one in answers if one.name == relation), None)
    assert found is not None, answers
    lines = [number for number, line in enumerate(text, 1) if line.endswith("# here")]
    if lines and program != relation:  # programs that are named for their relation show only that it breaks
        assert found.site is not None
        assert found.site.line in lines
