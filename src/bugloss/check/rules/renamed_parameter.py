"""renamed-parameter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule
from bugloss.check.releases.parameter_use import outdated_parameters, renamed_keyword
from bugloss.check.releases.removal import TITLES
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class RenamedParameter(Rule):
    """An argument is passed under its old name.

    ## What it finds
    Keyword arguments that were renamed and whose old name the target release does not accept: ``nb_epoch``,
    ``border_mode``, ``output_dim`` of Keras 1, ``keep_dims`` and ``dim`` of TensorFlow 1, ``interpolation`` of
    NumPy's percentiles.

    ## Why it hurts
    The call raises a TypeError about an unexpected keyword argument.

    ## Example
    ```python
    model.fit(x, y, nb_epoch=10)
    ```

    ## Use instead
    ```python
    model.fit(x, y, epochs=10)
    ```

    ## Known problems
    Arguments that are passed with ``**`` are not checked. Without a ``--target`` or a pin the newest release is
    assumed, and the finding is a warning.

    ## Fix safety
    Safe where only the name changed; where the meaning changed too (samples became batches), only the message names
    the replacement.

    ## References
    Keras 2.0 release notes; TensorFlow 2 migration guide; NumPy release notes.
    """

    name = "renamed-parameter"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.VERSIONING
    groups = ("version",)
    faulty = (
        """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential()
model.add(Dense(output_dim=1, input_dim=4, init="uniform"))
model.compile("sgd", "mse")
model.fit(x, y, nb_epoch=10)
""",
        "import tensorflow as tf\n\ntotal = tf.reduce_sum(tf.ones((2, 3)), axis=1, keep_dims=True)\n",
        "import numpy as np\n\nhalf = np.percentile([1, 2, 3], 50, interpolation='lower')\n",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential()
model.add(Dense(units=1, input_dim=4, kernel_initializer="uniform"))
model.compile("sgd", "mse")
model.fit(x, y, epochs=10)
""",
        1: "import tensorflow as tf\n\ntotal = tf.reduce_sum(tf.ones((2, 3)), axis=1, keepdims=True)\n",
        2: "import numpy as np\n\nhalf = np.percentile([1, 2, 3], 50, method='lower')\n",
    }
    clean = (
        "from keras.layers import Dense\n\nlayer = Dense(units=1, kernel_initializer='uniform')\n",
        "import tensorflow.compat.v1 as tf\n\ntotal = tf.reduce_sum(tf.ones((2, 3)), keep_dims=True)\n",
        "import keras\nfrom training import Trainer\n\nTrainer().train(nb_epoch=10)\n",
        "import torch\n\nx = torch.nn.functional.softmax(torch.ones(2, 3), dim=1)\n",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for use in outdated_parameters(program):
            if not use.is_gone or use.line is None or not use.line.new:
                continue
            since = f"{TITLES[use.release.package]} {use.line.removed}"
            remark = f" ({use.line.note})" if use.line.note else ""
            tail = use.function.rsplit(".", 1)[-1]
            message = f"{tail}() does not accept {use.keyword.arg} since {since}: use {use.line.new}{remark}"
            severity = None if use.release.known else Severity.ADVICE
            yield self.finding(program, use.keyword, message, fix=renamed_keyword(program, use), severity=severity)
