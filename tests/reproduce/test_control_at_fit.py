"""A plain network in the place of the reporter's own, whatever the data come from."""

from __future__ import annotations

import ast

import pytest

from bugloss.reproduce.control.at_fit import control_at_fit, rests_on_made_up_data
from bugloss.reproduce.stack.imports import Dialect

KERAS, INSIDE, TORCH = Dialect("keras", "keras"), Dialect("keras", "tensorflow.keras"), Dialect("torch", "keras")
PROGRAM = """x, y = made_up_picture_set((28, 28), 10, (1024, 256))[0]
scaler.fit(x)
model = build()
history = model.fit(x[:100], y, epochs=3)
model.predict(x)
"""


def test_everything_before_the_training_stays_and_nothing_behind_it() -> None:
    text = control_at_fit(PROGRAM, KERAS)
    assert text is not None
    ast.parse(text)
    assert text.startswith(PROGRAM.split("history")[0])
    assert "np.asarray(x[:100]), np.asarray(y)" in text
    assert "model.predict" not in text


def test_a_fit_inside_a_stand_in_is_not_the_training() -> None:
    text = "class Scaler:\n    def fit_transform(self, data):\n        return self.fit(data).transform(data)\n"
    assert "np.asarray(x), np.asarray(y)" in (control_at_fit(f"{text}model.fit(x, y)\n", KERAS) or "")


def test_it_speaks_the_programs_dialect() -> None:
    assert "tf.keras.Sequential" in (control_at_fit(PROGRAM, INSIDE) or "")
    assert control_at_fit(PROGRAM, TORCH) is None


def test_against_overfitting_it_is_linear_with_a_penalty() -> None:
    plain, linear = control_at_fit(PROGRAM, KERAS), control_at_fit(PROGRAM, KERAS, overfits=True)
    assert "Dense(64" in (plain or "") and "regularizers" not in (plain or "")
    assert "Dense(64" not in (linear or "") and "regularizers.l2" in (linear or "")


@pytest.mark.parametrize("line", ["model.fit(flow, epochs=3)\n", "scaler.fit(x, y)\n", "print(model)\n", "def (\n"])
def test_without_inputs_and_answers_there_is_no_control(line: str) -> None:
    assert control_at_fit(line, KERAS) is None


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("# made-up data: the report does not give it\nx = 3\n", True),
        ("x, y = made_up_picture_set((28, 28), 10, (1024, 256))\n", True),
        ('df = pd.DataFrame({"a": np.random.RandomState(0).normal(size=200)})\n', True),
        ("x = np.array([[0, 1], [1, 0]])\n", False),
    ],
)
def test_data_of_ours_are_known_whatever_they_look_like(text: str, ours: bool) -> None:
    assert rests_on_made_up_data(text) is ours
