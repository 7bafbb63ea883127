"""dropout-fed-in-evaluation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import keyword_of, last_part, method_of, walk


class DropoutFedInEvaluation(Rule):
    """Dropout is active while a TensorFlow 1 network is evaluated.

    ## What it finds
    A ``feed_dict`` with a keep probability below 1, or a rate or training flag that is on, in a call that runs an
    accuracy or a prediction and no training operation.

    ## Why it hurts
    Part of the units is switched off at random: predictions are noisy and the reported score is too low.

    ## Example
    ```python
    accuracy.eval(feed_dict={x: x_test, y: y_test, keep_prob: 0.5})
    ```

    ## Use instead
    ```python
    accuracy.eval(feed_dict={x: x_test, y: y_test, keep_prob: 1.0})
    ```

    ## Known problems
    Monte-Carlo dropout is reported.

    ## Fix safety
    Suggested for a keep probability: it becomes 1.0.

    ## References
    TensorFlow 1 documentation of ``tf.nn.dropout``.
    """

    name = "dropout-fed-in-evaluation"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.REGULARIZATION
    groups = ("loop",)
    words = ("feed_dict",)
    faulty = (
        """\
import tensorflow as tf

train_op = tf.train.AdamOptimizer(1e-3).minimize(loss)
with tf.Session() as sess:
    sess.run(train_op, feed_dict={x: x_train, y: y_train, keep_prob: 0.5})
    print(sess.run(accuracy, feed_dict={x: x_test, y: y_test, keep_prob: 0.5}))
""",
    )
    clean = (
        """\
import tensorflow as tf

train_op = tf.train.AdamOptimizer(1e-3).minimize(loss)
with tf.Session() as sess:
    sess.run([train_op, accuracy], feed_dict={x: x_train, y: y_train, keep_prob: 0.5})
    print(sess.run(accuracy, feed_dict={x: x_test, y: y_test, keep_prob: 1.0}))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("run", "eval"):
            at = 1 if method_of(call) == "run" else 0
            feed = keyword_of(call, "feed_dict") or (call.args[at] if len(call.args) > at else None)
            fed = definition(program, feed) if feed is not None else None
            if not isinstance(fed, ast.Dict) or _runs_training(program, call) or not _is_evaluation(call):
                continue
            for key, value in zip(fed.keys, fed.values, strict=True):
                number = definition(program, value)
                if key is None or not isinstance(number, ast.Constant) or not _is_active(last_part(key), number.value):
                    continue
                keeps = _KEEP.search(last_part(key)) is not None
                fix = suggested(replace_node(program, value, "1.0")) if keeps else None
                yield self.finding(
                    program,
                    value,
                    f"dropout stays active here: feed {1.0 if keeps else 0} for {last_part(key)}",
                    fix=fix,
                )


_KEEP = re.compile(r"keep", re.IGNORECASE)
_RATE = re.compile(r"drop", re.IGNORECASE)
_MODE = re.compile(r"^(is_)?(training|train|train_mode|phase|phase_train|training_phase)$", re.IGNORECASE)
_RESULT = re.compile(r"acc|pred|prob|logits|output|score|error|auc|metric", re.IGNORECASE)


def _is_active(name: str, value: object) -> bool:
    if _MODE.match(name):
        return value is True
    if not isinstance(value, float):
        return False
    return 0 < value < 1 if _KEEP.search(name) or _RATE.search(name) else False


def _runs_training(program: Program, call: ast.Call) -> bool:
    names = [part for part in walk(call) if isinstance(part, ast.Name | ast.Attribute)]
    return any(
        method_of(definition(program, name)) in {"minimize", "apply_gradients", "group"} or "train" in last_part(name)
        for name in names
        if not _MODE.match(last_part(name)) and not _is_data(last_part(name))
    )


def _is_data(name: str) -> bool:
    return name.lower().startswith(("x", "y", "train_x", "train_y", "train_data", "train_labels"))


def _is_evaluation(call: ast.Call) -> bool:
    """Whether a result is asked for: a metric or a prediction."""
    asked = call.args[0] if method_of(call) == "run" and call.args else call.func
    return any(_RESULT.search(last_part(part)) for part in walk(asked) if isinstance(part, ast.Name | ast.Attribute))
