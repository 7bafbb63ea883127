"""The stack for a program, by how it is written."""

from __future__ import annotations

import pytest

from bugloss.core.errors import InvalidInput
from bugloss.workflows.stack_choice import stack_for
from bugloss.workflows.subject import ProgramText


def chosen(source: str, *imports: str) -> tuple[str, str]:
    return stack_for(ProgramText((source,), frozenset(imports)))


@pytest.mark.parametrize(
    ("source", "imports", "stack"),
    [
        ("import torch", ("torch",), "torch"),
        ("from torch.nn import functional as F", ("torch",), "torch"),
        ("import tensorflow as tf\nimport keras", ("keras", "tensorflow"), "keras3"),
        ("def run():\n    from tensorflow.keras import layers", ("tensorflow",), "tf2-keras2"),
        ("from keras.layers import Dense\nmodel.fit(x, y, nb_epoch=3)", ("keras",), "keras1"),
        ("import tensorflow as tf\nx = tf.placeholder(tf.float32)\ns = tf.Session()", ("tensorflow",), "keras2-tf1"),
        ("import torch\nfrom torch.autograd import Variable\nprint(loss.data[0])", ("torch",), "torch1"),
        (
            "import torch\nclass F(torch.autograd.Function):\n    def forward(self, x):\n        pass",
            ("torch",),
            "torch1",
        ),
        ("import torch\nmean.mul_(b).add_(1 - b, grad)", ("torch",), "torch1"),
        ("import keras\nx = keras.ops.relu(y)", ("keras",), "keras3"),
        ("import keras\nself.compiled_loss(y, p)", ("keras",), "tf2-keras2"),
        ("from pytorch_lightning import Trainer", ("pytorch_lightning",), "torch"),
    ],
)
def test_the_stack_is_that_of_the_programs_time(source: str, imports: tuple[str, ...], stack: str) -> None:
    assert chosen(source, *imports)[0] == stack


def test_the_reason_names_what_gave_it_away() -> None:
    why = chosen("import tensorflow as tf\nx = tf.placeholder(tf.float32)\n", "tensorflow")[1]
    assert "placeholder" in why


def test_a_program_without_a_framework_has_no_stack() -> None:
    with pytest.raises(InvalidInput, match="neither torch nor keras"):
        chosen("import numpy", "numpy")
