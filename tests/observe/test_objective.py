"""When an activation for outputs stands inside a network, and when it only looks like that."""

from __future__ import annotations

import pytest

from bugloss.core.network.activation import activation
from bugloss.observe.case import Case
from bugloss.observe.causes.objective import WrongActivation
from bugloss.observe.heads import main_head
from bugloss.observe.progress import has_own_terms
from bugloss.observe.recording import MemoryReading, Numbers, RecordedLayer, Recording
from bugloss.observe.sketch import sketch

HIDDEN = RecordedLayer("fc1", "Linear", 640, 640, {"in_features": 4, "units": 128})
LAST = RecordedLayer("fc3", "Linear", 20, 20, {"in_features": 8, "units": 2})


def softmax_layer(units: int) -> RecordedLayer:
    return RecordedLayer("fc2", "Linear", 9, 9, {"in_features": 128, "units": units, "activation": "softmax"})


def clues(*layers: RecordedLayer, **samples: object) -> set[str]:
    case = Case(sketch(architecture=layers, layers=samples))
    return {clue.name for clue in WrongActivation().clues(case)}


def test_softmax_between_two_layers_is_a_clue() -> None:
    assert "output-activation-inside" in clues(HIDDEN, softmax_layer(8), LAST)


def test_softmax_of_another_output_is_none() -> None:
    value = RecordedLayer("value", "Linear", 129, 129, {"in_features": 128, "units": 1})
    assert "output-activation-inside" not in clues(HIDDEN, softmax_layer(2), value)


@pytest.mark.parametrize(("used", "mean", "wrong"), [(True, 1 / 8, True), (True, 1 / 50, False), (False, 1 / 8, False)])
def test_softmax_module_is_a_clue_where_it_is_used_on_the_layer_before_it(used: bool, mean: float, wrong: bool) -> None:
    before = RecordedLayer("fc1", "Linear", 40, 40, {"in_features": 4, "units": 8})
    module = RecordedLayer("attend", "Softmax", settings={"activation": "softmax"}, used=used)
    found = clues(before, module, LAST, attend={"output_mean": mean})
    assert ("output-activation-inside" in found) is wrong


def test_loss_of_another_output_says_nothing_about_the_last_activation() -> None:
    outputs = Numbers((1, 2), "float32", 0.4, 0.6, 0.5, 0.1)
    huber = {"kind": "huber", "name": "huber", "output_shape": (1,), "target_shape": (1,)}
    several = main_head(sketch(model={"output_activation": "softmax"}, loss=huber, batch={"outputs": outputs}))
    assert several is not None and several.activation is None
    column = Numbers((64, 1), "float32", 0.1, 0.9, 0.5, 0.1)
    squeezed = {**huber, "output_shape": (64,), "target_shape": (64,)}
    one = main_head(sketch(model={"output_activation": "sigmoid"}, loss=squeezed, batch={"outputs": column}))
    assert one is not None and one.activation is activation("sigmoid")


def test_a_sum_over_episodes_of_changing_length_is_no_standard_loss() -> None:
    def run(sizes: list[int | None]) -> Recording:
        return sketch(memory=tuple(MemoryReading(step, 300.0, graph=size) for step, size in enumerate(sizes)))

    assert has_own_terms(run([781, 385, 253, 231, None, 909, 187]))
    assert not has_own_terms(run([100, 200, 300, 400]))  # a graph that is kept alive
    assert not has_own_terms(run([100, 100, 90, 100]))  # a last batch of its own
    assert not has_own_terms(run([]))


def test_objective_that_crosses_zero_has_terms_of_its_own() -> None:
    huber = {"kind": "huber", "name": "smooth_l1_loss"}
    assert has_own_terms(sketch([5.0, -3.0, 8.0, 40.0, -1.0, 90.0] * 10, loss=huber))
    sinking = [0.5, *[-0.1 * step for step in range(1, 60)]]
    assert not has_own_terms(sketch(sinking, loss=huber))  # the wrong sign
    assert not has_own_terms(sketch())
