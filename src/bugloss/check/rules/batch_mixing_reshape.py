"""batch-mixing-reshape."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.values.shapes import product, show
from bugloss.source.values.values import Items, Tensor, Value, integers_of

_RESHAPES = ("Tensor.view", "Tensor.reshape", "torch.reshape", "tensorflow.reshape", "numpy.reshape")


class BatchMixingReshape(Rule):
    """A reshape mixes the samples of a batch.

    ## What it finds
    ``view(-1, k)`` on a batch whose samples have a known number of elements that is neither ``k`` nor a multiple of
    it.

    ## Why it hurts
    The rows no longer correspond to samples: parts of two samples share a row, and the batch size changes. An error
    is raised only if the number of elements is not divisible by ``k``.

    ## Example
    ```python
    x = pool(conv(images))     # (batch, 16, 4, 4): 256 numbers a sample
    x = x.view(-1, 400)
    ```

    ## Use instead
    ```python
    x = x.flatten(1)           # keeps the batch axis whatever the size
    ```

    ## Known problems
    Only shapes that can be derived from the source code are known.

    ## Fix safety
    No fix is offered: the next layer has to be changed too.

    ## References
    Nikanjam and others: Automatic fault detection for deep learning programs using graph transformations
    (NeuraLint), TOSEM 2021.
    """

    name = "batch-mixing-reshape"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.DATA_DIMENSION
    groups = ("shapeflow", "neuralint")
    words = ("view", "reshape")
    faulty = (
        """\
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(100, 16, 4, 4)), batch_size=10)
for (x,) in loader:
    rows = x.view(-1, 400)
""",
        """\
import tensorflow as tf

images = tf.placeholder(tf.float32, [None, 28, 28])
flat = tf.reshape(images, [-1, 28 * 29])
""",
    )
    clean = (
        """\
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(100, 16, 4, 4)), batch_size=10)
for (x,) in loader:
    rows = x.view(-1, 256)
    patches = x.view(-1, 16)
""",
        """\
import torch

def forward(x):
    return x.view(-1, 400)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls(*_RESHAPES):
            tensor = operation.receiver if isinstance(operation.receiver, Tensor) else operation.argument(0)
            if not isinstance(tensor, Tensor) or not tensor.shape or tensor.shape[0] != "batch":
                continue
            others = operation.positional if isinstance(operation.receiver, Tensor) else operation.positional[1:]
            width = _width(others)
            size = product(tensor.shape[1:])
            if size is not None and width is not None and width > 1 and size % width:
                message = (
                    f"a sample of shape {show(tensor.shape[1:])} has {size} elements, so rows of {width} mix samples"
                )
                yield self.finding(program, operation.node, message)


def _width(values: list[Value]) -> int | None:
    """``k`` of ``view(-1, k)``."""
    shape = integers_of(values[0] if len(values) == 1 and isinstance(values[0], Items) else Items(values))
    if shape is None or len(shape) < 2 or shape[0] != -1:
        return None
    return product(shape[1:])
