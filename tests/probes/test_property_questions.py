"""What is asked of a copy, and when the answer is that nobody knows."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

Probe = Callable[[str], Any]


class Pupil:
    """A subject that learns as it is told to; steps beyond those it has losses for are cut off."""

    def __init__(self, real: list[float], *dealt: list[float]) -> None:
        self.lesson: list[float] | None = None
        self.real, self.others = real, dealt

    def learn(self, steps: int, allowance: object, inputs: object = None, target: int | None = None) -> list[float]:
        return (self.real if target is None else self.others[target])[:steps]

    def dealt(self, number: int) -> tuple[int, bool]:
        return number, False


@pytest.fixture
def questions(probe: Probe) -> Any:
    return probe("properties")


@pytest.fixture
def always(questions: Any) -> Any:
    return questions.Allowance(1000.0)


@pytest.mark.parametrize(
    ("losses", "holds"), [([1.0] * 149 + [0.1], True), ([1.0] * 150, False), ([1.0] * 20, None), ([1.0, 0.1], True)]
)
def test_a_lesson_that_was_cut_short_says_nothing_against_the_model(
    probe: Probe, always: Any, losses: list[float], holds: bool | None
) -> None:
    answer = probe("relations.overfit_batch").ask(Pupil(losses), always)
    assert answer.holds is holds
    assert answer.facts["steps"] == len(losses)


@pytest.mark.parametrize(
    ("real", "dealt", "holds"),
    [(0.2, (0.5, 0.6, 0.7), True), (0.7, (0.5, 0.6, 0.7), False), (0.55, (0.5, 0.6, 0.7), None)],
)
def test_labels_matter_only_where_every_deal_is_learned_more_slowly(
    probe: Probe, always: Any, real: float, dealt: tuple[float, ...], holds: bool | None
) -> None:
    pupil = Pupil([real] * 40, *([loss] * 40 for loss in dealt))
    assert probe("relations.labels_matter").ask(pupil, always).holds is holds


def test_what_cannot_be_asked_is_answered_with_the_reason(questions: Any, probe: Probe) -> None:
    recorder = probe("core").Recorder(None)

    class Asking(questions.Asking):  # type: ignore[misc]
        def kept_random(self) -> Any:
            return contextlib.nullcontext()

    asking = Asking(recorder)
    asking.subjects["model-0"] = Pupil([float("nan")] * 150)
    asking.try_all()
    answers = {event["name"]: event for event in recorder.events}
    assert len(answers) == len(probe("relations").load())
    assert {event["holds"] for event in answers.values()} == {None}
    assert not asking.subjects


def test_the_time_is_over_only_when_it_was_used(questions: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine the clock runs on while the process waits."""
    now = {"time": 0.0, "process_time": 0.0}
    for name in now:
        monkeypatch.setattr(questions.time, name, lambda name=name: now[name])
    allowance = questions.Allowance(4.0)
    now.update(time=5.0, process_time=1.0)
    assert not allowance.spent
    now["process_time"] = 4.5
    assert allowance.spent
    now.update(time=13.0, process_time=1.0)
    assert allowance.spent
