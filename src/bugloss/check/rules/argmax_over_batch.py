"""argmax-over-batch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, argument_node, replace_node
from bugloss.check.views.evaluation import network_names
from bugloss.check.views.training_loops import loops_around
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, method_of
from bugloss.source.training.loss_calls import last_assigned

_FUNCTIONS = {"torch.argmax", "torch.max", "numpy.argmax", "tensorflow.argmax", "tensorflow.math.argmax"}


class ArgmaxOverBatch(Rule):
    """The predicted class is searched among the samples instead of the classes.

    ## What it finds
    ``argmax`` or ``max`` over axis 0 of a network's output, in a loop over batches or on ``model.predict(…)``.

    ## Why it hurts
    The result has one index per class, each naming a sample: the accuracy is computed from nonsense, or the comparison
    fails because the shapes differ.

    ## Example
    ```python
    for x, y in loader:
        prediction = model(x).argmax(dim=0)
    ```

    ## Use instead
    ```python
    for x, y in loader:
        prediction = model(x).argmax(dim=1)
    ```

    ## Known problems
    Outputs of single samples, outside of a loop over batches, are not reported.

    ## Fix safety
    Suggested: axis 1 is used.

    ## References
    PyTorch documentation, torch.argmax.
    """

    name = "argmax-over-batch"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.ACCURACY_METRIC
    groups = ("metric",)
    words = ("max",)
    faulty = (
        """\
import torch

def accuracy(model, loader):
    for x, y in loader:
        prediction = model(x).argmax(dim=0)
        print((prediction == y).float().mean())
""",
        """\
import torch

def accuracy(model, loader):
    for x, y in loader:
        output = model(x)
        _, prediction = torch.max(output, 0)
        print((prediction == y).float().mean())
""",
        """\
import keras
import numpy as np

def accuracy(model, x_test, y_test):
    prediction = np.argmax(model.predict(x_test), axis=0)
    return np.mean(prediction == y_test)
""",
    )
    clean = (
        """\
import torch

def accuracy(model, loader):
    for x, y in loader:
        prediction = model(x).argmax(dim=1)
        best = model(x)[0].argmax(0)

def single(model, x):
    return model(x).argmax(0)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("argmax", "max"):
            function = (program.names.qualified(call.func) or "") in _FUNCTIONS
            value = call.args[0] if function and call.args else None
            if not function and isinstance(call.func, ast.Attribute):
                value = call.func.value
            axis = argument_node(call, 1 if function else 0, "dim", "axis")
            if value is not None and is_constant(axis, 0) and axis is not None and _is_batch_output(program, value):
                message = f"{method_of(call)} over axis 0 compares samples: the classes are on axis 1"
                yield self.finding(
                    program, axis, message, fix=replace_node(program, axis, "1", "use the axis of classes")
                )


def _is_batch_output(program: Program, value: ast.expr) -> bool:
    source: ast.expr | None = value
    statement = program.enclosing(value, ast.stmt)
    if isinstance(value, ast.Name) and isinstance(statement, ast.stmt):
        assigned = last_assigned(program, value.id, statement)
        source = assigned.value if assigned is not None else None
    while isinstance(source, ast.Call) and method_of(source) in {"cpu", "detach", "numpy", "softmax"}:
        source = source.func.value if isinstance(source.func, ast.Attribute) else None
    if not isinstance(source, ast.Call):
        return False
    if method_of(source) == "predict" and "keras" in program.frameworks:
        return isinstance(source.args[0] if source.args else None, ast.Name)
    loops = [loop for loop in loops_around(program, value) if isinstance(loop, ast.For) and _over_batches(loop)]
    return dotted(source.func) in network_names(program) and bool(loops)


def _over_batches(loop: ast.For) -> bool:
    iterated = loop.iter
    while isinstance(iterated, ast.Call) and method_of(iterated) in {"enumerate", "tqdm"} and iterated.args:
        iterated = iterated.args[0]
    return "load" in dotted(iterated).lower()
