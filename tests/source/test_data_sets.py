"""Data are followed from where they come into the network: shapes, types and encodings of samples and targets."""

from __future__ import annotations

import pytest

from bugloss.core.network.dataset import DATASETS, datasets_of
from bugloss.source.program import Program
from bugloss.source.text.source_file import SourceFile, parse_source
from bugloss.source.values.shapes import show
from bugloss.source.values.values import Items, Tensor, Value

IMPORTS = """
import numpy as np
import pandas as pd
import torch
import tensorflow as tf
import keras
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split
from torchvision import datasets, transforms
from sklearn.preprocessing import LabelEncoder
from keras.preprocessing.image import ImageDataGenerator

class Samples(Dataset):
    def __init__(self, x, y):
        self.x, self.y = torch.tensor(x), torch.tensor(y)

    def __getitem__(self, index):
        return self.x[index], self.y[index]
"""


def value(text: str) -> Value:
    source = parse_source(f"{IMPORTS}\n{text}", "program.py")
    assert isinstance(source, SourceFile)
    return Program(source).followed.scope.variables["found"]


def first(text: str) -> Tensor:
    """The inputs of the first batch or element."""
    element = value(text)
    found = element.items[0] if isinstance(element, Items) else element
    assert isinstance(found, Tensor)
    return found


BATCHES = [
    ("for found in DataLoader(datasets.MNIST('.', transform=transforms.ToTensor())):\n    pass", "(batch, 1, 28, 28)"),
    (
        (
            "chain = transforms.Compose([transforms.Resize((64, 48)), transforms.ToTensor(), transforms.Normalize(0, 1)])\n"
            "for found in DataLoader(datasets.CIFAR10('.', transform=chain)):\n    pass"
        ),
        "(batch, 3, 64, 48)",
    ),
    (
        (
            "part, rest = random_split(TensorDataset(torch.zeros(10, 3), torch.zeros(10)), [8, 2])\n"
            "for found in DataLoader(part, batch_size=2):\n    pass"
        ),
        "(batch, 3)",
    ),
    (
        "for found in ImageDataGenerator().flow_from_directory('x', target_size=(32, 24)):\n    pass",
        "(batch, 32, 24, 3)",
    ),
    (
        (
            "data = tf.data.Dataset.from_tensor_slices((np.zeros((10, 28, 28)), np.zeros(10)))\n"
            "for found in data.map(lambda x, y: (tf.reshape(x, [784]), y)).batch(4):\n    pass"
        ),
        "(batch, 784)",
    ),
]


@pytest.mark.parametrize(("text", "shape"), BATCHES)
def test_the_inputs_of_a_batch_have_the_shape_of_the_samples(text: str, shape: str) -> None:
    assert show(first(text).shape) == shape


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("found = np.eye(3)[np.array([0, 1, 2])]", "one-hot"),
        ("found = pd.get_dummies(np.array([0, 1, 2]))", "one-hot"),
        ("found = LabelEncoder().fit_transform(['a', 'b'])", "class-ids"),
    ],
)
def test_the_encoding_of_targets_is_known(text: str, fact: str) -> None:
    assert fact in first(text).facts


def test_a_generator_gives_what_it_yields() -> None:
    text = "def batches():\n    while True:\n        yield np.zeros((8, 4)), np.zeros(8)\nfor found in batches():\n    pass"
    assert show(first(text).shape) == "(8, 4)"


def test_every_library_has_data_sets_and_every_name_is_found() -> None:
    assert {row.framework for row in DATASETS} == {"keras", "torchvision", "sklearn"}
    assert {DATASETS.find(row.name, lambda other, of=row: other.framework == of.framework) for row in DATASETS} == set(  # type: ignore[misc]
        DATASETS
    )
    assert [row.sample for row in datasets_of("torchvision") if row.name == "CIFAR10"] == [(3, 32, 32)]
