"""loss-outside-tape."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import move_after, move_before
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, last_part, loads, receiver_of, walk, walk_here
from bugloss.source.training.loss_calls import last_assigned


class LossOutsideTape(Rule):
    """The loss is computed where no gradient tape records.

    ## What it finds
    ``tape.gradient(loss, …)`` where the loss, or the output of the model that it is made of, is computed outside of the
    ``with tf.GradientTape() as tape`` block.

    ## Why it hurts
    The tape knows nothing of these operations: all gradients are None, and the optimizer stops with "No gradients
    provided for any variable".

    ## Example
    ```python
    prediction = model(x)
    with tf.GradientTape() as tape:
        loss = loss_fn(y, prediction)
    gradients = tape.gradient(loss, model.trainable_variables)
    ```

    ## Use instead
    ```python
    with tf.GradientTape() as tape:
        prediction = model(x)
        loss = loss_fn(y, prediction)
    gradients = tape.gradient(loss, model.trainable_variables)
    ```

    ## Known problems
    Only values that are assigned in the same function are followed.

    ## Fix safety
    Suggested: the line moves into the block.

    ## References
    TensorFlow guide, "Introduction to gradients and automatic differentiation".
    """

    name = "loss-outside-tape"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("GradientTape",)
    faulty = (
        """\
import tensorflow as tf

def step(model, x, y, loss_fn, optimizer):
    prediction = model(x, training=True)
    with tf.GradientTape() as tape:
        loss = loss_fn(y, prediction)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
""",
        """\
import tensorflow as tf

def step(model, x, y, loss_fn, optimizer):
    with tf.GradientTape() as tape:
        prediction = model(x, training=True)
    loss = loss_fn(y, prediction)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
""",
    )
    clean = (
        """\
import tensorflow as tf

def step(model, x, y, loss_fn, optimizer):
    with tf.GradientTape() as tape:
        prediction = model(x, training=True)
        loss = loss_fn(y, prediction)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
""",
        """\
import tensorflow as tf

def saliency(model, images):
    target = model(images)
    with tf.GradientTape() as tape:
        tape.watch(images)
        score = model(images)
        loss = tf.reduce_mean((score - target) ** 2)
    return tape.gradient(loss, images)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import tensorflow as tf

def step(model, x, y, loss_fn, optimizer):
    with tf.GradientTape() as tape:
        prediction = model(x, training=True)
        loss = loss_fn(y, prediction)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("gradient"):
            tape, loss = dotted(receiver_of(call)), call.args[0] if call.args else None
            block = _recording(program, call, tape)
            statement = program.enclosing(call, ast.stmt)
            if block is None or not isinstance(loss, ast.Name) or not isinstance(statement, ast.stmt):
                continue
            made = last_assigned(program, loss.id, statement)
            if made is None:
                continue
            if not _inside(block, made):
                edit = move_after(program, made, block.body[-1]) if made.lineno > block.lineno else None
                message = f"{loss.id} is computed outside of the tape: its gradients are None; move it into the block"
                yield self.finding(program, made, message, fix=suggested(edit))
            else:
                yield from self._prediction(program, call, block, made)

    def _prediction(self, program: Program, call: ast.Call, block: ast.With, made: ast.Assign) -> Iterator[Finding]:
        """The output of a model that comes from before the block, where no model runs inside."""
        trained = _trained(call)
        runs = {last_part(node.func) for node in walk_here(block.body) if isinstance(node, ast.Call)}
        if not trained or runs & trained:
            return
        for name in sorted(loads(made.value)):
            earlier = last_assigned(program, name, block)
            value = earlier.value if earlier is not None else None
            if earlier is not None and isinstance(value, ast.Call) and last_part(value.func) in trained:
                message = (
                    f"{name} is computed before the tape records: no gradient reaches the model; move it into the block"
                )
                fix = suggested(move_before(program, earlier, block.body[0]))
                yield self.finding(program, earlier, message, fix=fix)


def _trained(call: ast.Call) -> set[str]:
    """``model`` of ``tape.gradient(loss, model.trainable_variables)``."""
    variables = call.args[1] if len(call.args) > 1 else None
    return {
        last_part(node.value)
        for node in (walk(variables) if variables is not None else ())
        if isinstance(node, ast.Attribute) and node.attr in {"trainable_variables", "trainable_weights", "variables"}
    }


def _recording(program: Program, call: ast.Call, tape: str) -> ast.With | None:
    """The block of the tape, where exactly one in the function makes it."""
    function = program.enclosing(call, ast.FunctionDef, ast.AsyncFunctionDef) or program.tree
    found = [
        node
        for node in walk(function)
        if isinstance(node, ast.With)
        and any(dotted(item.optional_vars) == tape for item in node.items)
        and "GradientTape" in "".join(last_part(getattr(item.context_expr, "func", None)) for item in node.items)
    ]
    return found[0] if len(found) == 1 and tape else None


def _inside(block: ast.With, node: ast.stmt) -> bool:
    return block.lineno <= node.lineno <= (block.end_lineno or block.lineno)
