"""repeated-initialization."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import children, walk


class RepeatedInitialization(Rule):
    """Variables are re-initialised in every training step.

    ## What it finds
    A TensorFlow 1 initialiser that is run in the same loop as the training operation.

    ## Why it hurts
    Every iteration starts from new random weights: the next one discards what a step has learned.

    ## Example
    ```python
    for step in range(1000):
        session.run(tf.global_variables_initializer())
        session.run(train)
    ```

    ## Use instead
    ```python
    session.run(tf.global_variables_initializer())
    for step in range(1000):
        session.run(train)
    ```

    ## Known problems
    A loop over folds or repetitions, with the training loop inside it, re-initialises on purpose and is not reported.

    ## Fix safety
    No fix is offered: the line has to be moved in front of the right loop.

    ## References
    NeuraLint (Nikanjam et al., 2021), multiple initialisations.
    """

    name = "repeated-initialization"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.INITIALIZATION
    groups = ("neuralint", "tf1")
    words = ("initializer", "initialize_all")
    faulty = (
        """\
import tensorflow as tf

loss = tf.reduce_sum(tf.Variable(tf.ones([3])))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
    for step in range(1000):
        session.run(tf.global_variables_initializer())
        session.run(train)
""",
    )
    clean = (
        """\
import tensorflow as tf

loss = tf.reduce_sum(tf.Variable(tf.ones([3])))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(1000):
        session.run(train)
""",
        """\
import tensorflow as tf

def validate(folds, train):
    with tf.Session() as session:
        for fold in folds:
            session.run(tf.global_variables_initializer())
            for step in range(1000):
                session.run(train)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        names = ("global_variables_initializer", "initialize_all_variables")
        for operation in program.calls(*(f"tensorflow.{name}" for name in names)):
            loop = program.enclosing(operation.node, ast.For, ast.While, ast.FunctionDef)
            if isinstance(loop, (ast.For, ast.While)) and _runs_more(loop, operation.node):
                yield self.finding(
                    program, operation.node, "the variables are re-initialised in every iteration of this loop"
                )


def _runs_more(loop: ast.For | ast.While, initialiser: ast.AST) -> bool:
    """Whether the loop itself, not one inside it, runs something else in the session."""
    waiting: list[ast.AST] = list(loop.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.For, ast.While, ast.FunctionDef)):
            continue
        runs = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "run"
        if runs and not any(part is initialiser for part in walk(node)):
            return True
        waiting += children(node)
    return False
