"""mixed-tensor-dtypes."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class MixedTensorDtypes(Rule):
    """Two TensorFlow tensors of different dtypes meet in one operation.

    ## What it finds
    Arithmetic or a matrix product of two TensorFlow tensors whose dtypes are known and differ.

    ## Why it hurts
    TensorFlow never converts one operand to the type of the other: the operation raises an error. The usual source
    of a ``float64`` is NumPy, whose arrays have it by default.

    ## Example
    ```python
    weights = tf.Variable(np.loadtxt("weights.txt"))
    y = tf.matmul(tf.zeros([4, 3]), weights)
    ```

    ## Use instead
    ```python
    weights = tf.Variable(np.loadtxt("weights.txt", dtype=np.float32))
    y = tf.matmul(tf.zeros([4, 3]), weights)
    ```

    ## Known problems
    ``tf.experimental.numpy.experimental_enable_numpy_behavior`` switches conversion on; files that mention it are
    left alone.

    ## Fix safety
    No edit is offered: which of the two should be cast is a choice.

    ## References
    TensorFlow guide "Introduction to Tensors", on dtypes.
    """

    name = "mixed-tensor-dtypes"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.DATA_TYPE
    groups = ("dtype",)
    words = ("tensorflow",)
    faulty = (
        """\
import numpy as np
import tensorflow as tf

weights = tf.Variable(np.loadtxt("weights.txt"))
y = tf.matmul(tf.zeros([4, 3]), weights)
""",
        """\
import tensorflow as tf

steps = tf.constant(3)
rate = tf.constant(0.5) * steps
""",
    )
    clean = (
        """\
import numpy as np
import tensorflow as tf

weights = tf.Variable(np.loadtxt("weights.txt", dtype=np.float32))
y = tf.matmul(tf.zeros([4, 3]), weights) * 2
""",
        """\
import numpy as np
import tensorflow as tf

scale = np.ones(3)
y = tf.zeros([4, 3]) * scale
z = tf.cast(tf.constant(3), tf.float32) * tf.constant(0.5)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.mentions(("experimental_enable_numpy_behavior",)):
            return
        for conflict in program.conflicts("dtype"):
            yield self.finding(program, conflict.node, conflict.message)
