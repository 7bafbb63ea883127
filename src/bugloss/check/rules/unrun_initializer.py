"""unrun-initializer."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program

_INITIALIZERS = (
    "tensorflow.global_variables_initializer",
    "tensorflow.initialize_all_variables",
    "tensorflow.initializers.global_variables",
    "tensorflow.variables_initializer",
)
_OTHER_WAYS = (
    "initializer",
    "initialize_all",
    "restore(",
    "Supervisor",
    "MonitoredSession",
    "MonitoredTrainingSession",
    "Estimator",
    "Scaffold",
    "keras",
    "load(",
    ".load_",
    "import_meta_graph",
    "saved_model",
    "initialize",
)


class UnrunInitializer(Rule):
    """The variables of a TensorFlow 1 graph are never initialised.

    ## What it finds
    ``tf.global_variables_initializer()`` as a statement of its own, so that the operation is created but never run;
    and a file that creates variables and runs a session without any initializer.

    ## Why it hurts
    The first run that reads a variable raises "Attempting to use uninitialized value".

    ## Example
    ```python
    with tf.Session() as session:
        tf.global_variables_initializer()
        session.run(train_step)
    ```

    ## Use instead
    ```python
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train_step)
    ```

    ## Known problems
    Only files that create both the session and the variables are checked.

    ## Fix safety
    No fix is offered.

    ## References
    TensorFlow 1 documentation of ``tf.global_variables_initializer``.
    """

    name = "unrun-initializer"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("tf1", "neuralint")
    words = ("tensorflow",)
    faulty = (
        """\
import tensorflow as tf

w = tf.Variable(tf.zeros([3]))
with tf.Session() as session:
    tf.global_variables_initializer()
    session.run(w)
""",
        """\
import tensorflow.compat.v1 as tf

w = tf.get_variable("w", [3])
with tf.Session() as session:
    print(session.run(w))
""",
    )
    clean = (
        """\
import tensorflow as tf

w = tf.Variable(tf.zeros([3]))
init = tf.global_variables_initializer()
with tf.Session() as session:
    session.run(init)
    session.run(w)
""",
        """\
import tensorflow as tf

w = tf.Variable(tf.zeros([3]))
with tf.Session() as session:
    tf.train.Saver().restore(session, "model")
    session.run(w)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls(*_INITIALIZERS):
            if isinstance(program.parents.get(operation.node), ast.Expr):
                yield self.finding(
                    program, operation.node, "the initializer is created here but never run; pass it to session.run"
                )
        sessions = list(program.calls("tensorflow.Session", "tensorflow.InteractiveSession"))
        variables = list(program.calls("tensorflow.Variable", "tensorflow.get_variable"))
        if sessions and variables and not program.mentions(_OTHER_WAYS) and ".run(" in program.source.text:
            message = "variables are created and a session runs, but nothing in this file initialises them"
            yield self.finding(program, sessions[0].node, message)
