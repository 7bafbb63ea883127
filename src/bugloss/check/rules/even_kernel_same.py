"""even-kernel-same."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.values.values import Items, Layer, Value, integer_of


class EvenKernelSame(Rule):
    """A kernel of even size with same padding shifts the feature map.

    ## What it finds
    A convolution with stride one, "same" padding and a kernel of even size.

    ## Why it hurts
    An even kernel has no centre. "Same" padding adds one more pixel on one side, so every such layer shifts the
    feature map by half a pixel.

    ## Example
    ```python
    Conv2D(16, 4, padding="same")
    ```

    ## Use instead
    ```python
    Conv2D(16, 3, padding="same")
    ```

    ## Known problems
    Transposed and strided convolutions, where even kernels are common, are not reported.

    ## Fix safety
    No fix is offered: the kernel size depends on the task.

    ## References
    Wu et al., Convolution with even-sized kernels and symmetric padding (2019).
    """

    name = "even-kernel-same"
    severity = Severity.ADVICE
    category = Category.MODEL
    fix_pattern = FixPattern.LAYER_DIMENSION
    groups = ("style",)
    words = ("same", "SAME")
    faulty = (
        """\
from keras.layers import Conv2D

layer = Conv2D(16, 4, padding="same")
""",
        """\
from torch import nn

layer = nn.Conv2d(3, 16, kernel_size=(2, 2), padding="same")
""",
    )
    clean = (
        """\
from keras.layers import Conv2D, Conv2DTranspose

layers = [Conv2D(16, 3, padding="same"), Conv2D(16, 4), Conv2D(16, 4, strides=2, padding="same")]
up = Conv2DTranspose(8, 4, strides=2, padding="same")
""",
        """\
from torch import nn

def make(size):
    return nn.Conv2d(3, 16, kernel_size=size, padding="same")
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in (*program.prefixed("keras.layers.Conv"), *program.prefixed("torch.nn.Conv")):
            layer = operation.result
            if (
                not isinstance(layer, Layer)
                or "Transpose" in layer.name
                or (layer.text("padding") or "").lower() != "same"
            ):
                continue
            stride = layer.arguments.get("strides", layer.arguments.get("stride"))
            size = _last(layer.arguments.get("kernel_size"))
            if size is not None and size % 2 == 0 and (stride is None or _last(stride) == 1):
                message = f"a kernel of {size} with same padding shifts the feature map by half a pixel"
                yield self.finding(program, operation.node, message)


def _last(value: Value | None) -> int | None:
    if isinstance(value, Items):
        return integer_of(value.items[-1]) if value.items else None
    return None if value is None else integer_of(value)
