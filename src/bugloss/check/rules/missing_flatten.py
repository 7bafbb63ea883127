"""missing-flatten."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.loss import Encoding
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.heads import TrainedHead, trained_heads
from bugloss.source.networks.network import NetworkStep, applications, chain
from bugloss.source.program import Program
from bugloss.source.values.shapes import show
from bugloss.source.values.values import Tensor

_KEEPS_THE_MAP = {"activation", "dropout", "norm", "same"}


class MissingFlatten(Rule):
    """A feature map is passed to a dense layer without being flattened.

    ## What it finds
    A Keras classifier or regressor whose dense output still has the height and width of a feature map, or has more
    dimensions than the known targets; a PyTorch ``Linear`` that directly follows a two-dimensional convolution or
    pooling.

    ## Why it hurts
    A dense layer is applied to the last axis only. The output keeps the other axes, and the loss raises a shape error
    or compares every pixel with the one label.

    ## Example
    ```python
    model.add(Conv2D(16, 3, input_shape=(28, 28, 1)))
    model.add(Dense(10, activation="softmax"))
    ```

    ## Use instead
    ```python
    model.add(Conv2D(16, 3, input_shape=(28, 28, 1)))
    model.add(Flatten())
    model.add(Dense(10, activation="softmax"))
    ```

    ## Known problems
    Some segmentation networks apply a dense layer to every pixel on purpose; with known targets of that shape nothing
    is reported.

    ## Fix safety
    No fix is offered: flattening and global pooling are both possible.

    ## References
    NeuraLint (Nikanjam et al., 2021).
    """

    name = "missing-flatten"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.ADD_LAYER
    groups = ("neuralint",)
    words = ("onv", "ool", "LSTM", "GRU", "RNN")
    faulty = (
        """\
from keras.models import Sequential
from keras.layers import Conv2D, MaxPooling2D, Dense

model = Sequential()
model.add(Conv2D(16, 3, input_shape=(28, 28, 1), activation="relu"))
model.add(MaxPooling2D())
model.add(Dense(10, activation="softmax"))
model.compile("adam", "categorical_crossentropy")
""",
        """\
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 16, 3)
        self.out = nn.Linear(16 * 13 * 13, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv(x)), 2)
        return self.out(x)
""",
    )
    clean = (
        """\
from keras.models import Sequential
from keras.layers import Conv2D, MaxPooling2D, Dense, Flatten, GlobalAveragePooling2D

model = Sequential()
model.add(Conv2D(16, 3, input_shape=(28, 28, 1), activation="relu"))
model.add(MaxPooling2D())
model.add(Flatten())
model.add(Dense(10, activation="softmax"))
model.compile("adam", "categorical_crossentropy")

pooled = Sequential([Conv2D(8, 3, input_shape=(28, 28, 1)), GlobalAveragePooling2D(), Dense(10, activation="softmax")])
pooled.compile("adam", "categorical_crossentropy")
""",
        """\
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 16, 3)
        self.out = nn.Linear(16 * 13 * 13, 10)
        self.mix = nn.Linear(16, 16)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv(x)), 2)
        mixed = self.mix(x.permute(0, 2, 3, 1))
        return self.out(torch.flatten(x, 1))
""",
        """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(30, 4)), layers.LSTM(16, return_sequences=True)])
model.add(layers.Dense(5, activation="softmax"))
model.compile("adam", "sparse_categorical_crossentropy")
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for trained in trained_heads(program):
            if trained.framework == "keras" and (trained.loss.classifies or trained.loss.regresses):
                yield from self._keras(program, trained)
        for _, step, before in applications(program, "dense"):
            source = next((earlier for earlier in before if earlier.role not in _KEEPS_THE_MAP), None)
            if source is not None and _is_map(source) and not _fits(source, step):
                message = f"{step.name} follows {source.name} without flattening its feature map"
                yield self.finding(program, step.node, message)

    def _keras(self, program: Program, trained: TrainedHead) -> Iterator[Finding]:
        head, shape, targets = trained.head, trained.head.tensor.shape, trained.targets
        if head.layer is None or head.layer.role != "dense" or shape is None:
            return
        wanted = targets.rank if isinstance(targets, Tensor) else None
        sparse = trained.loss.targets is Encoding.CLASS_NUMBERS
        if wanted is not None:
            excess = len(shape) - wanted - (1 if sparse or wanted == 1 else 0)
            if excess <= 0 or (wanted == 1 and len(shape) == 2):
                return
        elif len(shape) < 4 or not _from_a_map(head.tensor):
            return
        message = f"the output has shape {show(shape)}: the feature map was not flattened before the dense layer"
        yield self.finding(program, head.layer.node, message)


def _from_a_map(tensor: Tensor) -> bool:
    return any(step.role in {"conv", "pool"} for step in chain(tensor))


def _is_map(step: NetworkStep) -> bool:
    """A two-dimensional PyTorch convolution or pooling, whose output has height and width last."""
    return step.name in {"Conv2d", "MaxPool2d", "AvgPool2d", "max_pool2d", "avg_pool2d", "AdaptiveAvgPool2d"}


def _fits(source: NetworkStep, dense: NetworkStep) -> bool:
    """Whether the last axis is known to be what the layer expects."""
    shape, wanted = source.tensor.shape, dense.layer.integer("in_features") if dense.layer is not None else None
    return wanted is None or (shape is not None and shape[-1] == wanted)
