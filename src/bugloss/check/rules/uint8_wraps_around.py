"""uint8-wraps-around."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import call_on
from bugloss.source.program import Program
from bugloss.source.values.values import Tensor, Value, integer_of


class Uint8WrapsAround(Rule):
    """Small unsigned integers go below zero and wrap around.

    ## What it finds
    A subtraction from an array of ``uint8`` (images, or labels that a data set gives as bytes) with a whole number or
    another ``uint8`` array.

    ## Why it hurts
    0 - 1 is 255 in this type. Differences of images and shifted labels silently become large positive numbers.

    ## Example
    ```python
    x_train = (x_train - 128) / 128
    ```

    ## Use instead
    ```python
    x_train = (x_train.astype("float32") - 128) / 128
    ```

    ## Known problems
    Only arrays whose dtype is known are looked at.

    ## Fix safety
    Suggested: the array is converted first.

    ## References
    NumPy documentation, "Data types: overflow errors".
    """

    name = "uint8-wraps-around"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.DATA_TYPE
    groups = ("dtype",)
    words = ("mnist", "cifar", "uint8")
    faulty = (
        """\
import keras

(x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data()
x_train = (x_train - 128) / 128
""",
        """\
import keras

(x_train, y_train), (x_test, y_test) = keras.datasets.cifar10.load_data()
y_train = y_train - 1
""",
    )
    clean = (
        """\
import keras

(x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data()
x_train = (x_train.astype("float32") - 128) / 128
x_test = (x_test - 127.5) / 127.5
inverted = 255 - x_train
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls("operator.sub"):
            left, right = operation.positional
            if _is_bytes(left) and (_is_bytes(right) or (integer_of(right) or 0) > 0):
                node = operation.node.left if isinstance(operation.node, ast.BinOp) else None
                cast = "float()" if isinstance(left, Tensor) and left.library == "torch" else 'astype("float32")'
                fix = suggested(call_on(program, node, cast)) if node is not None else None
                message = "this array is uint8: results below zero wrap around to 255; convert it first"
                yield self.finding(program, operation.node, message, fix=fix)


def _is_bytes(value: Value) -> bool:
    return isinstance(value, Tensor) and value.dtype == "uint8" and value.library in {"numpy", "torch"}
