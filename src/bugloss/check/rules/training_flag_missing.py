"""training-flag-missing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, add_argument
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import calls_in, dotted, keyword_of, spreads, walk


class TrainingFlagMissing(Rule):
    """A model is called in inference mode inside a training step.

    ## What it finds
    ``model(x)`` without ``training=True`` under ``tf.GradientTape``, where the file builds Keras layers that behave
    differently in training: dropout and batch normalisation.

    ## Why it hurts
    Outside of ``fit`` the default is inference: dropout does nothing, and batch normalisation uses its initial
    statistics and never updates them.

    ## Example
    ```python
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    ```

    ## Use instead
    ```python
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    ```

    ## Known problems
    Files without such layers are not reported, and neither are steps that take gradients of anything but the model's
    variables, or models that are attributes: ``fit`` may set their mode.

    ## Fix safety
    Suggested: ``training=True`` is added.

    ## References
    Keras guide, "Writing a training loop from scratch".
    """

    name = "training-flag-missing"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("GradientTape",)
    faulty = (
        """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)])

def step(x, y, loss_fn, optimizer):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
""",
    )
    clean = (
        """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dropout(0.5), tf.keras.layers.Dense(1)])

def step(x, y, loss_fn, optimizer):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))

def saliency(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        score = model(x)
    return tape.gradient(score, x)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if not program.called("Dropout", "BatchNormalization", "SpatialDropout2D", "GaussianNoise"):
            return
        for gradient in program.called("gradient"):
            trained = _trained(gradient)
            home = program.enclosing(gradient, ast.FunctionDef) or program.tree
            for block in (node for node in walk(home) if isinstance(node, ast.With) and _records(node)):
                for call in calls_in(block.body, *(name.rsplit(".", 1)[-1] for name in trained)):
                    plain = len(call.args) == 1 and not spreads(call) and keyword_of(call, "training") is None
                    if dotted(call.func) in trained and plain:
                        message = f"{dotted(call.func)} runs in inference mode here: pass training=True"
                        fix = add_argument(program, call, "training=True", "run in training mode")
                        yield self.finding(program, call, message, fix=fix)


def _records(node: ast.With) -> bool:
    return any(
        isinstance(item.context_expr, ast.Call) and bool(calls_in(item.context_expr, "GradientTape"))
        for item in node.items
    )


def _trained(call: ast.Call) -> set[str]:
    """``model`` of ``tape.gradient(loss, model.trainable_variables)``."""
    variables = call.args[1] if len(call.args) > 1 else None
    return {
        dotted(node.value)
        for node in (walk(variables) if variables is not None else ())
        if isinstance(node, ast.Attribute)
        and node.attr in {"trainable_variables", "trainable_weights"}
        and isinstance(node.value, ast.Name)
    }
