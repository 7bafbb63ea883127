"""Which forward passes are an evaluation, and which layers were in training mode then."""

from __future__ import annotations

from bugloss.observe.modes import drops, find_wrong_modes, keeps_statistics
from bugloss.observe.recording import Evaluation, RecordedLayer
from bugloss.observe.sketch import sketch

LAYERS = (
    RecordedLayer("fc", "Linear", 680, 680),
    RecordedLayer("drop", "Dropout", settings={"rate": 0.5}),
    RecordedLayer("bn", "BatchNorm1d", 80, 80),
)
BOTH = ("bn", "drop")


def test_the_first_evaluation_with_a_result_is_named() -> None:
    evaluations = (Evaluation(3, 1, 64, training_modes=BOTH), Evaluation(9, 2, 128, 0.5, training_modes=BOTH))
    found = find_wrong_modes(sketch(architecture=LAYERS, evaluations=evaluations), drops)
    assert found is not None
    assert (found.first.step, found.count, found.total, found.measured) == (9, 2, 2, True)
    assert [layer.name for layer in found.layers] == ["drop"]


def test_passes_that_feed_every_step_are_part_of_training() -> None:
    fed = tuple(Evaluation(step, 1, 64, training_modes=BOTH) for step in range(80))
    assert find_wrong_modes(sketch(architecture=LAYERS, evaluations=fed), drops) is None
    judged = (*fed, Evaluation(99, 1, 64, 0.4, training_modes=BOTH))
    found = find_wrong_modes(sketch(architecture=LAYERS, evaluations=judged), keeps_statistics)
    assert found is not None and found.first.step == 99


def test_training_without_a_backward_pass_is_no_evaluation() -> None:
    forgotten = (Evaluation(0, 50, 3200, 2.3, training_modes=BOTH, gradients_on=True),)
    assert find_wrong_modes(sketch([], architecture=LAYERS, evaluations=forgotten), drops) is None


def test_a_layer_that_no_model_lists_is_known_by_its_name() -> None:
    evaluations = (Evaluation(9, 2, 128, 0.5, training_modes=("encoder.dropout1",)),)
    found = find_wrong_modes(sketch(evaluations=evaluations), drops)
    assert found is not None and found.names == "Dropout encoder.dropout1"
    assert find_wrong_modes(sketch(evaluations=evaluations), keeps_statistics) is None
