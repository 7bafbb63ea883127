"""trainable-changed-after-compile."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.edit import Edit
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import insert_after
from bugloss.source.program import Program
from bugloss.source.values.values import Items, Layer, Model, Operation, Tensor, Value


class TrainableChangedAfterCompile(Rule):
    """``trainable`` is changed after ``compile``, without compiling again.

    ## What it finds
    An assignment to ``trainable`` of a network or of its layers between ``compile`` and ``fit``.

    ## Why it hurts
    Keras collects the weights to train when the network is compiled. A later change of ``trainable`` has no effect on
    training until ``compile`` is called again: layers that should be fine-tuned stay frozen.

    ## Example
    ```python
    model.compile("adam", "mse")
    base.trainable = True
    model.fit(x, y)
    ```

    ## Use instead
    ```python
    base.trainable = True
    model.compile("adam", "mse")
    model.fit(x, y)
    ```

    ## Known problems
    Adversarial training freezes the discriminator after compiling it on purpose; it calls ``train_on_batch``, which
    is not checked.

    ## Fix safety
    No fix is offered: the learning rate of the second phase usually changes too.

    ## References
    Keras guide on transfer learning: call compile again after changing trainable.
    """

    name = "trainable-changed-after-compile"
    severity = Severity.WARNING
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ()
    words = ("trainable",)
    faulty = (
        """\
import keras
from keras import layers

base = keras.applications.VGG16(include_top=False, pooling="avg")
base.trainable = False
model = keras.Sequential([base, layers.Dense(1)])
model.compile("adam", "mse")

def train(x, y):
    model.fit(x, y)
    base.trainable = True
    model.fit(x, y)
""",
    )
    clean = (
        """\
import keras
from keras import layers

base = keras.applications.VGG16(include_top=False, pooling="avg")
base.trainable = False
model = keras.Sequential([base, layers.Dense(1)])
model.compile("adam", "mse")

def train(x, y):
    model.fit(x, y)
    base.trainable = True
    model.compile(keras.optimizers.Adam(1e-5), "mse")
    model.fit(x, y)
""",
        """\
import keras
from keras import layers

critic = keras.Sequential([layers.Dense(1)])
critic.compile("adam", "mse")
critic.trainable = False

def train(x, y):
    critic.train_on_batch(x, y)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        changes: list[Operation] = []
        compiled: ast.AST | None = None
        for operation in program.operations:
            if operation.name == "Model.compile":
                changes, compiled = [], operation.node
            elif operation.name == "setattr" and operation.text(1) == "trainable" and compiled is not None:
                changes.append(operation)
            elif operation.name == "Model.fit":
                for change in changes:
                    if _concerns(change.receiver, operation.receiver):
                        message = "trainable is changed after compile and has no effect on fit: compile again"
                        fix = suggested(_compiled_again(program, compiled, change.node))
                        yield self.finding(program, change.node, message, fix=fix)
                changes = []


def _compiled_again(program: Program, compiled: ast.AST | None, change: ast.AST) -> Edit | None:
    """The call of ``compile`` once more after the change; or that of the function which compiles."""
    statement = program.enclosing(change, ast.stmt) if not isinstance(change, ast.stmt) else change
    if not isinstance(compiled, ast.expr) or not isinstance(statement, ast.stmt):
        return None
    function = program.enclosing(compiled, ast.FunctionDef)
    if function is program.enclosing(statement, ast.FunctionDef):
        return insert_after(program, statement, program.source.segment(compiled))
    calls = [call for call in program.called(getattr(function, "name", "")) if call.lineno < statement.lineno]
    alone = [call for call in calls if isinstance(program.parents.get(call), ast.Expr)]
    return insert_after(program, statement, program.source.segment(alone[-1])) if alone else None


def _concerns(owner: Value, model: Value) -> bool:
    """Whether a changed network or layer is the fitted one or a part of it."""
    if not isinstance(model, Model):
        return False
    if owner is model or (isinstance(owner, Layer) and owner in model.layers):
        return True
    return isinstance(owner, Model) and (_is_behind(owner, model) or any(part in model.layers for part in owner.layers))


def _is_behind(owner: Model, model: Model) -> bool:
    """Whether the outputs of one network lie on the way to those of the other."""
    wanted, seen = {id(owner), *(id(output) for output in owner.outputs)}, set[int]()
    waiting = list(model.outputs)
    while waiting:
        value = waiting.pop()
        if id(value) in wanted:
            return True
        if id(value) not in seen and isinstance(value, (Tensor, Items)):
            seen.add(id(value))
            waiting += value.inputs if isinstance(value, Tensor) else value.items
    return False
