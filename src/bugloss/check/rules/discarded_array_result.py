"""discarded-array-result."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.values.values import Operation, Tensor

_METHODS = ("reshape", "astype", "transpose", "squeeze", "flatten", "ravel")
_FUNCTIONS = (
    "reshape",
    "transpose",
    "expand_dims",
    "squeeze",
    "ravel",
    "concatenate",
    "stack",
    "cast",
    "clip_by_value",
    "fliplr",
    "flipud",
    "flip",
    "rot90",
    "roll",
    "swapaxes",
    "moveaxis",
    "sort",
)
_DATASET = ("shuffle", "batch", "repeat", "map", "filter", "prefetch", "cache", "take", "skip")


class DiscardedArrayResult(Rule):
    """The result of a NumPy, TensorFlow or ``tf.data`` operation is not used.

    ## What it finds
    A statement that only calls ``x.reshape(…)``, ``x.astype(…)``, ``np.expand_dims(x, 0)``, ``tf.cast(…)`` or
    ``dataset.shuffle(…)``, without using what it returns.

    ## Why it hurts
    None of these functions changes its argument: the array keeps its shape and dtype, and the data set stays
    unshuffled.

    ## Example
    ```python
    x = np.zeros((60000, 784))
    x.reshape(-1, 28, 28, 1)
    ```

    ## Use instead
    ```python
    x = np.zeros((60000, 784))
    x = x.reshape(-1, 28, 28, 1)
    ```

    ## Known problems
    In notebooks a bare expression shows its value; notebooks are not checked.

    ## Fix safety
    Suggested: the result is assigned to the variable it was made from.

    ## References
    TensorFlow guide "tf.data: Build TensorFlow input pipelines"; NumPy documentation of ``numpy.ndarray.astype``.
    """

    name = "discarded-array-result"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("tensor",)
    faulty = (
        """\
import numpy as np

x = np.zeros((60000, 784))
x.reshape(-1, 28, 28, 1)
""",
        """\
import tensorflow as tf

def load(x, y):
    data = tf.data.Dataset.from_tensor_slices((x, y))
    data.shuffle(1000)
    return data.batch(32)
""",
        """\
import numpy as np

def augmented(image, boxes):
    if np.random.rand() < 0.5:
        np.flip(image, axis=1)
        boxes[:, 0] = 1 - boxes[:, 0]
    return image, boxes
""",
    )
    clean = (
        """\
import numpy as np
import tensorflow as tf

x = np.zeros((60000, 784))
x = x.reshape(-1, 28, 28, 1)
x.sort()
x.fill(0)
data = tf.data.Dataset.from_tensor_slices(x).shuffle(1000)
""",
        """\
import numpy as np

def show(frame, cards):
    frame.reshape(3)
    cards.shuffle()
    np.random.shuffle(frame)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import numpy as np

x = np.zeros((60000, 784))
x = x.reshape(-1, 28, 28, 1)
""",
        2: """\
import numpy as np

def augmented(image, boxes):
    if np.random.rand() < 0.5:
        image = np.flip(image, axis=1)
        boxes[:, 0] = 1 - boxes[:, 0]
    return image, boxes
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if program.source.path.endswith(".ipynb"):
            return
        names = [f"Tensor.{name}" for name in _METHODS]
        names += [f"{library}.{name}" for library in ("numpy", "tensorflow") for name in _FUNCTIONS]
        names += [f"tensorflow.data.Dataset.{name}" for name in _DATASET]
        for operation in program.calls(*names):
            statement = program.parents.get(operation.node)
            if not isinstance(statement, ast.Expr) or "out" in operation.keywords or _of_torch(operation):
                continue
            if program.enclosing(statement, ast.Try, ast.With) is not None:  # often a test that it raises
                continue
            name = operation.name.rsplit(".", 1)[-1]
            message = f"{name} does not change its argument, and its result is not used"
            yield self.finding(program, operation.node, message, fix=_kept(program, operation, statement))


def _of_torch(operation: Operation) -> bool:
    return isinstance(operation.receiver, Tensor) and operation.receiver.library != "numpy"


def _kept(program: Program, operation: Operation, statement: ast.Expr) -> Fix | None:
    node = operation.node
    owner = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    if isinstance(owner, ast.Name) and owner.id in program.names.imported and isinstance(node, ast.Call):
        owner = node.args[0] if node.args else None  # ``np.flip(image)`` works on its first argument
    if not isinstance(owner, ast.Name) or owner.id in program.names.imported:
        return None
    text = f"{owner.id} = {program.source.segment(node)}"
    return replace_node(program, statement, text, "assign the result")
