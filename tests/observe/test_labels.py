"""Labels: how they reach the loss, how often classes occur, in which order they come."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.observe.labels import (
    all_counted,
    batch_counts,
    chance_run,
    class_count,
    counts,
    encoding,
    known_targets,
    majority_share,
)
from bugloss.observe.recording import Numbers, Recording, Started, Targets
from bugloss.observe.sketch import sketch

KERAS = Started("keras", "3.15.0", "tensorflow")
ONE_HOT = Targets("one-hot", 5)
INDEX = Targets("index", 5, {"0": 40, "1": 60})
RAW = Numbers((640,), "float32", 0.0, 900.0, 450.0, 260.0)
SCALED = Numbers((64,), "float32", -1.0, 1.0, 0.0, 0.5)


def test_in_a_loop_of_ones_own_the_batches_tell_how_labels_are_written() -> None:
    bent = {"data": {"targets": INDEX, "target": RAW}, "batch": {"targets": ONE_HOT, "target": SCALED}}
    assert encoding(sketch(**bent)) == "one-hot"
    assert known_targets(sketch(**bent)) == [SCALED]


def test_what_fit_is_given_goes_into_the_loss_as_it_is() -> None:
    recording = sketch(started=KERAS, data={"targets": INDEX, "target": RAW}, batch={"target": SCALED})
    assert encoding(recording) == "index"
    assert known_targets(recording) == [RAW, SCALED]


def test_counts_of_all_samples_come_before_those_of_batches() -> None:
    recording = sketch(data={"targets": INDEX}, batch=[{"targets": Targets("index", 2, {"1": 3})}] * 2)
    assert counts(recording, "train") == {"0": 40, "1": 60}
    assert batch_counts(recording, "train") == {"1": 6}
    assert class_count(recording) == 5


def test_real_targets_are_not_counted() -> None:
    assert counts(sketch(batch={"targets": Targets("real", counts={"1": 9})}), "train") == {}


def test_nothing_is_known_of_an_empty_recording() -> None:
    empty = Recording()
    assert counts(empty, "train") == {}
    assert encoding(empty) == ""
    assert class_count(empty) is None
    assert known_targets(empty) == []


def test_tables_that_may_have_been_cut_off_do_not_cover_all_classes() -> None:
    assert all_counted({"0": 1, "1": 2})
    assert not all_counted({})
    assert not all_counted({str(label): 1 for label in range(64)})


def test_runs_of_one_class_never_end() -> None:
    assert chance_run({"0": 50, "1": 50}) == pytest.approx(2.0)
    assert chance_run({"0": 9}) is None
    assert chance_run({}) is None
    assert majority_share({}) is None


@given(st.lists(st.integers(1, 1000), min_size=2, max_size=20))
def test_chance_runs_are_the_longer_the_less_balanced_classes_are(table: list[int]) -> None:
    known = {str(place): count for place, count in enumerate(table)}
    run, share = chance_run(known), majority_share(known)
    assert run is not None and share is not None
    assert run >= 1 / (1 - 1 / len(table)) - 1e-9
    assert run <= 1 / (1 - share) + 1e-9
