"""unfed-placeholder."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.lookback import ancestry
from bugloss.source.program import Program
from bugloss.source.values.values import Items, Operation, Tensor, Value


class UnfedPlaceholder(Rule):
    """A TensorFlow 1 session runs an operation whose placeholder is not fed.

    ## What it finds
    ``session.run(y)`` or ``session.run(y, feed_dict={…})`` with a literal dictionary, where ``y`` was computed from
    a placeholder of the same function that is not among the keys.

    ## Why it hurts
    TensorFlow raises "You must feed a value for placeholder tensor".

    ## Example
    ```python
    x = tf.placeholder(tf.float32, [3])
    y = 2 * x
    session.run(y)
    ```

    ## Use instead
    ```python
    session.run(y, feed_dict={x: [1.0, 2.0, 3.0]})
    ```

    ## Known problems
    Dictionaries that are built elsewhere are not checked.

    ## Fix safety
    No fix is offered.

    ## References
    TensorFlow 1 documentation of ``tf.placeholder``.
    """

    name = "unfed-placeholder"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("tf1",)
    words = ("placeholder",)
    faulty = (
        """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [3])
scale = tf.placeholder(tf.float32, [])
y = scale * x
with tf.Session() as sess:
    print(sess.run(y, feed_dict={x: [1.0, 2.0, 3.0]}))
""",
    )
    clean = (
        """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [3])
scale = tf.placeholder_with_default(2.0, [])
y = scale * x
with tf.Session() as sess:
    print(sess.run(y, feed_dict={x: [1.0, 2.0, 3.0]}))
    print(sess.run(tf.zeros([3])))
""",
        """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [3])
y = 2 * x

def run(sess, feed):
    return sess.run(y, feed) + sess.run(y, feed_dict={**feed})
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.methods("run"):
            node = operation.node
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or operation.starred:
                continue
            given = _given(node)
            if given is None or "sess" not in ast.unparse(node.func.value).lower():
                continue
            missing = sorted(_needed(program, operation) - given)
            if missing:
                yield self.finding(
                    program, node, f"this depends on the placeholder {missing[0]}, which is not in feed_dict"
                )


def _given(node: ast.Call) -> set[str] | None:
    """The keys of the fed dictionary as written; None when it is not a literal."""
    feed = next((keyword.value for keyword in node.keywords if keyword.arg == "feed_dict"), None)
    feed = node.args[1] if feed is None and len(node.args) > 1 else feed
    if feed is None:
        return set()
    if not isinstance(feed, ast.Dict) or None in feed.keys or not all(isinstance(key, ast.Name) for key in feed.keys):
        return None
    return {key.id for key in feed.keys if isinstance(key, ast.Name)}


def _needed(program: Program, operation: Operation) -> set[str]:
    """Names of the placeholders, made in the same function, that the fetched tensors were computed from."""
    owner = program.enclosing(operation.node, ast.FunctionDef)
    fetched = operation.argument(0, "fetches")
    values: list[Value] = fetched.items if isinstance(fetched, Items) else [fetched]
    names = set()
    for value in values:
        for part in ancestry(value) if isinstance(value, Tensor) else ():
            if part.made_by == "tensorflow.placeholder" and part.node is not None:
                target = program.parents.get(part.node)
                same = program.enclosing(part.node, ast.FunctionDef) is owner
                if same and isinstance(target, ast.Assign) and isinstance(target.targets[0], ast.Name):
                    names.add(target.targets[0].id)
    return names
