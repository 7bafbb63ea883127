"""What NumPy, TensorFlow, PyTorch and scikit-learn calls do to shapes, dtypes and ranges."""

from __future__ import annotations

import math

import pytest

from bugloss.source.program import Program
from bugloss.source.text.source_file import SourceFile, parse_source
from bugloss.source.values.values import Constant, Tensor, Value

IMPORTS = """\
import numpy as np
import tensorflow as tf
import torch
import torch.nn.functional as F
from sklearn.datasets import load_iris, make_moons
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from torch.utils.data import DataLoader, TensorDataset
"""


def program_of(text: str) -> Program:
    source = parse_source(IMPORTS + text, "snippet.py")
    assert isinstance(source, SourceFile)
    return Program(source)


def result_of(text: str) -> Value:
    """The value of the variable ``result`` at the end."""
    return program_of(text).followed.scope.get("result") or Constant("nothing")


def tensor_of(expression: str) -> Tensor:
    value = result_of(f"result = {expression}")
    assert isinstance(value, Tensor), value
    return value


@pytest.mark.parametrize(
    ("expression", "shape", "dtype"),
    [
        ("np.zeros((2, 3))", (2, 3), "float64"),
        ("np.ones(4, dtype=np.int32)", (4,), "int32"),
        ("np.array([[1, 2], [3, 4]])", (2, 2), "int64"),
        ("np.array([1.5, 2])", (2,), "float64"),
        ("np.arange(2, 8)", (6,), "int64"),
        ("np.linspace(0, 1, 11).reshape(-1, 1)", (11, 1), "float64"),
        ("np.random.rand(5, 2).astype('float32')", (5, 2), "float32"),
        ("np.random.RandomState(0).randint(3, size=7)", (7,), "int64"),
        ("np.zeros((2, 3)).transpose(1, 0)", (3, 2), "float64"),
        ("np.zeros((2, 3)).sum(axis=1)", (2,), "float64"),
        ("np.mean(np.zeros((2, 3)), axis=0, keepdims=True)", (1, 3), "float64"),
        ("np.concatenate([np.zeros((2, 3)), np.zeros((4, 3))])", (6, 3), "float64"),
        ("np.stack([np.zeros(3), np.zeros(3)], axis=1)", (3, 2), "float64"),
        ("np.zeros((2, 3))[:, np.newaxis]", (2, 1, 3), "float64"),
        ("np.zeros((2, 3)) @ np.zeros((3, 4))", (2, 4), "float64"),
        ("np.zeros(3, dtype='uint8') / 255", (3,), "float64"),
        ("np.zeros(3, dtype='float32') / 255", (3,), "float32"),
        ("tf.constant([1, 2])", (2,), "int32"),
        ("tf.constant([1.0, 2.0])", (2,), "float32"),
        ("tf.zeros([2, 3])", (2, 3), "float32"),
        ("tf.Variable(np.zeros((2, 3)))", (2, 3), "float64"),
        ("tf.placeholder('float', [None, 3])", ("batch", 3), "float32"),
        ("tf.cast(tf.constant([1, 2]), tf.float32)", (2,), "float32"),
        ("tf.reduce_mean(tf.zeros([2, 3]), 1)", (2,), "float32"),
        ("tf.matmul(tf.zeros([2, 3]), tf.zeros([3, 4]))", (2, 4), "float32"),
        ("tf.expand_dims(tf.zeros([2, 3]), -1)", (2, 3, 1), "float32"),
        ("tf.one_hot(tf.constant([1, 2]), 5)", (2, 5), "float32"),
        ("tf.zeros([2, 3]) * np.ones(3)", (2, 3), "float32"),
        ("torch.stack([torch.zeros(3), torch.zeros(3)])", (2, 3), "float32"),
        ("torch.Tensor(2, 3)", (2, 3), "float32"),
        ("torch.from_numpy(np.zeros(3))", (3,), "float64"),
        ("torch.zeros(3).to(torch.int64) * 0.5", (3,), "float32"),
        ("torch.zeros(4, 3)[torch.randperm(2)]", (2, 3), "float32"),
        ("F.one_hot(torch.arange(4), 5)", (4, 5), "int64"),
        ("load_iris().data", (150, 4), "float64"),
        ("make_moons(200)[1]", (200,), "int64"),
    ],
)
def test_shapes_and_dtypes_follow(expression: str, shape: tuple[object, ...], dtype: str) -> None:
    tensor = tensor_of(expression)
    assert (tensor.shape, tensor.dtype) == (shape, dtype)


