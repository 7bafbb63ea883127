"""graph-grows-in-loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import walk

_MAKERS = (
    "tensorflow.assign",
    "tensorflow.reduce_mean",
    "tensorflow.reduce_sum",
    "tensorflow.matmul",
    "tensorflow.argmax",
    "tensorflow.equal",
    "tensorflow.cast",
    "tensorflow.constant",
    "tensorflow.global_variables_initializer",
    "tensorflow.gradients",
    "tensorflow.square",
    "tensorflow.one_hot",
    "tensorflow.reshape",
    "tensorflow.Variable",
    "tensorflow.nn.softmax",
    "tensorflow.nn.relu",
    "tensorflow.concat",
    "tensorflow.stack",
)


class GraphGrowsInLoop(Rule):
    """A TensorFlow 1 loop creates new graph operations in every iteration.

    ## What it finds
    A loop that calls ``session.run`` and, in the same iteration, creates operations such as ``tf.assign`` or
    ``tf.reduce_mean``.

    ## Why it hurts
    Every call adds nodes to the graph, which are never removed: each iteration takes longer than the one before, and
    memory grows until it runs out.

    ## Example
    ```python
    for step in range(10000):
        session.run(tf.assign(rate, 0.9 * value))
    ```

    ## Use instead
    ```python
    new_rate = tf.placeholder(tf.float32, [])
    update = tf.assign(rate, new_rate)
    for step in range(10000):
        session.run(update, {new_rate: 0.9 * value})
    ```

    ## Known problems
    A loop that creates a new graph in every iteration is not reported.

    ## Fix safety
    No fix is offered.

    ## References
    TensorFlow 1 documentation of ``tf.Graph.finalize``.
    """

    name = "graph-grows-in-loop"
    severity = Severity.WARNING
    category = Category.API
    fix_pattern = FixPattern.PERFORMANCE
    groups = ("tf1", "performance")
    words = (".run",)
    faulty = (
        """\
import tensorflow as tf

rate = tf.Variable(1.0)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(10000):
        session.run(tf.assign(rate, 0.9))
""",
    )
    clean = (
        """\
import tensorflow as tf

rate = tf.Variable(1.0)
update = tf.assign(rate, 0.9)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(10000):
        session.run(update)
""",
        """\
import tensorflow as tf

def experiments(configurations):
    for configuration in configurations:
        tf.reset_default_graph()
        x = tf.constant(configuration)
        with tf.Session() as session:
            session.run(tf.square(x))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if not program.mentions(("Session(",)):
            return
        for operation in program.calls(*_MAKERS):
            loop = _nearest_loop(program, operation.node)
            if loop is None or "tensorflow" not in (
                program.names.raw(getattr(operation.node, "func", operation.node)) or ""
            ):
                continue
            text = program.source.segment(loop)
            if _runs(loop) and not any(word in text for word in ("Session(", "Graph(", "reset_default_graph")):
                name = operation.name.rsplit(".", 1)[-1]
                message = f"{name} adds a node to the graph in every iteration; create it once before the loop"
                yield self.finding(program, operation.node, message)


def _nearest_loop(program: Program, node: ast.AST) -> ast.For | ast.While | None:
    found = program.enclosing(node, ast.For, ast.While, ast.FunctionDef, ast.Lambda)
    return found if isinstance(found, (ast.For, ast.While)) else None


def _runs(loop: ast.For | ast.While) -> bool:
    """Whether the loop's own body runs a session: ``session.run`` or ``sess.run``."""
    return any(
        isinstance(part, ast.Call)
        and isinstance(part.func, ast.Attribute)
        and part.func.attr == "run"
        and "sess" in ast.unparse(part.func.value).lower()
        for statement in loop.body
        for part in walk(statement)
    )
