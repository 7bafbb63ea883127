"""retraced-function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class RetracedFunction(Rule):
    """A loop passes its Python counter to a ``tf.function``.

    ## What it finds
    A call of a function decorated with ``tf.function`` in a loop over ``range`` or ``enumerate``, where an argument
    is the loop variable itself.

    ## Why it hurts
    A Python number is a constant for the graph: every new value traces the whole function again. Each step then takes
    as long as the first one, and memory grows with every trace.

    ## Example
    ```python
    for step, batch in enumerate(batches):
        train_step(batch, step)
    ```

    ## Use instead
    ```python
    for step, batch in enumerate(batches):
        train_step(batch, tf.constant(step, tf.int64))
    ```

    ## Known problems
    Short loops are reported too, unless their length is a literal below six.

    ## Fix safety
    No fix is offered: the dtype of the tensor has to be chosen.

    ## References
    TensorFlow guide "Better performance with tf.function", section on retracing.
    """

    name = "retraced-function"
    severity = Severity.WARNING
    category = Category.API
    fix_pattern = FixPattern.PERFORMANCE
    groups = ("performance",)
    words = ("function",)
    faulty = (
        """\
import tensorflow as tf

@tf.function
def train_step(batch, step):
    tf.summary.scalar("loss", tf.reduce_mean(batch), step=step)

def train(batches):
    for step, batch in enumerate(batches):
        train_step(batch, step)
""",
    )
    clean = (
        """\
import tensorflow as tf

@tf.function
def train_step(batch, step):
    tf.summary.scalar("loss", tf.reduce_mean(batch), step=step)

def train(batches):
    for step, batch in enumerate(batches):
        train_step(batch, tf.constant(step, tf.int64))
    for batch in batches:
        train_step(batch, 0)
""",
        """\
import tensorflow as tf

@tf.function(input_signature=[tf.TensorSpec(None), tf.TensorSpec([], tf.int64)])
def train_step(batch, step):
    return step

def plain(step):
    return step

def train(batches):
    for step, batch in enumerate(batches):
        train_step(batch, step)
        plain(step)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        traced = {
            node.name: node
            for node in program.nodes[ast.FunctionDef]
            if isinstance(node, ast.FunctionDef) and _traced(program, node)
        }
        if not traced:
            return
        for operation in program.prefixed("call "):
            name = operation.name.removeprefix("call ")
            if name not in traced or not isinstance(operation.node, ast.Call):
                continue
            counters = _counters(program, operation.node)
            passed = next(
                (arg for arg in operation.node.args if isinstance(arg, ast.Name) and arg.id in counters), None
            )
            if passed is not None:
                message = f"every new value of the Python number {passed.id} traces {name} again; pass a tensor"
                yield self.finding(program, passed, message)


def _traced(program: Program, node: ast.FunctionDef) -> bool:
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if program.names.qualified(called) == "tensorflow.function":
            options = decorator.keywords if isinstance(decorator, ast.Call) else []
            return not any(keyword.arg in {"input_signature", "reduce_retracing"} for keyword in options)
    return False


def _counters(program: Program, node: ast.AST) -> set[str]:
    """Counters of the loops around a node, inside its own function."""
    found: set[str] = set()
    current = program.parents.get(node)
    while current is not None and not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if (
            isinstance(current, ast.For)
            and isinstance(current.iter, ast.Call)
            and isinstance(current.iter.func, ast.Name)
        ):
            target = current.target
            if current.iter.func.id == "enumerate" and isinstance(target, ast.Tuple):
                target = target.elts[0]
            if (
                current.iter.func.id in {"enumerate", "range"}
                and isinstance(target, ast.Name)
                and not _short(current.iter)
            ):
                found.add(target.id)
        current = program.parents.get(current)
    return found


def _short(call: ast.Call) -> bool:
    return any(
        isinstance(part, ast.Constant) and isinstance(part.value, int) and part.value < 6 for part in call.args[:1]
    )
