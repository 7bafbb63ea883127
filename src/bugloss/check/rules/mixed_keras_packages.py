"""mixed-keras-packages."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.releases.checked_release import keras_release
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program

_PARTS = ("keras.Sequential", "keras.Model", "keras.Input")


class MixedKerasPackages(Rule):
    """Layers of ``keras`` and ``tf.keras`` are combined.

    ## What it finds
    A file that creates layers, models or optimizers from both ``keras`` and ``tensorflow.keras`` (or ``tf_keras``).

    ## Why it hurts
    The two packages can be different releases with different base classes. A layer of one package is not a layer for
    the other: building the model raises type errors, or weights are silently not tracked.

    ## Example
    ```python
    from keras.layers import Dense
    import tensorflow as tf
    model = tf.keras.Sequential([Dense(1)])
    ```

    ## Use instead
    ```python
    import tensorflow as tf
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    ```

    ## Known problems
    With TensorFlow 2.16 and later both names refer to the same package unless TF_USE_LEGACY_KERAS is set. Data sets,
    callbacks and utilities may be mixed and are not reported.

    ## Fix safety
    No fix is offered: which package is meant depends on what the author intends.

    ## References
    Keras 3 migration guide.
    """

    name = "mixed-keras-packages"
    severity = Severity.WARNING
    category = Category.API
    fix_pattern = FixPattern.VERSIONING
    groups = ("version",)
    words = ("keras",)
    faulty = (
        """\
import tensorflow as tf
from keras.layers import Dense

model = tf.keras.Sequential([Dense(1)])
""",
    )
    clean = (
        """\
import tensorflow as tf
from keras.datasets import mnist
from keras.utils import to_categorical

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
""",
        """\
try:
    from tensorflow.keras.layers import Dense
    from tensorflow.keras import Sequential
except ImportError:
    from keras.layers import Dense
    from keras import Sequential

model = Sequential([Dense(1)])
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        release = keras_release(program)
        if release is not None and release >= (3, 0):
            return
        first: tuple[str, str] | None = None
        made = [*program.prefixed("keras.layers."), *program.calls(*_PARTS), *program.prefixed("keras.optimizers.")]
        for operation in sorted(made, key=lambda one: (one.node.lineno, one.node.col_offset)):
            written = program.names.raw(operation.node.func) if isinstance(operation.node, ast.Call) else None
            package = _package(written)
            if written is None or package is None:
                continue
            if first is not None and package != first[0]:
                yield self.finding(
                    program,
                    operation.node,
                    f"{written} is combined with {first[1]} of another Keras package",
                )
                return
            first = first or (package, written)


def _package(name: str | None) -> str | None:
    """``keras``, ``tf_keras`` or ``tensorflow``."""
    if name is None or not name.startswith(("keras.", "tf_keras.", "tensorflow.")):
        return None
    return name.split(".", 1)[0]
