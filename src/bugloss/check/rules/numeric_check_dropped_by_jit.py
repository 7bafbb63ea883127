"""numeric-check-dropped-by-jit."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class NumericCheckDroppedByJit(Rule):
    """A numeric check is in a function that is compiled with XLA.

    ## What it finds
    ``tf.debugging.check_numerics``, ``tf.debugging.assert_*`` or ``tf.Assert`` in a function decorated with
    ``tf.function(jit_compile=True)``.

    ## Why it hurts
    XLA has no operation that aborts a running program: assertions are dropped when the function is compiled. The
    check looks active, but NaN passes it.

    ## Example
    ```python
    @tf.function(jit_compile=True)
    def loss(x):
        tf.debugging.assert_all_finite(x, "input")
        return tf.reduce_mean(x)
    ```

    ## Use instead
    Check outside the compiled function, on its inputs and results:
    ```python
    tf.debugging.assert_all_finite(x, "input")
    value = loss(x)
    ```

    ## Known problems
    ``jit_compile`` that is enabled by ``compile`` or by the environment is not detected.

    ## Fix safety
    No fix is offered.

    ## References
    TensorFlow issues 59215 and 117319.
    """

    name = "numeric-check-dropped-by-jit"
    severity = Severity.WARNING
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("numeric",)
    words = ("debugging", "Assert")
    faulty = (
        """\
import tensorflow as tf

@tf.function(jit_compile=True)
def loss(x):
    tf.debugging.assert_all_finite(x, "input")
    return tf.reduce_mean(x)
""",
    )
    clean = (
        """\
import tensorflow as tf

@tf.function
def loss(x):
    tf.debugging.assert_all_finite(x, "input")
    return tf.reduce_mean(x)
""",
        """\
import tensorflow as tf

@tf.function(jit_compile=True)
def loss(x):
    return tf.reduce_mean(x)

def with_check(x):
    tf.debugging.assert_all_finite(x, "input")
    return loss(x)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in (*program.prefixed("tensorflow.debugging."), *program.calls("tensorflow.Assert")):
            short = operation.name.rsplit(".", 1)[-1]
            if not short.lower().startswith(("assert", "check_numerics", "is_finite")):
                continue
            function = program.enclosing(operation.node, ast.FunctionDef)
            if isinstance(function, ast.FunctionDef) and any(_compiled(program, d) for d in function.decorator_list):
                yield self.finding(program, operation.node, f"XLA drops {short} when it compiles {function.name}")


def _compiled(program: Program, decorator: ast.expr) -> bool:
    if not isinstance(decorator, ast.Call) or program.names.qualified(decorator.func) != "tensorflow.function":
        return False
    return any(
        keyword.arg in {"jit_compile", "experimental_compile"}
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value is True
        for keyword in decorator.keywords
    )
