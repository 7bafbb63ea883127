"""initializer-before-optimizer."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import move_after
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program


class InitializerBeforeOptimizer(Rule):
    """Variables are initialized before the optimizer creates its own.

    ## What it finds
    TensorFlow 1 code that creates ``tf.global_variables_initializer()`` before ``minimize`` or ``apply_gradients``
    is called.

    ## Why it hurts
    The operation initializes the variables that exist when it is created. Momentum and Adam create more, so the
    first training step fails with an uninitialized value.

    ## Example
    ```python
    init = tf.global_variables_initializer()
    train = tf.train.AdamOptimizer().minimize(loss)
    ```

    ## Use instead
    ```python
    train = tf.train.AdamOptimizer().minimize(loss)
    init = tf.global_variables_initializer()
    ```

    ## Known problems
    Plain gradient descent creates no variables and is not reported.

    ## Fix safety
    Suggested: the initializer moves behind the training operation.

    ## References
    TensorFlow 1 documentation of ``tf.global_variables_initializer``.
    """

    name = "initializer-before-optimizer"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("tf1",)
    words = ("_variables(", "variables_initializer(")
    faulty = (
        """\
import tensorflow as tf

loss = tf.reduce_mean(tf.square(y - tf.layers.dense(x, 1)))
init = tf.global_variables_initializer()
train = tf.train.AdamOptimizer(0.01).minimize(loss)
""",
    )
    clean = (
        """\
import tensorflow as tf

loss = tf.reduce_mean(tf.square(y - tf.layers.dense(x, 1)))
train = tf.train.AdamOptimizer(0.01).minimize(loss)
init = tf.global_variables_initializer()
""",
        """\
import tensorflow as tf

loss = tf.reduce_mean(tf.square(y - tf.layers.dense(x, 1)))
init = tf.global_variables_initializer()
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        makers = program.called("global_variables_initializer", "initialize_all_variables")
        steps = program.called("minimize", "apply_gradients")
        if not program.mentions(("AdamOptimizer", "MomentumOptimizer", "RMSPropOptimizer", "AdagradOptimizer")):
            return
        for call in makers:
            if (program.names.qualified(call.func) or "").split(".")[0] != "tensorflow":
                continue
            same = [step for step in steps if scope_of(program, step) is scope_of(program, call)]
            others = [one for one in makers if same and one.lineno > same[-1].lineno]
            if same and call.lineno < same[0].lineno and not others:
                statement, step = program.enclosing(call, ast.stmt), program.enclosing(same[-1], ast.stmt)
                alone = isinstance(statement, ast.Assign) and isinstance(step, ast.stmt)
                fix = suggested(move_after(program, statement, step)) if alone else None  # type: ignore[arg-type]
                message = (
                    "variables of the optimizer are created later and stay uninitialized: initialize after minimize()"
                )
                yield self.finding(program, call, message, fix=fix)
