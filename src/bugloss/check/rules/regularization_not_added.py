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
        """\
import keras
import tensorflow as tf

class Coder(keras.Model):
    def __init__(self):
        super().__init__()
        self.code = keras.layers.Dense(48, activation="relu", activity_regularizer=keras.regularizers.L1(0.005))
        self.back = keras.layers.Dense(80)

    def call(self, x):
        return self.back(self.code(x))

coder, optimizer, distance = Coder(), keras.optimizers.Adam(), keras.losses.MeanSquaredError()

@tf.function
def learn(x):
    with tf.GradientTape() as tape:
        error = distance(x, coder(x))
    changes = tape.gradient(error, coder.trainable_weights)
    optimizer.apply_gradients(zip(changes, coder.trainable_weights))
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
            for statement, gradient in _losses_of_tape(program, node) if isinstance(node, ast.With) else ():
                message = "the regularization of the layers is missing: add sum(model.losses)"
                fix = suggested(_added(program, statement, gradient))
                yield self.finding(program, statement, message, fix=fix)
                return


def _losses_of_tape(program: Program, tape: ast.With) -> Iterator[tuple[ast.Assign, ast.Call]]:
    """The last assignment to what a tape is asked the gradient of, and the call that asks."""
    names = {
        written(item.optional_vars)
        for item in tape.items
        if method_of(item.context_expr) == "GradientTape" and item.optional_vars is not None
    }
    for call in program.called("gradient"):
        receiver = receiver_of(call)
        if not call.args or receiver is None or written(receiver) not in names:
            continue
        made = [
            node
            for node in tape.body
            if isinstance(node, ast.Assign) and written(node.targets[0]) == written(call.args[0])
        ]
        if made and program.enclosing(call, ast.FunctionDef) is program.enclosing(tape, ast.FunctionDef):
            yield made[-1], call


def _added(program: Program, statement: ast.Assign, gradient: ast.Call) -> Edit | None:
    """The penalties of the model whose gradients are taken, added to its loss."""
    asked = gradient.args[1] if len(gradient.args) > 1 else None
    if not isinstance(asked, ast.Attribute) or asked.attr not in {"trainable_variables", "trainable_weights"}:
        return None
    name = written(statement.targets[0])
    return insert_after(program, statement, f"{name} = {name} + sum({written(asked.value)}.losses)")


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
