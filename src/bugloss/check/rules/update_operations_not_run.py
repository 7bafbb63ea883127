"""update-operations-not-run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of, method_of


class UpdateOperationsNotRun(Rule):
    """The moving statistics of batch normalization are never updated.

    ## What it finds
    TensorFlow 1 code with ``tf.layers.batch_normalization(…, training=…)`` (or ``tf.contrib.layers.batch_norm``)
    and an optimizer's ``minimize``, without ``tf.GraphKeys.UPDATE_OPS``.

    ## Why it hurts
    In graph mode the updates of mean and variance are operations of their own, which only run where the training
    operation depends on them. Without that, inference normalises with mean 0 and variance 1.

    ## Example
    ```python
    h = tf.layers.batch_normalization(h, training=is_training)
    train = optimizer.minimize(loss)
    ```

    ## Use instead
    ```python
    h = tf.layers.batch_normalization(h, training=is_training)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = optimizer.minimize(loss)
    ```

    ## Known problems
    A program that runs the updates by hand under another name is reported.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    TensorFlow 1 documentation of ``tf.layers.batch_normalization``.
    """

    name = "update-operations-not-run"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("tf1",)
    words = ("batch_norm",)
    faulty = (
        """\
import tensorflow as tf

h = tf.layers.dense(x, 8)
h = tf.layers.batch_normalization(h, training=is_training)
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import tensorflow as tf

h = tf.layers.dense(x, 8)
h = tf.layers.batch_normalization(h, training=is_training)
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)
""",
    }
    clean = (
        """\
import tensorflow as tf

h = tf.layers.batch_normalization(tf.layers.dense(x, 8), training=is_training)
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)
""",
        """\
import tensorflow as tf

h = tf.layers.batch_normalization(tf.layers.dense(x, 8), training=False)
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.mentions(("UPDATE_OPS", "update_ops", "get_updates_for", ".updates", "create_train_op")):
            return
        normalised = [call for call in program.called("batch_normalization", "batch_norm") if _trains(program, call)]
        for call in program.called("minimize", "apply_gradients") if normalised else ():
            message = (
                "the updates of batch normalization are not run: put this under tf.control_dependencies(UPDATE_OPS)"
            )
            yield self.finding(program, call, message, fix=_after_updates(program, call))
            return


def _after_updates(program: Program, call: ast.Call) -> Fix | None:
    """The statement under ``tf.control_dependencies``."""
    statement = program.enclosing(call, ast.stmt)
    root = next((short for short, full in program.names.imported.items() if full == "tensorflow"), "")
    if not isinstance(statement, ast.Assign | ast.Return | ast.Expr) or not root:
        return None
    if statement.lineno != statement.end_lineno:
        return None
    indentation = " " * program.span(statement).column
    with_line = f"with {root}.control_dependencies({root}.get_collection({root}.GraphKeys.UPDATE_OPS)):"
    text = f"{with_line}\n{indentation}    {program.source.segment(statement)}"
    return replace_node(program, statement, text, "run the updates of batch normalization with each step")


def _trains(program: Program, call: ast.Call) -> bool:
    """Whether a normalization of TensorFlow 1 is in training mode, at least sometimes."""
    name = program.names.qualified(call.func) or ""
    if name not in {"tensorflow.layers.batch_normalization", "tensorflow.contrib.layers.batch_norm"}:
        return False
    if is_constant(keyword_of(call, "updates_collections"), None):
        return False
    given = keyword_of(call, "training") or keyword_of(call, "is_training")
    default = method_of(call) == "batch_norm"
    return not is_constant(given, False) if given is not None else default
