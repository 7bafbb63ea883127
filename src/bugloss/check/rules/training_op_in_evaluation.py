"""training-op-in-evaluation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import keyword_of, method_of, walk, written


class TrainingOpInEvaluation(Rule):
    """The training operation runs on the test data.

    ## What it finds
    ``sess.run`` whose fetches contain the result of ``minimize`` or ``apply_gradients`` and whose ``feed_dict``
    passes test or validation data.

    ## Why it hurts
    The network is trained on what it is to be judged by: the score looks excellent and says nothing.

    ## Example
    ```python
    acc, _ = sess.run([accuracy, train_op], feed_dict={x: x_test, y: y_test})
    ```

    ## Use instead
    ```python
    acc = sess.run(accuracy, feed_dict={x: x_test, y: y_test})
    ```

    ## Known problems
    Names decide what test data are.

    ## Fix safety
    No fix is offered.

    ## References
    TensorFlow 1 documentation of ``tf.Session.run``.
    """

    name = "training-op-in-evaluation"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = (".run(",)
    faulty = (
        """\
import tensorflow as tf

train_op = tf.train.AdamOptimizer(1e-3).minimize(loss)
with tf.Session() as sess:
    for epoch in range(10):
        sess.run(train_op, feed_dict={x: x_train, y: y_train})
    score, _ = sess.run([accuracy, train_op], feed_dict={x: x_test, y: y_test})
""",
    )
    clean = (
        """\
import tensorflow as tf

train_op = tf.train.AdamOptimizer(1e-3).minimize(loss)
with tf.Session() as sess:
    for epoch in range(10):
        sess.run(train_op, feed_dict={x: x_train, y: y_train})
    score = sess.run(accuracy, feed_dict={x: x_test, y: y_test})
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("run"):
            feed = keyword_of(call, "feed_dict") or (call.args[1] if len(call.args) > 1 else None)
            fed = definition(program, feed) if feed is not None else None
            if not call.args or fed is None or not _HELD_OUT.search(written(fed)):
                continue
            trained = [part for part in walk(call.args[0]) if isinstance(part, ast.Name) and _trains(program, part)]
            for name in trained[:1]:
                message = f"{name.id} trains on held-out data here: leave it out of the fetches"
                yield self.finding(program, call, message)


_HELD_OUT = re.compile(r"(test|valid|val)(_|\b)|_(test|valid|val)|\b(test|val)[XYxy]\b", re.IGNORECASE)


def _trains(program: Program, node: ast.Name) -> bool:
    return method_of(definition(program, node)) in {"minimize", "apply_gradients"}
