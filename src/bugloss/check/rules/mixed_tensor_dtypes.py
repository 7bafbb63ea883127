"""mixed-tensor-dtypes."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class MixedTensorDtypes(Rule):
    """An operation combines two TensorFlow tensors of different dtypes.

    ## What it finds
    Arithmetic or a matrix product of two TensorFlow tensors whose dtypes are known and differ.

    ## Why it hurts
    TensorFlow does not convert operands: the operation raises an error. A ``float64`` tensor usually comes from
    NumPy, where it is the default.

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
    ``tf.experimental.numpy.experimental_enable_numpy_behavior`` switches conversion on; files that mention it are not
    reported.

    ## Fix safety
    No fix is offered: either of the two can be cast.

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
