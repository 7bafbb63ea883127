"""What a dotted name in a file means."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.source.text.names import Names, canonical
from bugloss.source.text.tree import SyntaxTree


def names_of(text: str) -> Names:
    return Names(SyntaxTree(ast.parse(text)))


def qualified(text: str, expression: str) -> str | None:
    return names_of(text).qualified(ast.parse(expression, mode="eval").body)


@pytest.mark.parametrize(
    ("imports", "expression", "name"),
    [
        ("import torch", "torch.nn.Linear", "torch.nn.Linear"),
        ("import torch.nn as nn", "nn.Linear", "torch.nn.Linear"),
        ("import torch.nn", "torch.optim.SGD", "torch.optim.SGD"),
        ("from torch import nn", "nn.Linear", "torch.nn.Linear"),
        ("from torch.nn import Linear as L", "L", "torch.nn.Linear"),
        ("import tensorflow as tf", "tf.keras.layers.Dense", "keras.layers.Dense"),
        ("from tensorflow.python.keras import layers", "layers.Dense", "keras.layers.Dense"),
        ("import tensorflow.compat.v1 as tf", "tf.placeholder", "tensorflow.placeholder"),
        ("import tensorflow.compat.v1 as tf", "tf.keras.Sequential", "keras.Sequential"),
        ("import tf_keras as keras", "keras.models.Sequential", "keras.Sequential"),
        ("from keras.engine.training import Model", "Model", "keras.Model"),
        ("from keras.layers.core import Dense", "Dense", "keras.layers.Dense"),
        ("from keras.layers import Convolution2D", "Convolution2D", "keras.layers.Conv2D"),
        ("from keras.layers import Input", "Input", "keras.Input"),
        ("from keras.optimizers.legacy import Adam", "Adam", "keras.optimizers.Adam"),
        ("from torch.nn.modules.linear import Linear", "Linear", "torch.nn.Linear"),
        ("from torch.optim.lr_scheduler import StepLR", "StepLR", "torch.optim.lr_scheduler.StepLR"),
        ("import tensorflow as tf", "tf.math.log", "tensorflow.log"),
        ("from torch.nn import *", "Linear", "torch.nn.Linear"),
        ("from keras.layers import *", "Dense", "keras.layers.Dense"),
    ],
)  # fmt: skip
def test_a_name_is_resolved_through_its_import_to_one_spelling(imports: str, expression: str, name: str) -> None:
    assert qualified(imports, expression) == name


@pytest.mark.parametrize(
    ("imports", "expression"),
    [
        ("", "torch.log"),
        ("from . import torch", "torch.log"),
        ("from .keras import layers", "layers.Dense"),
        ("import torch", "model().log"),
        ("import torch", "x[0].log"),
        ("from keras.layers import *", "my_layer"),
    ],
)
def test_a_name_without_a_library_behind_it_stays_unknown(imports: str, expression: str) -> None:
    assert qualified(imports, expression) is None


def test_the_later_import_of_a_name_wins() -> None:
    assert qualified("from keras import layers\nfrom torch import nn as layers", "layers.Linear") == "torch.nn.Linear"


def test_the_raw_name_is_kept_for_rules_about_spellings() -> None:
    node = ast.parse("tf.keras.layers.Dense", mode="eval").body
    assert names_of("import tensorflow as tf").raw(node) == "tensorflow.keras.layers.Dense"


def test_imports_inside_functions_count_and_roots_are_the_top_packages() -> None:
    names = names_of("import os.path\ndef f():\n    from torch.nn import functional as F\n")
    assert names.roots == {"os", "torch"}
    assert names.imported["F"] == "torch.nn.functional"


PARTS = st.sampled_from(["tensorflow", "keras", "torch", "nn", "layers", "src", "compat", "v1", "python", "modules"])


@given(st.lists(st.one_of(PARTS, st.from_regex(r"[A-Za-z_]{1,6}", fullmatch=True)), min_size=1, max_size=7))
def test_a_canonical_name_is_never_longer_than_what_was_written(parts: list[str]) -> None:
    name = ".".join(parts)
    assert len(canonical(name).split(".")) <= len(parts)
