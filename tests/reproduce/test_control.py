"""The control of a symptom: a plain network gets the program's own stand-in inputs, and nothing that gives them away."""

from __future__ import annotations

import ast
import re
from itertools import islice

import pytest
from pretended_runs import reading_of

from bugloss.reproduce.actions.input_data import InputDataGeneration
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.control import control_program, fisher
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind
from bugloss.reproduce.expected.symptoms import SymptomKind
from bugloss.reproduce.program.draft import Draft
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


def controlled(
    text: str, spoken: Dialect, kind: SymptomKind = SymptomKind.FLAT, body: str = "It fails.", seed: int = 0
) -> str:
    expectation = Expectation(ExpectationKind.SYMPTOM, symptoms=(kind,))
    releases = RELEASES["torch" if spoken.is_torch else "keras"]
    evidence = EditEvidence(reading_of(body), expectation, releases, frozenset(releases))
    draft = Draft.reported(text)
    (edit,) = islice(InputDataGeneration().find(draft, evidence), 1)
    found = control_program(edit.applied_to(draft), spoken, seed, overfits=kind is SymptomKind.OVERFITS)
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
    taken = re.search(r"^(?:table =|given, wanted = np\.asarray\() ?\(?(\w+)", controlled(text, spoken), re.MULTILINE)
    assert taken is not None
    assert taken[1] == inputs


def test_neither_centres_nor_sorted_classes_are_taken_for_inputs() -> None:
    text = TORCH_LOOP.format(outputs=3, loss="CrossEntropyLoss")
    found = controlled(text, TORCH, SymptomKind.OVERFITS, "The classes are stored one kind after the other.")
    assert "np.sort(" in found
    assert "table = loader_inputs" in found


def test_another_seed_changes_the_one_line_that_has_it() -> None:
    text = TORCH_LOOP.format(outputs=3, loss="CrossEntropyLoss")
    first, second = (controlled(text, TORCH, seed=seed).split("\n") for seed in (0, 3))
    changed = [(one, other) for one, other in zip(first, second, strict=True) if one != other]
    assert changed == [("stand_in = np.random.default_rng(0)", "stand_in = np.random.default_rng(3)")]


def test_a_program_with_its_own_data_has_no_control_in_torch() -> None:
    assert control_program(Draft.reported("x = 3\n"), TORCH) is None


def test_five_against_none_is_beyond_chance_and_two_against_none_is_not() -> None:
    assert fisher(5, 5, 0, 5) < 0.01 < fisher(2, 2, 0, 2)


INSIDE = Dialect("keras", "tensorflow.keras")
PROGRAM = """x, y = stand_in_image_set((28, 28), 10, (1024, 256))[0]
scaler.fit(x)
model = build()
history = model.fit(x[:100], y, epochs=3)
model.predict(x)
"""


def at_fit(text: str, spoken: Dialect, overfits: bool = False) -> str | None:
    return control_program(Draft.reported(text), spoken, overfits=overfits)


def test_everything_before_the_training_stays_and_nothing_behind_it() -> None:
    text = at_fit(PROGRAM, KERAS)
    assert text is not None
    ast.parse(text)
    assert text.startswith(PROGRAM.split("history")[0])
    assert "np.asarray(x[:100]), np.asarray(y)" in text
    assert "model.predict" not in text


def test_a_fit_inside_a_stand_in_is_not_the_training() -> None:
    text = "class Scaler:\n    def fit_transform(self, data):\n        return self.fit(data).transform(data)\n"
    assert "np.asarray(x), np.asarray(y)" in (at_fit(f"{text}model.fit(x, y)\n", KERAS) or "")


def test_it_speaks_the_programs_dialect() -> None:
    assert "tf.keras.Sequential" in (at_fit(PROGRAM, INSIDE) or "")
    assert at_fit(PROGRAM, TORCH) is None


def test_against_overfitting_it_is_linear_with_a_penalty() -> None:
    plain, linear = at_fit(PROGRAM, KERAS), at_fit(PROGRAM, KERAS, overfits=True)
    assert "Dense(64" in (plain or "") and "regularizers" not in (plain or "")
    assert "Dense(64" not in (linear or "") and "regularizers.l2" in (linear or "")


@pytest.mark.parametrize("line", ["model.fit(flow, epochs=3)\n", "scaler.fit(x, y)\n", "print(model)\n", "def (\n"])
def test_without_inputs_and_answers_there_is_no_control(line: str) -> None:
    assert at_fit(line, KERAS) is None
