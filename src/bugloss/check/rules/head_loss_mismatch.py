"""head-loss-mismatch."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.head_compatibility import head_fix, output_misfits
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.fit import Clash
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.heads import trained_heads
from bugloss.source.program import Program


class HeadLossMismatch(Rule):
    """The output activation does not match the loss.

    ## What it finds
    Mismatches between the output activation of a network and its loss: a softmax or sigmoid before a loss that
    applies one itself, raw scores before a loss that expects probabilities, probabilities before a loss that expects
    their logarithms, a ReLU before a cross-entropy, one unit with a loss over classes.

    ## Why it hurts
    The loss misinterprets the outputs. Some of these pairs raise an error; most train slowly, to a wrong optimum or
    not at all, without a message.

    ## Example
    ```python
    probabilities = torch.softmax(model(x), dim=1)
    loss = nn.CrossEntropyLoss()(probabilities, y)
    ```

    ## Use instead
    ```python
    loss = nn.CrossEntropyLoss()(model(x), y)
    ```

    ## Known problems
    A network and a loss that are combined in another file are not checked. Some Keras releases undo a softmax before
    ``from_logits=True``; this pair is therefore a warning.

    ## Fix safety
    Suggested: either the activation or the loss can be changed, and the usual one of the two is offered.

    ## References
    NeuraLint (Nikanjam et al., 2021), UMLAUT (Schoop et al., 2021) and the documentation of ``CrossEntropyLoss``,
    ``NLLLoss``, ``BCEWithLogitsLoss`` and ``keras.losses``.
    """

    name = "head-loss-mismatch"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.ACTIVATION
    groups = ("neuralint", "heads")
    faulty = (
        """\
import torch
from torch import nn

def train(loader):
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3), nn.Softmax(dim=1))
    criterion = nn.CrossEntropyLoss()
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
""",
        """\
import torch.nn.functional as F
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(16, 3)

    def forward(self, x):
        return self.out(x)

def train(loader):
    model = Net()
    for x, y in loader:
        F.nll_loss(model(x), y).backward()
""",
        """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential()
model.add(Dense(16, input_dim=4, activation="relu"))
model.add(Dense(3))
model.compile(loss="categorical_crossentropy", optimizer="adam")
""",
        """\
import keras
from keras import layers

inputs = keras.Input(shape=(4,))
x = layers.Dense(16, activation="relu")(inputs)
outputs = layers.Dense(1, activation="relu")(x)
model = keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss=keras.losses.BinaryCrossentropy())
""",
        """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=4, activation="relu"), Dense(1, activation="sigmoid")])
model.compile(loss="categorical_crossentropy", optimizer="sgd")
""",
        """\
import tensorflow as tf

model = tf.keras.Sequential()
model.add(tf.keras.layers.Dense(16, activation="relu"))
model.add(tf.keras.layers.Dense(3, activation="softmax"))
model.compile(loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), optimizer="sgd")
""",
    )
    clean = (
        """\
import torch
from torch import nn

def train(loader):
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
    criterion = nn.CrossEntropyLoss()
    for x, y in loader:
        scores = model(x)
        criterion(scores, y).backward()
        print(torch.softmax(scores, dim=1))
""",
        """\
import torch
import torch.nn.functional as F
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(16, 3)

    def forward(self, x):
        return F.log_softmax(self.out(x), dim=1)

def train(loader):
    model = Net()
    for x, y in loader:
        F.nll_loss(model(x), y).backward()
""",
        """\
import keras
from keras import layers

model = keras.Sequential([layers.Dense(16, activation="relu"), layers.Dense(3)])
model.compile(loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), optimizer="adam")
""",
        """\
import keras
from keras import layers

def build(activation):
    model = keras.Sequential([layers.Dense(16, activation="relu"), layers.Dense(3, activation=activation)])
    model.compile(loss="categorical_crossentropy", optimizer="adam")
    return model
""",
        """\
import keras
from keras import layers

model = keras.Sequential([layers.Dense(16, activation="relu"), layers.Dense(1), layers.Activation("sigmoid")])
model.compile(loss="binary_crossentropy", optimizer="adam")
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for trained in trained_heads(program):
            for misfit in output_misfits(trained):
                if misfit.clash is Clash.SINGLE_SOFTMAX:
                    continue  # a rule of its own
                fix = head_fix(program, trained, misfit.changes)
                yield self.finding(program, trained.place.node, misfit.message, severity=misfit.severity, fix=fix)
