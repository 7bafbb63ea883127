"""Patches that hide a fault are refused, whatever they make of the numbers."""

from __future__ import annotations

import pytest

from bugloss.observe.recording import Data, Recording, TrainingStep
from bugloss.observe.sketch import falling, sketch
from bugloss.repair.ladder.honesty import judge_recording, judge_source

PROGRAM = """\
for x, y in loader:
    assert x.shape[1] == 8
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
"""


def judged(after: str, path: str = "train.py") -> bool | None:
    return judge_source({path: PROGRAM}.get, {path: after}).passed


@pytest.mark.parametrize(
    "after",
    [
        "try:\n    loss.backward()\n    optimizer.step()\nexcept RuntimeError:\n    pass\n",
        PROGRAM.replace("    loss.backward()\n", ""),
        PROGRAM.replace("    assert x.shape[1] == 8\n", ""),
        PROGRAM.replace("criterion(model(x), y)", "torch.nan_to_num(criterion(model(x), y))"),
        PROGRAM + "import sys\nsys.exit(0)\n",
        PROGRAM.replace("    loss.backward()\n", "    if False:\n        loss.backward()\n"),
    ],
)
def test_a_patch_that_hides_the_fault_is_refused(after: str) -> None:
    assert judged(after) is False


def test_a_change_of_a_setting_is_honest() -> None:
    assert judged(PROGRAM.replace("criterion(model(x), y)", "criterion(model(x), y.long())"))


def test_a_test_is_not_changed() -> None:
    assert judged(PROGRAM + "\n", "test_train.py") is False


def steps(count: int) -> tuple[TrainingStep, ...]:
    return tuple(TrainingStep(step=number) for number in range(1, count + 1))


def test_a_training_that_all_but_disappears_is_refused() -> None:
    """``epochs=1`` instead of 26 made the held-out accuracy of an overfitting training better."""
    before, after = Recording(steps=steps(260)), Recording(steps=steps(10))
    assert judge_recording(before, after).passed is False
    assert judge_recording(before, Recording(steps=steps(130))).passed


def test_fewer_samples_are_refused() -> None:
    before = Recording(steps=steps(5), data=(Data(phase="train", samples=1000),))
    after = Recording(steps=steps(5), data=(Data(phase="train", samples=500),))
    assert judge_recording(before, after).passed is False
    assert judge_recording(before, before).passed


def test_a_longer_training_that_is_still_poor_repairs_nothing() -> None:
    """A sound program of three epochs got "more epochs": its loss fell further, as that of any training does."""
    levels = [2.3 - 0.001 * number for number in range(400)]
    short, long = sketch(levels[:100]), sketch(levels)
    assert judge_recording(short, long).passed is False
    assert judge_recording(short, sketch(falling(2.3, 0.1, 400), accuracies=[0.2, 0.6, 0.95])).passed
