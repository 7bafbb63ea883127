"""step-not-counted."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import add_argument
from bugloss.source.program import Program
from bugloss.source.text.syntax import keyword_of, method_of, written


class StepNotCounted(Rule):
    """A decay of the learning rate follows a step counter that nobody increases.

    ## What it finds
    ``exponential_decay`` and other schedules of TensorFlow 1 with a ``global_step`` while ``minimize`` or
    ``apply_gradients`` gets no ``global_step``.

    ## Why it hurts
    The counter stays at zero, so the learning rate never decays.

    ## Example
    ```python
    rate = tf.train.exponential_decay(0.1, global_step, 1000, 0.9)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss)
    ```

    ## Use instead
    ```python
    rate = tf.train.exponential_decay(0.1, global_step, 1000, 0.9)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=global_step)
    ```

    ## Known problems
    A counter that the program increases itself is recognised if it uses ``assign_add`` or ``assign``, or feeds a
    placeholder.

    ## Fix safety
    Suggested: the counter is passed.

    ## References
    TensorFlow 1 documentation of ``tf.train.exponential_decay``.
    """

    name = "step-not-counted"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.OPTIMIZER
    groups = ("loop",)
    words = ("_decay(", "cosine_decay", "piecewise_constant")
    faulty = (
        """\
import tensorflow as tf

global_step = tf.Variable(0, trainable=False)
rate = tf.train.exponential_decay(0.1, global_step, 1000, 0.9)
train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss)
""",
    )
    clean = (
        """\
import tensorflow as tf

step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.1, step, 1000, 0.9)
train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.mentions(("assign_add", ".assign(", "increment_global_step")):
            return
        for schedule in program.called(*_SCHEDULES):
            step = keyword_of(schedule, "global_step") or _counter(schedule)
            if step is None or not (program.names.qualified(schedule.func) or "").startswith("tensorflow"):
                continue
            trained = program.called("minimize", "apply_gradients")
            counted = any(keyword_of(call, "global_step") is not None or len(call.args) > 1 for call in trained)
            if trained and not counted and method_of(definition(program, step)) != "placeholder":
                message = f"{written(step)} is never increased, so the rate never decays: pass it as global_step"
                fix = suggested(add_argument(program, trained[0], f"global_step={written(step)}"))
                yield self.finding(program, trained[0], message, fix=fix)
                return


_SCHEDULES = (
    "exponential_decay",
    "polynomial_decay",
    "inverse_time_decay",
    "natural_exp_decay",
    "cosine_decay",
    "piecewise_constant",
)


def _counter(schedule: ast.Call) -> ast.expr | None:
    at = 0 if method_of(schedule) == "piecewise_constant" else 1
    return schedule.args[at] if len(schedule.args) > at else None
