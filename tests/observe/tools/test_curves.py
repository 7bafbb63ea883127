"""When a run counts as failed."""

from __future__ import annotations

import math

import pytest

from bugloss.core.run import RaisedException
from bugloss.observe.recording import Crash, Recording
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.tools.curves import epoch_accuracies, epoch_losses, failed, parts


@pytest.mark.parametrize(
    ("recording", "answer"),
    [
        (sketch(), False),
        (sketch([2.3] * 100), True),
        (sketch([*falling(2.3, 0.3, 50), *[0.3] * 50]), False),
        (sketch([*falling(2.3, 1.8, 50), *[1.8] * 50]), True),
        (sketch([*falling(count=50), *[math.nan] * 50]), True),
        (sketch(falling(), epochs=()), False),
        (sketch([1.0]), False),
        (sketch(crash=Crash(RaisedException("ValueError", "builtins.ValueError", (), "no", ()))), True),
        (Recording(), None),
    ],
)  # fmt: skip
def test_a_run_fails_when_its_loss_stagnates_high_up(recording: Recording, answer: bool | None) -> None:
    assert failed(recording) is answer


def test_a_program_without_epochs_is_read_in_ten_parts() -> None:
    recording = sketch(epochs=(), steps={"accuracy": 0.5})
    assert len(epoch_losses(recording)) == 10
    assert epoch_accuracies(recording) == (0.5,) * 10


def test_parts_of_short_series() -> None:
    assert parts([]) == ()
    assert parts([1.0, 2.0], 10) == (1.0, 2.0)
    assert parts([1.0, 2.0, 3.0, 4.0], 2) == (1.5, 3.5)
