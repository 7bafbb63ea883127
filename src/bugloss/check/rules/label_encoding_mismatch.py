"""label-encoding-mismatch."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.head_compatibility import head_fix, target_misfit
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.heads import fits_after, trained_heads
from bugloss.source.program import Program


class LabelEncodingMismatch(Rule):
    """The encoding of the labels does not match the loss.

    ## What it finds
    Class indices passed to ``categorical_crossentropy``, or one-hot labels passed to
    ``sparse_categorical_crossentropy``, where the encoding of the labels is known.

    ## Why it hurts
    The shapes do not match and the first step raises an error; in releases that broadcast instead, the loss is
    meaningless.

    ## Example
    ```python
    (x, y), _ = keras.datasets.mnist.load_data()
    model.compile("adam", loss="categorical_crossentropy")
    model.fit(x, y)
    ```

    ## Use instead
    ```python
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(x, y)
    ```

    ## Known problems
    Labels that are read from files have no known encoding and are not reported.

    ## Fix safety
    No fix is offered: either the loss or the encoding can be changed.

    ## References
    Documentation of ``keras.losses``; the catalogue's row label-encoding.
    """

    name = "label-encoding-mismatch"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("heads",)
    words = ("ategorical", "crossentropy")
    faulty = (
        """\
import keras
from keras import layers

(x_train, y_train), _ = keras.datasets.mnist.load_data()
model = keras.Sequential([layers.Flatten(), layers.Dense(10, activation="softmax")])
model.compile("adam", loss="categorical_crossentropy")
model.fit(x_train / 255.0, y_train)
""",
        """\
import keras
from keras import layers

(x_train, y_train), _ = keras.datasets.mnist.load_data()
model = keras.Sequential([layers.Flatten(), layers.Dense(10, activation="softmax")])
model.compile("adam", loss="sparse_categorical_crossentropy")
model.fit(x_train / 255.0, keras.utils.to_categorical(y_train))
""",
        """\
import keras
from keras import layers
from keras.preprocessing.image import ImageDataGenerator

images = ImageDataGenerator(rescale=1 / 255).flow_from_directory("images", target_size=(64, 64))
model = keras.Sequential([keras.Input((64, 64, 3)), layers.Flatten(), layers.Dense(1, activation="sigmoid")])
model.compile("adam", loss="binary_crossentropy")
model.fit(images, epochs=3)
""",
        """\
import keras
from keras import layers

def batches(x, y):
    while True:
        yield x, keras.utils.to_categorical(y)

(x_train, y_train), _ = keras.datasets.mnist.load_data()
model = keras.Sequential([layers.Flatten(), layers.Dense(10, activation="softmax")])
model.compile("adam", loss="sparse_categorical_crossentropy")
model.fit(batches(x_train / 255.0, y_train), steps_per_epoch=10)
""",
    )
    clean = (
        """\
import keras
from keras import layers
from keras.preprocessing.image import ImageDataGenerator

images = ImageDataGenerator(rescale=1 / 255).flow_from_directory("images", target_size=(64, 64), class_mode="binary")
model = keras.Sequential([keras.Input((64, 64, 3)), layers.Flatten(), layers.Dense(1, activation="sigmoid")])
model.compile("adam", loss="binary_crossentropy")
model.fit(images, epochs=3)
""",
        """\
import keras
from keras import layers

(x_train, y_train), _ = keras.datasets.mnist.load_data()
model = keras.Sequential([layers.Flatten(), layers.Dense(10, activation="softmax")])
model.compile("adam", loss="sparse_categorical_crossentropy")
model.fit(x_train / 255.0, y_train)
""",
        """\
import keras
from keras import layers
from keras.utils import to_categorical

(x_train, y_train), (x_test, y_test) = keras.datasets.cifar10.load_data()
y_train = to_categorical(y_train, 10)
model = keras.Sequential([layers.Flatten(), layers.Dense(10, activation="softmax")])
model.compile("adam", loss="categorical_crossentropy")
model.fit(x_train / 255.0, y_train)
""",
        """\
import keras
from keras import layers

def train(x, y):
    model = keras.Sequential([layers.Flatten(), layers.Dense(10, activation="softmax")])
    model.compile("adam", loss="categorical_crossentropy")
    model.fit(x, y)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for trained in trained_heads(program):
            misfit = target_misfit(trained)
            if misfit is not None and trained.model is not None:
                [fit] = fits_after(program, trained.model, trained.place)
                fix = head_fix(program, trained, misfit.changes)
                yield self.finding(program, fit.node, misfit.message, fix=fix)
