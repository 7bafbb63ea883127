"""head-units-mismatch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.network.loss import Encoding
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.head_edits import WrittenNode, set_units
from bugloss.source.networks.heads import TrainedHead, trained_heads
from bugloss.source.program import Program
from bugloss.source.semantics.keras_data import class_count
from bugloss.source.values.values import Tensor


class HeadUnitsMismatch(Rule):
    """The output layer has another number of units than the labels have classes.

    ## What it finds
    A classifier whose labels are known (a data set of the library, or labels encoded with ``to_categorical``) and
    whose last layer has fewer units than there are classes, or another width than the one-hot rows.

    ## Why it hurts
    Labels without a unit of their own stop the program, or, on a GPU and in some releases, turn the loss into NaN.

    ## Example
    ```python
    (x, y), _ = keras.datasets.cifar100.load_data()
    model.add(Dense(10, activation="softmax"))
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(x, y)
    ```

    ## Use instead
    ```python
    model.add(Dense(100, activation="softmax"))
    ```

    ## Known problems
    Labels read from files are not known here; the data probe counts them at run time.

    ## Fix safety
    No automatic fix: the data may be the wrong ones.

    ## References
    Theia (Wan et al., 2023) and TheDeepChecker compare the head with the labels in the same way.
    """

    name = "head-units-mismatch"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.LAYER_DIMENSION
    groups = ("neuralint", "heads")
    words = ("fit",)
    faulty = (
        """\
import keras
from keras import layers

(x_train, y_train), _ = keras.datasets.cifar100.load_data()
model = keras.Sequential([layers.Flatten(), layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x_train / 255.0, y_train)
""",
        """\
import keras
from keras import layers
from keras.utils import to_categorical

(x_train, y_train), _ = keras.datasets.mnist.load_data()
model = keras.Sequential([layers.Flatten(), layers.Dense(9, activation="softmax")])
model.compile("adam", "categorical_crossentropy")
model.fit(x_train / 255.0, to_categorical(y_train))
""",
    )
    clean = (
        """\
import keras
from keras import layers
from keras.utils import to_categorical

(x_train, y_train), _ = keras.datasets.mnist.load_data()
model = keras.Sequential([layers.Flatten(), layers.Dense(10, activation="softmax")])
model.compile("adam", "categorical_crossentropy")
model.fit(x_train / 255.0, to_categorical(y_train, 10))
""",
        """\
import keras
from keras import layers

(x_train, y_train), _ = keras.datasets.mnist.load_data()
y_train = (y_train % 2).astype("int32")
model = keras.Sequential([layers.Flatten(), layers.Dense(2, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x_train / 255.0, y_train)
""",
        """\
import keras
from keras import layers

(x_train, y_train), _ = keras.datasets.imdb.load_data(num_words=1000)
model = keras.Sequential([layers.Embedding(1000, 8), layers.LSTM(8), layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(x_train, y_train)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for trained in trained_heads(program):
            message = _message(trained)
            if message is not None and trained.framework == "keras":
                yield self.finding(program, trained.head.node, message, fix=_widened(program, trained))


def _widened(program: Program, trained: TrainedHead) -> Fix | None:
    layer, targets = trained.head.layer, trained.targets
    if layer is None or not isinstance(layer.node, ast.expr) or not isinstance(targets, Tensor):
        return None
    wanted = class_count(targets) if trained.loss.targets is Encoding.CLASS_NUMBERS else (targets.shape or (None,))[-1]
    return suggested(set_units(WrittenNode(program, layer.node), str(wanted)) if isinstance(wanted, int) else None)


def _message(trained: TrainedHead) -> str | None:
    units, targets = trained.head.units, trained.targets
    if units is None or not isinstance(targets, Tensor):
        return None
    classes = class_count(targets)
    sparse = trained.loss.targets is Encoding.CLASS_NUMBERS and "class-ids" in targets.facts
    if sparse and classes is not None and 1 < units < classes:
        return f"the last layer has {units} units, but the labels have {classes} classes"
    if trained.loss.targets is Encoding.ONE_HOT and "one-hot" in targets.facts and targets.shape:
        width = targets.shape[-1]
        if isinstance(width, int) and width != units and units > 1 and len(targets.shape) == trained.head.tensor.rank:
            return f"the last layer has {units} units, but the one-hot labels have {width} columns"
    return None
