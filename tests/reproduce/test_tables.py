"""Tables that take the place of files: what a column holds, and that something can be learned from it."""

from __future__ import annotations

import ast

import pytest

from bugloss.reproduce.data.frames import table_code_for


def columns(text: str) -> dict[str, str]:
    frame = ast.parse(table_code_for("df", text), mode="eval").body
    assert isinstance(frame, ast.Call)
    table = frame.args[0]
    assert isinstance(table, ast.Dict)
    keys = [ast.literal_eval(key) for key in table.keys if key is not None]
    return dict(zip(keys, map(ast.unparse, table.values), strict=True))


def test_the_label_follows_from_the_first_number() -> None:
    """It was drawn apart from the rest once: then no network could learn it, and every complaint seemed true."""
    held = columns('x = df[["age", "height"]]\ny = df["label"]\n')
    assert held["age"] in held["label"]


@pytest.mark.parametrize(
    ("layers", "kinds"),
    [
        ("Dense(8)\nDense(3, activation='softmax')\n", 3),
        ("Dense(4)\nDense(units=5, init='normal', activation='sigmoid')\nloss='categorical_crossentropy'\n", 5),
        ("Dense(4)\nDense(1, activation='sigmoid')\nloss='binary_crossentropy'\n", 2),
    ],
)
def test_there_are_as_many_classes_as_the_last_layer_tells_apart(layers: str, kinds: int) -> None:
    assert f"* {kinds} // 200" in columns(f'x, y = df["age"], df["label"]\n{layers}')["label"]


def test_a_value_may_leave_the_range_from_zero_to_one() -> None:
    assert columns('x, y = df["age"], df["target"]\nmodel.compile(loss="mse")\n')["target"].startswith("10 *")


def test_without_names_the_last_column_follows_from_the_first() -> None:
    code = table_code_for("df", "values = df.values\nx = values[:, 0:4]\ny = values[:, 4]\n")
    assert "size=(200, 4)" in code
    assert code.count("np.random.RandomState(0)") == 2


def test_a_table_whose_label_alone_is_named_has_as_many_numbers_as_the_first_layer_takes() -> None:
    text = "y = df['status']\nx = df.drop(['status', 'name'], axis=1)\nlayer = Dense(4, input_shape=(22,))\n"
    held = columns(text)
    assert len(held) == 24
    assert held["feature 1"] in held["status"]
