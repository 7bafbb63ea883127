"""How far training came, and what guessing would have reached."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from healthy_runs import HEALTHY

from bugloss.core.diagnosis import Site
from bugloss.core.finding import Severity
from bugloss.observe.chance import chance, class_count
from bugloss.observe.progress import adversaries, alarm_if_struggling, curves, progress, struggles
from bugloss.observe.recording import Epoch, Evaluation, LossFunction, Numbers, Recording, Targets
from bugloss.observe.sketch import falling, noisy, sketch
from bugloss.observe.tracks import last_with_weights, trainable
from bugloss.observe.validation import accuracies, checkpoints, losses

SQUARES = {"kind": "mse", "name": "MSELoss"}


def test_guessing_among_balanced_classes_costs_the_logarithm_of_their_number() -> None:
    level = chance(sketch())
    assert level is not None
    assert level.loss == pytest.approx(math.log(10))
    assert level.accuracy == pytest.approx(0.1)


def test_guessing_costs_less_where_one_class_is_common() -> None:
    level = chance(sketch(batch={"targets": Targets("binary", 2, {"0": 90, "1": 10})}))
    assert level is not None
    assert level.loss == pytest.approx(0.325, abs=0.001)
    assert level.accuracy == 0.9


def test_guessing_numbers_costs_their_variance() -> None:
    level = chance(sketch(loss=SQUARES, data={"target": Numbers((640, 1), "float32", 0, 9, 4.0, 3.0)}))
    assert level is not None
    assert level.loss == pytest.approx(9.0)


@pytest.mark.parametrize(
    "recording",
    [
        sketch(loss={"kind": "custom"}),
        sketch(loss={"reduction": "sum"}),
        sketch(data={"class_weights": {"0": 2.0}}),
        sketch(loss={"weighted": True}),
        sketch(loss=SQUARES),  # 64 targets are too few
        sketch(loss=SQUARES, data={"target": Numbers((640, 3), "float32", 0, 9, 4.0, 3.0)}),
        replace(sketch(), losses=(*sketch().losses, LossFunction("mse", "MSELoss"))),
        Recording(),
    ],
)
def test_nobody_knows_what_guessing_costs_otherwise(recording: Recording) -> None:
    assert chance(recording) is None


def test_classes_stand_in_another_place_in_keras() -> None:
    drawn = sketch(loss={"output_shape": (8, 20, 30)})
    assert class_count(drawn) == 20
    assert drawn.started is not None
    assert class_count(replace(drawn, started=replace(drawn.started, framework="keras"))) == 30


@pytest.mark.parametrize(
    ("losses", "learned"),
    [
        (falling(), True),
        (noisy(falling(2.3, 1.9), 0.05), True),
        (noisy([2.303] * 100, 0.05), False),
        (noisy([0.05] * 100, 0.2), True),
        ([20.0, 9.0, *noisy([2.303] * 98, 0.01)], False),
        (falling(2.3, 9.0), False),
    ],
    ids=["falls", "falls a little", "flat", "good from the start", "falls to chance", "grows"],
)
def test_a_model_has_learned_when_it_is_better_than_it_was_and_than_guessing(
    losses: list[float], learned: bool
) -> None:
    known = progress(sketch(losses))
    assert known is not None
    assert known.learned is learned
    assert struggles(sketch(losses)) is not learned


def test_a_good_accuracy_is_learning_whatever_the_loss_says() -> None:
    drawn = sketch(noisy([2.303] * 100, 0.05), accuracies=[0.2, 0.9])
    assert not struggles(drawn)
    assert alarm_if_struggling(drawn) is Severity.ADVICE


def test_too_few_losses_are_no_failure() -> None:
    assert not struggles(sketch([2.3, 2.3, 2.3]))
    assert not struggles(Recording())
    assert progress(sketch([2.3])) is None


def test_a_loss_that_is_no_number_is_a_failure_at_once() -> None:
    assert struggles(sketch([2.3, math.nan]))


def test_optimizers_that_take_turns_are_adversaries_and_those_one_after_another_are_not() -> None:
    assert adversaries(HEALTHY["gan"])
    halves = [*["optimizer-0"] * 50, *["optimizer-1"] * 50]
    assert not adversaries(sketch(steps={"optimizer": halves}))
    assert len(curves(sketch(steps={"optimizer": halves}))) == 2


def test_epochs_stand_in_where_steps_have_no_loss() -> None:
    drawn = sketch(steps={"loss": None})
    assert [curve.values for curve in curves(drawn)] == [tuple(epoch.loss for epoch in drawn.epochs)]


def test_validation_is_taken_from_epochs() -> None:
    found = checkpoints(sketch(validation=[2.0, 1.0], validation_accuracies=[0.2, 0.6]))
    assert [point.validation_loss for point in found[:3]] == [2.0, 1.0, 1.0]
    assert len(losses(found)) == 10
    assert accuracies(found) == []


def test_the_training_loss_of_an_epoch_is_made_up_from_its_steps() -> None:
    epochs = tuple(Epoch(number, 10 * number + 9, validation_loss=1.0) for number in range(10))
    found = checkpoints(sketch([float(step) for step in range(100)], epochs=epochs))
    assert [point.loss for point in found[:2]] == [4.5, 14.5]


def test_the_longest_of_several_fits_is_looked_at() -> None:
    plain = sketch(validation=[2.0, 1.0])
    found = checkpoints(replace(plain, epochs=(*plain.epochs[:4], *plain.epochs)))
    assert [point.epoch for point in found] == list(range(10))


def test_evaluations_of_one_sort_are_the_validation() -> None:
    same = tuple(
        Evaluation(10 * number + 9, 2, 100, 1.0 / (number + 1), site=Site("train.py", 40)) for number in range(5)
    )
    assert [point.validation_loss for point in checkpoints(sketch(evaluations=same))] == [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5]
    once = Evaluation(99, 2, 300, 0.5, site=Site("train.py", 60))
    assert len(checkpoints(sketch(evaluations=(*same, once)))) == 5


def test_evaluations_of_two_sorts_are_not_told_apart() -> None:
    both = tuple(Evaluation(10 * number + 9, 2, size, 1.0) for number in range(5) for size in (100, 500))
    assert checkpoints(sketch(evaluations=both)) == ()


def test_layers_of_one_name_in_two_models_are_kept_apart() -> None:
    gan = HEALTHY["gan"]
    assert [(track.model, track.name) for track in trainable(gan)] == [
        ("model-0", "fc1"),
        ("model-0", "fc2"),
        ("model-1", "fc1"),
        ("model-1", "fc2"),
    ]
    assert [track.points[0][0] for track in trainable(gan)] == [0, 0, 1, 1]
    assert last_with_weights(trainable(gan)) == {"model-0": "fc2", "model-1": "fc2"}


def test_an_accuracy_of_the_beginning_is_not_that_of_the_end() -> None:
    told: list[float | None] = [0.2] * 40 + [None] * 60
    early = progress(sketch(steps={"accuracy": told}))
    assert early is not None and early.accuracy is None and early.first_accuracy == pytest.approx(0.2)
    late = progress(sketch(steps={"accuracy": [*told[:90], *[0.9] * 10]}))
    assert late is not None and late.accuracy == pytest.approx(0.9, abs=0.3)
