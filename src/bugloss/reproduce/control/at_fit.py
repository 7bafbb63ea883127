"""A control for programs whose data are no plain block: a plain network is trained where the program trains its own.

Everything before the first ``fit`` stays: tables, doubles of data sets and whatever the program does to them are what
the plain network gets, too.
"""

from __future__ import annotations

import ast
import re

from bugloss.reproduce.data.writing import BEGIN
from bugloss.reproduce.program.draft import parsed
from bugloss.reproduce.program.syntax import word_of
from bugloss.reproduce.stack.imports import Dialect

_MADE_UP = re.compile(rf"^{BEGIN}|\bmade_up_\w+\(|class MadeUpPictures|pd\.DataFrame\([^\n]*RandomState", re.MULTILINE)
_NO_NETWORK = re.compile(r"scaler|encoder|binarizer|tokenizer|pca|label|imputer|vectorizer", re.IGNORECASE)

_TAIL = """\
import numpy as np
{module}
given, wanted = np.asarray({inputs}), np.asarray({answers})
table = given.astype("float32").reshape(len(given), -1)[:2048]
table = (table - table.mean(axis=0)) / (table.std(axis=0) + 1e-6)
wanted = wanted.reshape(len(wanted), -1)[:2048]
if wanted.shape[1] > 1 and set(np.unique(wanted)) <= {{0, 1}} and (wanted.sum(axis=1) == 1).all():
    wanted = wanted.argmax(axis=1).reshape(-1, 1)
numbers = np.unique(wanted)
whole = (numbers == np.round(numbers.astype("float32"))).all()
several = wanted.shape[1] == 1 and len(numbers) * 4 < len(wanted) and whole
wanted = np.searchsorted(numbers, wanted) if several else wanted.astype("float32")
order = np.random.RandomState(7).permutation(len(table))
table, wanted = table[order], wanted[order]
outputs, ending = (len(numbers), "softmax") if several else (wanted.shape[1], None)
network = {prefix}.Sequential([{layers}])
loss = "sparse_categorical_crossentropy" if several else "mse"
network.compile(loss=loss, optimizer={prefix}.optimizers.Adam(0.01), metrics=["accuracy"] if several else [])
network.fit(table, wanted, epochs=12, batch_size=32, validation_split=0.2, verbose=2)
counted = network.predict(table)
if several:
    print("share of answers", np.bincount(counted.argmax(axis=1)).max() / len(counted))
else:
    print("spread of answers", counted.std() / (wanted.std() + 1e-9))
"""


def rests_on_made_up_data(text: str) -> bool:
    """Whether a program's data are ours: a block, a table, or the double of a data set."""
    return _MADE_UP.search(text) is not None


def control_at_fit(text: str, spoken: Dialect, overfits: bool = False) -> str | None:
    """The program with a plain network in the place of its own; None where no ``fit`` of inputs and answers is seen.

    Where the complaint is overfitting, it is a linear one with a penalty: any larger one can overfit.
    """
    tree = parsed(text)
    plain = [one for one in tree.body if isinstance(one, ast.Expr | ast.Assign)] if tree is not None else []
    for statement in plain if not spoken.is_torch else ():
        for call in (node for node in ast.walk(statement) if isinstance(node, ast.Call)):
            owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
            if word_of(call) != "fit" or not owner or _NO_NETWORK.search(owner):
                continue
            given = [ast.unparse(one) for one in call.args[:2]]
            given += [ast.unparse(one.value) for one in call.keywords if one.arg in {"x", "y"}]
            if len(given) == 2:
                before = "\n".join(text.split("\n")[: statement.lineno - 1])
                return f"{before}\n{_tail(given, spoken, overfits)}"
            return None
    return None


_HIDDEN = '{prefix}.layers.Dense(64, activation="relu", input_shape=(table.shape[1],)), '
_HIDDEN += "{prefix}.layers.Dense(outputs, activation=ending)"
_LINEAR = "{prefix}.layers.Dense(outputs, activation=ending, input_shape=(table.shape[1],), "
_LINEAR += "kernel_regularizer={prefix}.regularizers.l2(0.05))"


def _tail(given: list[str], spoken: Dialect, linear: bool) -> str:
    inside = spoken.keras == "tensorflow.keras"
    prefix, module = ("tf.keras", "import tensorflow as tf") if inside else ("keras", "import keras")
    layers = (_LINEAR if linear else _HIDDEN).format(prefix=prefix)
    return _TAIL.format(module=module, prefix=prefix, layers=layers, inputs=given[0], answers=given[1])
