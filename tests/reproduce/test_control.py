"""The control of a symptom: a plain network gets the program's own made-up inputs, and nothing that gives them away."""

from __future__ import annotations

import re

import pytest
from pretended_runs import reading_of

from bugloss.reproduce.contract import Evidence
from bugloss.reproduce.control.plain_network import control_program, fisher
from bugloss.reproduce.data.solving import solve
from bugloss.reproduce.data.writing import block
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind
from bugloss.reproduce.expected.symptoms import SymptomKind
from bugloss.reproduce.stack.imports import Dialect

KERAS, TORCH = Dialect("keras", "keras"), Dialect("torch", "keras")
RELEASES = {
    "torch": {"torch": "2.13.0", "numpy": "2.4.6"},
    "keras": {"keras": "3.15.1", "tensorflow": "2.21.0", "numpy": "2.4.6"},
}
TORCH_LOOP = """import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(7, 16), nn.ReLU(), nn.Linear(16, {outputs}))
for x, y in loader:
    loss = nn.{loss}()(net(x), y)
"""
KERAS_FIT = """import keras
model = keras.Sequential([keras.Input((7,)), keras.layers.Dense({outputs}, activation="softmax")])
model.compile(loss="{loss}", optimizer="adam")
model.fit(facts, kinds_of_facts)
"""


def controlled(text: str, spoken: Dialect, kind: SymptomKind = SymptomKind.FLAT, body: str = "It fails.") -> str:
    expectation = Expectation(ExpectationKind.SYMPTOM, symptoms=(kind,))
    releases = RELEASES["torch" if spoken.is_torch else "keras"]
    evidence = Evidence(reading_of(body), expectation, releases, frozenset(releases))
    made = f"{block(next(solve(text, evidence)), spoken, text)}\n{text}"
    found = control_program(made, spoken, kind is SymptomKind.OVERFITS)
    assert found is not None
    compile(found, "control", "exec")
    return found


@pytest.mark.parametrize(
    ("text", "spoken", "inputs"),
    [
        (TORCH_LOOP.format(outputs=3, loss="CrossEntropyLoss"), TORCH, "loader_inputs"),
        (TORCH_LOOP.format(outputs=1, loss="MSELoss"), TORCH, "loader_inputs"),
        (KERAS_FIT.format(outputs=4, loss="sparse_categorical_crossentropy"), KERAS, "facts"),
    ],
    ids=["classes", "values", "keras"],
)
def test_the_plain_network_gets_the_inputs_and_not_the_answers(text: str, spoken: Dialect, inputs: str) -> None:
    """It was given the numbers of the classes once, the first thing that is drawn: that anything could learn."""
    taken = re.search(r"table = np\.asarray\((\w+)", controlled(text, spoken))
    assert taken is not None
    assert taken[1] == inputs


def test_neither_centres_nor_sorted_classes_are_taken_for_inputs() -> None:
    text = TORCH_LOOP.format(outputs=3, loss="CrossEntropyLoss")
    found = controlled(text, TORCH, SymptomKind.OVERFITS, "The classes are stored one kind after the other.")
    assert "np.sort(" in found
    assert "table = np.asarray(loader_inputs" in found


def test_a_program_without_made_up_data_has_no_control_of_this_kind() -> None:
    assert control_program("x = 3\n", TORCH) is None


def test_five_against_none_is_beyond_chance_and_two_against_none_is_not() -> None:
    assert fisher(5, 5, 0, 5) < 0.01 < fisher(2, 2, 0, 2)
