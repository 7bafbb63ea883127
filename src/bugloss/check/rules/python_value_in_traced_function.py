"""python-value-in-traced-function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import functions_by_name
from bugloss.source.program import Program
from bugloss.source.text.syntax import FunctionNode, last_part, targets_of, walk, written


class PythonValueInTracedFunction(Rule):
    """A Python number that changes during training is read in a traced function, where it stays what it was.

    ## What it finds
    An attribute or global that is assigned a plain number at first and again in a loop or a callback, and is read
    inside a function decorated with ``tf.function`` or a ``train_step`` of Keras.

    ## Why it hurts
    TensorFlow runs the Python code of such a function once. The number of that moment becomes part of the graph:
    the schedule for the weight of a loss term is printed and has no effect.

    ## Example
    ```python
    self.beta = 0.0

    @tf.function
    def train_step(self, x):
        loss = reconstruction + self.beta * kl
    ```

    ## Use instead
    ```python
    self.beta = tf.Variable(0.0, trainable=False)   # changed by self.beta.assign(value)

    @tf.function
    def train_step(self, x):
        loss = reconstruction + self.beta * kl
    ```

    ## Known problems
    A function that is traced again for another reason reads the new value then.

    ## Fix safety
    Suggested for an attribute: its first value becomes a variable; the assignments must become ``assign`` as well.

    ## References
    TensorFlow guide, Better performance with tf.function: accessing Python global and free variables.
    """

    name = "python-value-in-traced-function"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loss",)
    words = ("tf.function", "train_step")
    faulty = (
        """\
import tensorflow as tf

class Trainer:
    def __init__(self, model):
        self.model = model
        self.beta = 0.0

    @tf.function
    def train_step(self, x):
        with tf.GradientTape() as tape:
            loss = self.model(x) + self.beta * tf.reduce_sum(x)
        return tape.gradient(loss, self.model.trainable_variables)

trainer = Trainer(model)
for epoch in range(10):
    trainer.beta = min(1.0, epoch / 5)
    for x in data:
        trainer.train_step(x)
""",
    )
    clean = (
        """\
import tensorflow as tf

class Trainer:
    def __init__(self, model):
        self.model = model
        self.beta = tf.Variable(0.0, trainable=False)
        self.scale = 0.5

    @tf.function
    def train_step(self, x):
        with tf.GradientTape() as tape:
            loss = self.model(x) + self.beta * self.scale * tf.reduce_sum(x)
        return tape.gradient(loss, self.model.trainable_variables)

trainer = Trainer(model)
for epoch in range(10):
    trainer.beta.assign(min(1.0, epoch / 5))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if not program.names.roots & {"tensorflow", "keras"}:
            return
        plain = _plain_numbers(program)
        for function in _traced(program):
            for part in walk(function):
                name = last_part(part) if isinstance(part, ast.Attribute | ast.Name) else ""
                read = isinstance(getattr(part, "ctx", None), ast.Load)
                if read and name in plain and _set_again(program, name, plain[name], function):
                    message = f"{name} is a Python number: this graph keeps its first value. Make it a tf.Variable"
                    related = ((program.span(part), "read here, while the function is traced"),)
                    yield self.finding(program, plain[name], message, related=related)
                    return


def _plain_numbers(program: Program) -> dict[str, ast.Assign]:
    """Names whose first value is a plain number."""
    found: dict[str, ast.Assign] = {}
    for node in program.nodes[ast.Assign]:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and _is_attribute(node):
            value = node.value.value
            if isinstance(value, int | float) and not isinstance(value, bool):
                found.setdefault(last_part(node.targets[0]), node)
    return found


def _is_attribute(node: ast.Assign) -> bool:
    return len(node.targets) == 1 and isinstance(node.targets[0], ast.Attribute)


def _traced(program: Program) -> list[FunctionNode]:
    """Functions that TensorFlow traces: decorated ones, and the training step of a Keras model."""
    return [
        function
        for functions in functions_by_name(program).values()
        for function in functions
        if any("tf.function" in written(one) for one in function.decorator_list) or _is_keras_step(program, function)
    ]


def _is_keras_step(program: Program, function: FunctionNode) -> bool:
    owner = program.parents.get(function)
    bases = [written(base) for base in owner.bases] if isinstance(owner, ast.ClassDef) else []
    return function.name in {"train_step", "compute_loss"} and any("Model" in base for base in bases)


def _set_again(program: Program, name: str, first: ast.Assign, function: FunctionNode) -> bool:
    """Whether the name gets another value outside of the function, on an object rather than a new local variable."""
    inside = set(map(id, walk(function)))
    for kind in (ast.Assign, ast.AugAssign):
        for node in program.nodes[kind]:
            home = program.enclosing(node, ast.FunctionDef)
            made = isinstance(home, ast.FunctionDef) and home.name == "__init__"
            if node is first or id(node) in inside or made:
                continue
            if any(isinstance(one, ast.Attribute) and one.attr == name for one in targets_of(node)):
                return True
    return False
