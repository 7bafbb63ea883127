"""unscaled-images."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule, argument_node, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.values.values import Model, Tensor

# Layers that leave the scale of their input alone; anything else may bring its own scaling.
_PLAIN = {
    "Dense",
    "Conv2D",
    "Conv1D",
    "Flatten",
    "Reshape",
    "Dropout",
    "MaxPooling2D",
    "AveragePooling2D",
    "Activation",
    "ReLU",
    "LeakyReLU",
    "GlobalAveragePooling2D",
    "GlobalMaxPooling2D",
    "InputLayer",
    "Input",
    "ZeroPadding2D",
    "Softmax",
    "LSTM",
    "GRU",
    "SpatialDropout2D",
    "SeparableConv2D",
    "BatchNormalization",
}
_OTHER_WAYS = (
    "Rescaling",
    "layers.Normalization(",
    " Normalization(",
    "preprocess_input",
    "rescale=",
    "standardization",
)
_SCALING = {"BatchNormalization", "LayerNormalization"}


class UnscaledImages(Rule):
    """Pictures with values from 0 to 255 enter a network as they are.

    ## What it finds
    ``fit`` of a Keras network on the pictures of a known data set that were never divided or normalised, when no
    layer of the network scales them.

    ## Why it hurts
    The usual initial weights and learning rates are made for inputs around one. With inputs up to 255 the first
    activations saturate or explode, and training is slow, unstable or stuck.

    ## Example
    ```python
    (x, y), _ = keras.datasets.mnist.load_data()
    model.fit(x, y)
    ```

    ## Use instead
    ```python
    x = x.astype("float32") / 255
    model.fit(x, y)
    ```

    ## Known problems
    Networks with layers that are not known are left alone, as are networks that normalise right at the start.

    ## Fix safety
    Suggested: test data have to be scaled too.

    ## References
    LeCun and others: Efficient BackProp, 1998, section on normalising the inputs.
    """

    name = "unscaled-images"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("keras",)
    faulty = (
        """\
import keras

(x, y), (x_test, y_test) = keras.datasets.mnist.load_data()
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile(loss="sparse_categorical_crossentropy", optimizer="sgd")
model.fit(x, y)
""",
    )
    clean = (
        """\
import keras

(x, y), (x_test, y_test) = keras.datasets.mnist.load_data()
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile(loss="sparse_categorical_crossentropy", optimizer="sgd")
model.fit(x.reshape(-1, 28, 28, 1).astype("float32") / 255, y)
""",
        """\
import keras

(x, y), (x_test, y_test) = keras.datasets.mnist.load_data()
model = keras.Sequential([keras.layers.Rescaling(1 / 255), keras.layers.Flatten(), keras.layers.Dense(10)])
model.compile(loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y)
""",
        """\
import keras

def train(model, x, y):
    model.fit(x, y)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.mentions(_OTHER_WAYS):
            return
        for operation in program.calls("Model.fit"):
            model, pictures = operation.receiver, operation.argument(0, "x")
            if (
                not isinstance(model, Model)
                or not isinstance(pictures, Tensor)
                or "unscaled-image" not in pictures.facts
            ):
                continue
            if _takes_as_is(model):
                message = "the pictures hold values from 0 to 255 and nothing scales them; divide by 255 first"
                given = argument_node(operation.node, 0, "x")
                edit = (
                    replace_node(program, given, f"{program.source.segment(given)} / 255")
                    if given is not None
                    else None
                )
                yield self.finding(program, operation.node, message, fix=suggested(edit))


def _takes_as_is(model: Model) -> bool:
    if model.framework != "keras" or not model.complete or not model.layers or model.style == "subclassed":
        return False
    names = [layer.name for layer in model.layers]
    return set(names) <= _PLAIN and not set(names[:3]) & _SCALING
