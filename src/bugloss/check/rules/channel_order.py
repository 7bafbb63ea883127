"""channel-order."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.values.shapes import show
from bugloss.source.values.values import Layer, Shape, Tensor

_CONVOLUTIONS = tuple(
    f"apply keras.layers.{name}" for name in ("Conv2D", "SeparableConv2D", "MaxPooling2D", "DepthwiseConv2D")
)


class ChannelOrder(Rule):
    """Channels-first images are passed to a channels-last Keras layer.

    ## What it finds
    A two-dimensional Keras convolution or pooling, with channels last (the default), whose input looks like (1 or
    3, height, width).

    ## Why it hurts
    The layer uses the width as channels and convolves over an image of one or three rows. Training is poor, or a
    later layer fails with a window that does not fit.

    ## Example
    ```python
    keras.Input(shape=(3, 224, 224))
    layers.Conv2D(32, 3)
    ```

    ## Use instead
    ```python
    keras.Input(shape=(224, 224, 3))
    layers.Conv2D(32, 3)
    ```

    ## Known problems
    ``image_data_format`` in a configuration file is not read; files that mention ``channels_first`` are not reported.

    ## Fix safety
    No fix is offered: the data have to be transposed too.

    ## References
    Keras documentation of ``Conv2D``, argument ``data_format``.
    """

    name = "channel-order"
    severity = Severity.WARNING
    category = Category.TENSOR
    fix_pattern = FixPattern.DATA_DIMENSION
    groups = ("shapeflow",)
    words = ("Conv2D", "Pooling2D")
    faulty = (
        """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(3, 224, 224)), layers.Conv2D(8, 3, padding="same")])
""",
    )
    clean = (
        """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(224, 224, 3)), layers.Conv2D(8, 3)])
""",
        """\
import keras
from keras import layers

model = keras.Sequential(
    [keras.Input(shape=(3, 224, 224)), layers.Conv2D(8, 3, data_format="channels_first", padding="same")]
)
""",
        """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(1, 128, 6)), layers.Conv2D(8, (1, 3))])
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.mentions(("channels_first", "image_data_format", "image_dim_ordering", "permute", "Permute")):
            return
        for operation in program.calls(*_CONVOLUTIONS):
            layer, value = operation.receiver, operation.argument(0)
            shape = value.shape if isinstance(value, Tensor) else None
            if isinstance(layer, Layer) and shape is not None and _channels_first(shape):
                message = f"{layer.name} expects channels last, but its input of shape {show(shape)} has channels first"
                yield self.finding(program, operation.node, message, layer=layer.name)


def _channels_first(shape: Shape) -> bool:
    if len(shape) != 4:
        return False
    channels, height, width = shape[1:]
    return channels in {1, 3} and isinstance(height, int) and height == width and height >= 16
