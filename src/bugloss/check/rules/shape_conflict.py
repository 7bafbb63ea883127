"""shape-conflict."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class ShapeConflict(Rule):
    """An operation combines incompatible shapes.

    ## What it finds
    Shapes are followed from declared inputs, known data and literal sizes through layers, reshapes and arithmetic. If
    an operation cannot accept its inputs, the message shows both shapes. An unknown dimension matches any size.

    ## Why it hurts
    The program stops at this line, often only after the data are loaded and the layers are built.

    ## Example
    ```python
    features = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(64, 10))
    ```

    ## Use instead
    ```python
    features = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
    ```

    ## Known problems
    Shapes that come from files or from the command line are unknown and never reported.

    ## Fix safety
    No fix is offered: either of the two sizes can be wrong.

    ## References
    ShapeFlow (Verma and Su, 2020) and PyTea (Jhoo et al., 2022) follow shapes through programs in this spirit;
    NeuraLint (Nikanjam et al., 2021) checks that connected layers agree.
    """

    name = "shape-conflict"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.LAYER_DIMENSION
    groups = ("shapeflow", "neuralint")
    confidence = 0.95
    faulty = (
        """\
import torch
from torch import nn

model = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(64, 10))
print(model(torch.randn(8, 784)))
""",
        """\
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential()
model.add(layers.LSTM(32, input_shape=(20, 8)))
model.add(layers.LSTM(16))
""",
        """\
import keras
from keras import layers

left = keras.Input(shape=(16,))
right = keras.Input(shape=(8,))
joined = layers.Add()([left, right])
model = keras.Model([left, right], joined)
""",
        """\
import keras
from keras import layers

(x_train, y_train), _ = keras.datasets.mnist.load_data()
model = keras.Sequential([keras.Input(shape=(784,)), layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x_train, y_train)
""",
    )
    clean = (
        """\
import torch
from torch import nn

model = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
print(model(torch.randn(8, 784)))
""",
        """\
import keras
from keras import layers

def build(width):
    model = keras.Sequential()
    model.add(layers.LSTM(width, return_sequences=True, input_shape=(20, 8)))
    model.add(layers.Bidirectional(layers.LSTM(16)))
    model.add(layers.Dense(1))
    return model
""",
        """\
import keras
from keras import layers

image = keras.Input(shape=(32, 32, 3))
x = layers.Conv2D(16, 3, padding="same", activation="relu")(image)
shortcut = layers.Conv2D(16, 1)(image)
x = layers.add([x, shortcut])
x = layers.Concatenate()([x, image])
x = layers.Reshape((-1, 19))(x)
model = keras.Model(image, x)
""",
        """\
import keras
from keras import layers

(x_train, y_train), _ = keras.datasets.mnist.load_data()
model = keras.Sequential([keras.Input(shape=(28, 28, 1)), layers.Flatten(), layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x_train, y_train)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for conflict in program.conflicts("shape"):
            yield self.finding(program, conflict.node, conflict.message)