@pytest.mark.parametrize(
    ("expression", "low", "high"),
    [
        ("torch.softmax(x, dim=1)", 0, 1),
        ("torch.relu(x)", 0, math.inf),
        ("1 - torch.sigmoid(x)", 0, 1),
        ("torch.tanh(x) * 2 + 3", 1, 5),
        ("torch.sigmoid(x).clamp(min=0.1)", 0.1, 1),
        ("tf.maximum(tf.nn.relu(x), 0.5)", 0.5, math.inf),
        ("tf.clip_by_value(tf.sigmoid(x), 0.25, 0.75)", 0.25, 0.75),
        ("np.abs(np.array([-3, 2]))", 0, 3),
        ("(np.arange(5) - 2) ** 2", 0, 4),
        ("np.clip(np.random.randn(3), lower, 1)", -math.inf, math.inf),
        ("np.random.uniform(2, 4, size=3) / 2", 1, 2),
    ],
)
def test_ranges_follow(expression: str, low: float, high: float) -> None:
    interval = tensor_of(expression).interval
    assert (interval.low, interval.high) == (low, high)


@pytest.mark.parametrize(
    "expression", ["torch.exp(x)", "torch.exp(x) * 0.5", "F.softplus(x)", "1 / (1 + torch.exp(x))"]
)
def test_what_is_positive_never_contains_zero(expression: str) -> None:
    assert not tensor_of(expression).interval.contains(0)


def test_a_mask_takes_the_range_away() -> None:
    value = result_of("y = torch.relu(x)\nresult = y[y > 0]")
    assert isinstance(value, Tensor)
    assert not value.interval.known


def test_writing_into_an_array_takes_the_range_away() -> None:
    value = result_of("result = np.array([0, 1])\nresult[0] = 5")
    assert isinstance(value, Tensor)
    assert not value.interval.known
    assert value.shape == (2,)


def test_a_loader_hands_out_batches() -> None:
    text = "loader = DataLoader(TensorDataset(torch.zeros(9, 3)), batch_size=4)\nfor (result,) in loader:\n    pass"
    value = result_of(text)
    assert isinstance(value, Tensor)
    assert value.shape == ("batch", 3)


def test_a_dataset_that_drops_its_remainder_has_batches_of_known_size() -> None:
    text = "data = tf.data.Dataset.from_tensor_slices(np.zeros((9, 3))).shuffle(9).batch(4, drop_remainder=True)\n"
    value = result_of(text + "for result in data:\n    pass")
    assert isinstance(value, Tensor)
    assert value.shape == (4, 3)


def test_a_split_tells_its_parts_apart_and_a_scaler_leaves_its_mark() -> None:
    text = "x, y = load_iris(return_X_y=True)\nx = StandardScaler().fit_transform(x)\n"
    text += "parts = train_test_split(x, y, test_size=0.2)\n"
    train, test = result_of(text + "result = parts[0]"), result_of(text + "result = parts[1]")
    assert isinstance(train, Tensor) and isinstance(test, Tensor)
    assert (train.shape, test.shape) == ((120, 4), (30, 4))
    assert {"training-part", "fitted:StandardScaler"} <= train.facts
    assert "held-out" in test.facts


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("np.zeros((2, 3)) + np.zeros((2, 4))", "(2, 3) and (2, 4) cannot be combined element by element"),
        ("np.zeros((2, 3)) @ np.zeros((2, 3))", "(2, 3) and (2, 3) cannot be multiplied as matrices"),
        ("np.zeros((2, 3)).reshape(4, 2)", "(2, 3) cannot be reshaped to (4, 2): the number of elements differs"),
        ("np.concatenate([np.zeros((2, 3)), np.zeros((2, 4))])", "cannot be concatenated along axis 0"),
        ("tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))", "(2, 3) and (2, 3) cannot be multiplied as matrices"),
        ("tf.reshape(tf.zeros([2, 3]), [4])", "(2, 3) cannot be reshaped to (4,): the number of elements differs"),
        ("torch.stack([torch.zeros(3), torch.zeros(4)])", "(3,) and (4,) cannot be stacked"),
        ("tf.squeeze(tf.zeros([2, 3]), axis=1)", "only axes of size 1 can be squeezed"),
        ("tf.constant(1) + tf.constant(1.0)", "cannot combine int32 and float32"),
    ],
)
def test_operands_that_cannot_go_together_are_reported(statement: str, message: str) -> None:
    conflicts = program_of(f"result = {statement}").followed.conflicts
    assert [message in conflict.message for conflict in conflicts] == [True]


@pytest.mark.parametrize(
    "statement",
    [
        "np.zeros((2, 1)) + np.zeros((1, 4)) + 3",
        "tf.zeros([3]) * np.ones(3)",
        "tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]), transpose_b=True)",
        "np.zeros((n, 3)) @ np.zeros((3, 2))",
        "torch.zeros(2, 3).view(-1, 2)",
    ],
)
def test_operands_that_may_go_together_are_not(statement: str) -> None:
    assert program_of(f"result = {statement}").followed.conflicts == []
