"""random-in-traced-function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import functions_by_name
from bugloss.source.program import Program
from bugloss.source.text.syntax import FunctionNode, dotted, receiver_of, walk, written


class RandomInTracedFunction(Rule):
    """A random number of NumPy or Python is drawn once, when TensorFlow traces the function.

    ## What it finds
    ``np.random`` or ``random`` in a function that is decorated with ``tf.function`` or passed to ``Dataset.map``.

    ## Why it hurts
    Such a function runs once to build a graph. The number becomes a constant: every sample gets the same
    augmentation, every step the same noise.

    ## Example
    ```python
    def augment(image, label):
        return image * np.random.uniform(0.8, 1.2), label

    dataset = dataset.map(augment)
    ```

    ## Use instead
    ```python
    def augment(image, label):
        return image * tf.random.uniform([], 0.8, 1.2), label

    dataset = dataset.map(augment)
    ```

    ## Known problems
    A function that is also called through ``tf.py_function`` is reported when it is mapped directly as well.

    ## Fix safety
    No fix is offered.

    ## References
    TensorFlow guide, Better performance with tf.function: Python side effects.
    """

    name = "random-in-traced-function"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("data",)
    words = ("random",)
    faulty = (
        """\
import numpy as np
import tensorflow as tf

def augment(image, label):
    if np.random.rand() < 0.5:
        image = tf.image.flip_left_right(image)
    return image, label

def pipeline(x, y):
    return tf.data.Dataset.from_tensor_slices((x, y)).map(augment).batch(32)
""",
        """\
import random
import tensorflow as tf

@tf.function
def step(model, x):
    return model(x * random.uniform(0.9, 1.1))
""",
    )
    clean = (
        """\
import numpy as np
import tensorflow as tf

def augment(image, label):
    if tf.random.uniform([]) < 0.5:
        image = tf.image.flip_left_right(image)
    return image, label

def draw(x):
    return np.random.rand(*x.shape)

def pipeline(x, y):
    order = list(map(draw, x))
    data = tf.data.Dataset.from_tensor_slices((x, y)).map(augment)
    return data.map(lambda a, b: (tf.numpy_function(draw, [a], tf.float64), b))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "tensorflow" not in program.names.roots:
            return
        for traced in _traced(program):
            for call in walk(traced):
                name = (
                    (program.names.qualified(call.func) or "")
                    if isinstance(call, ast.Call) and dotted(call.func)
                    else ""
                )
                if name.startswith(("numpy.random.", "random.")) and not name.endswith(
                    ("seed", "RandomState", "default_rng")
                ):
                    message = f"{name} is drawn once, when the function is traced: use tf.random"
                    yield self.finding(program, call, message)
                    break


def _traced(program: Program) -> Iterator[ast.AST]:
    """Functions that TensorFlow turns into graphs."""
    for functions in functions_by_name(program).values():
        for function in functions:
            if any("tf.function" in written(one) or "def_function" in written(one) for one in function.decorator_list):
                yield function
    for call in program.called("map"):
        given = call.args[0] if call.args and receiver_of(call) is not None else None
        if isinstance(given, ast.Lambda):
            yield given
        elif isinstance(given, ast.Name):
            yield from (one for one in functions_by_name(program).get(given.id, ()) if isinstance(one, FunctionNode))
