"""regularization-not-added."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, suggested
from bugloss.core.edit import Edit
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import insert_after
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, last_part, method_of, receiver_of, targets_of, walk, written


class RegularizationNotAdded(Rule):
    """A training step written by hand leaves out the regularization of the layers.

    ## What it finds
    A gradient tape, or a ``train_step`` that computes its loss itself, in a program whose layers have a
    ``kernel_regularizer``, ``bias_regularizer`` or ``activity_regularizer``, where nothing reads ``model.losses``.

    ## Why it hurts
    Keras adds regularization losses in ``fit`` only. In a loop of one's own they are not part of the loss unless
    ``model.losses`` is added, so that the regularizer has no effect.

    ## Example
    ```python
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    ```

    ## Use instead
    ```python
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True)) + sum(model.losses)
    ```

    ## Known problems
    ``compute_loss`` and ``compiled_loss`` with ``regularization_losses`` are accepted.

    ## Fix safety
    No fix is offered: the name of the model may differ.

    ## References
    Keras guide, Writing a training loop from scratch: handling of losses tracked by the model.
    """

    name = "regularization-not-added"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.REGULARIZATION
    groups = ("loss",)
    words = ("regularizer",)
    faulty = (
        """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(8, kernel_regularizer="l2"), tf.keras.layers.Dense(1)])
loss_fn = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.Adam()

def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(8, kernel_regularizer="l2"), tf.keras.layers.Dense(1)])
loss_fn = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.Adam()

def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
        loss = loss + sum(model.losses)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
""",
    }
    clean = (
        """\
import tensorflow as tf

encoder = tf.keras.Sequential([tf.keras.layers.Dense(8)])
probe = tf.keras.Sequential([tf.keras.layers.Dense(2, kernel_regularizer="l2")])
probe.compile("adam", "mse")
optimizer = tf.keras.optimizers.Adam()

def block(x, kernel_regularizer=None):
    return tf.keras.layers.Dense(8, kernel_regularizer=kernel_regularizer)(x)

def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(encoder(x) - y))
    gradients = tape.gradient(loss, encoder.trainable_variables)
    optimizer.apply_gradients(zip(gradients, encoder.trainable_variables))
""",
        """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(8, kernel_regularizer="l2"), tf.keras.layers.Dense(1)])
loss_fn = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.Adam()

def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True)) + tf.add_n(model.losses)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
""",
        """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(8, kernel_regularizer=None), tf.keras.layers.Dense(1)])

def step(x, y, loss_fn):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    return tape.gradient(loss, model.trainable_variables)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if not _regularized(program) or _adds_losses(program):
            return
        for node in program.nodes[ast.With]:
            tape = isinstance(node, ast.With) and any(
                method_of(item.context_expr) == "GradientTape" for item in node.items
            )
            if not tape or not isinstance(node, ast.With):
                continue
            for statement in node.body:
                target = statement.targets[0] if isinstance(statement, ast.Assign) else None
                if target is not None and "loss" in last_part(target):
                    message = "the regularization of the layers is missing: add sum(model.losses)"
                    fix = suggested(_added(program, node, statement, target))
                    yield self.finding(program, statement, message, fix=fix)
                    return


def _added(program: Program, tape: ast.With, statement: ast.stmt, target: ast.expr) -> Edit | None:
    """The penalties of the model whose gradients are taken, added to its loss."""
    function = program.enclosing(tape, ast.FunctionDef) or program.tree
    read = [node for node in walk(function) if isinstance(node, ast.Attribute) and node.attr == "trainable_variables"]
    models = {written(node.value) for node in read}
    if len(models) != 1:
        return None
    name = written(target)
    return insert_after(program, statement, f"{name} = {name} + sum({next(iter(models))}.losses)")


def _adds_losses(program: Program) -> bool:
    """Whether the losses that the layers collect are read, directly or by Keras itself."""
    read = [node for node in program.nodes[ast.Attribute] if isinstance(node, ast.Attribute) and node.attr == "losses"]
    own = any("keras" not in written(node.value) and written(node.value) != "tf" for node in read)
    return own or program.mentions(("compute_loss", "compiled_loss", "get_regularization_loss"))


def _regularized(program: Program) -> bool:
    """Whether a layer of a model that Keras does not train itself gets a regularizer."""
    return any(
        item.arg is not None
        and item.arg.endswith("_regularizer")
        and not is_constant(item.value, None)
        and last_part(item.value) != item.arg  # handed through by a function whose default is none
        and not any(isinstance(part, ast.Attribute) and part.attr == "losses" for part in walk(item))
        and not _is_in_compiled_model(program, node)
        for node in program.nodes[ast.Call]
        for item in getattr(node, "keywords", ())
    )


def _is_in_compiled_model(program: Program, layer: ast.AST) -> bool:
    """Whether the statement with the layer makes a model, by its name, that is compiled: ``fit`` adds its losses."""
    statement = program.enclosing(layer, ast.stmt)
    names = {dotted(target) for target in targets_of(statement)} if isinstance(statement, ast.Assign) else set()
    compiled = {
        dotted(receiver_of(node))
        for node in program.nodes[ast.Call]
        if isinstance(node, ast.Call) and method_of(node) == "compile"
    }
    return bool(names & compiled)
