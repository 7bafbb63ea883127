"""What tests of the observing probe share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Time:
    """Time that passes only when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def train(probe: Callable[[str], Any], steps: int, step_seconds: float, look_seconds: float) -> tuple[Any, list[int]]:
    """A run with steps and looks of fixed length; returns the governor and the steps that were looked at."""
    time = Time()
    governor = probe("governor").Governor(0.05, time, time)
    looked = []
    for step in range(steps):
        if governor.due(step):
            looked.append(step)
            with governor.work(), governor.work():
                time.now += look_seconds
        time.now += step_seconds
    return governor, looked
