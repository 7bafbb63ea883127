"""What a patch makes of a crash."""

from __future__ import annotations

from bugloss.core.raised import Frame, RaisedException
from bugloss.core.run import Outcome
from bugloss.observe.recording import Crash, Recording, TrainingStep
from bugloss.repair.ladder.observed import ObservedRun
from bugloss.repair.ladder.symptoms import CrashChange, compare_crashes, judge_silence

LINE = "both = torch.cat([self.user(user), self.film(film)], dim=1)"


def crashed(layer: str, message: str = "Expected tensor to have scalar type Long; but got FloatTensor") -> ObservedRun:
    frame = Frame("train.py", 26, "forward", LINE)
    error = RaisedException("RuntimeError", "RuntimeError", message, (), (frame,))
    return ObservedRun(Recording(crash=Crash(error, (), layer)), Outcome.RAISED)


def test_the_same_crash_in_the_next_layer_of_a_line_is_further_on() -> None:
    """Two ids in one line were of the wrong type: the first conversion seemed to change nothing."""
    assert compare_crashes(crashed("user"), crashed("film")) is CrashChange.LATER


def test_the_same_crash_in_the_same_layer_or_an_earlier_one_is_no_progress() -> None:
    assert compare_crashes(crashed("user"), crashed("user")) is CrashChange.SAME
    assert compare_crashes(crashed("film"), crashed("user")) is CrashChange.SAME


def test_a_layer_that_the_line_does_not_call_says_nothing() -> None:
    assert compare_crashes(crashed("user"), crashed("reader.norm")) is CrashChange.SAME


def test_the_next_layer_of_a_sequence_is_further_on() -> None:
    """Of two wrong sizes in one ``nn.Sequential`` the second raises the same exception in the same line."""
    assert compare_crashes(crashed("body.2"), crashed("body.10")) is CrashChange.LATER
    assert compare_crashes(crashed("body.2"), crashed("body.0")) is CrashChange.SAME
    assert compare_crashes(crashed("body.2"), crashed("head.4")) is CrashChange.SAME


def stopped_after(steps: int) -> ObservedRun:
    return ObservedRun(Recording(steps=tuple(TrainingStep(step) for step in range(steps))), Outcome.TIMED_OUT)


def test_a_run_whose_time_was_up_shows_a_repair_only_where_it_went_on() -> None:
    """A program with another crash ahead was taken for repaired after its first step, when its time was up."""
    before = crashed("user")
    early = stopped_after(1)
    assert compare_crashes(before, early) is CrashChange.OTHER
    assert compare_crashes(before, stopped_after(40)) is CrashChange.GONE
    assert "too early to tell" in judge_silence(before, early, ()).words
