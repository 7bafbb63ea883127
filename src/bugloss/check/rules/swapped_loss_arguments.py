"""swapped-loss-arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule
from bugloss.check.views.evaluation import network_names
from bugloss.core.finding import Finding, Fix, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import swap_nodes
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted
from bugloss.source.training.loss_calls import LossCall, last_assigned, loss_calls


class SwappedLossArguments(Rule):
    """A loss gets the target where it expects the prediction.

    ## What it finds
    A cross-entropy, likelihood or divergence loss of PyTorch called with (target, prediction), or one of Keras with
    (prediction, target).

    ## Why it hurts
    These losses are not symmetric. PyTorch stops with a confusing message about shapes or types, or silently
    computes another quantity; Keras does the latter.

    ## Example
    ```python
    loss = F.cross_entropy(labels, model(images))
    ```

    ## Use instead
    ```python
    loss = F.cross_entropy(model(images), labels)
    ```

    ## Known problems
    Squared and absolute errors are symmetric and left alone; so are losses whose kind is not known.

    ## Fix safety
    Suggested: the two arguments change places.

    ## References
    PyTorch documentation, torch.nn.CrossEntropyLoss; Keras documentation, Losses (y_true, y_pred).
    """

    name = "swapped-loss-arguments"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loss",)
    words = ("torch", "keras")
    faulty = (
        """\
import torch
import torch.nn.functional as F

def train(model, loader, optimizer):
    for images, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(labels, model(images))
        loss.backward()
        optimizer.step()
""",
        """\
import keras

loss_function = keras.losses.BinaryCrossentropy()

def step(model, images, labels):
    logits = model(images)
    return loss_function(logits, labels)
""",
    )
    clean = (
        """\
import torch
from torch import nn

criterion = nn.CrossEntropyLoss()
squared = nn.MSELoss()

def train(model, loader):
    for images, labels in loader:
        outputs = model(images)
        yield criterion(outputs, labels) + squared(labels, outputs)
""",
        """\
import torch.nn.functional as F

def distil(student, teacher, images):
    target = teacher(images)
    return F.kl_div(student(images).log_softmax(1), target.softmax(1)) + F.cross_entropy(target, target.argmax(1))
""",
        """\
import keras

loss_function = keras.losses.BinaryCrossentropy()

def step(model, images, labels):
    logits = model(images)
    return loss_function(labels, logits)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch
import torch.nn.functional as F

def train(model, loader, optimizer):
    for images, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for loss in loss_calls(program):
            if loss.symmetric or len(loss.call.args) != 2:
                continue
            first, second = loss.call.args
            prediction, target = (first, second) if loss.prediction_first else (second, first)
            if _is_target(program, prediction, loss) and _is_prediction(program, target, loss):
                wanted = "the prediction first" if loss.prediction_first else "the target first"
                message = f"{loss.kind} takes {wanted}, but gets {ast.unparse(first)} and {ast.unparse(second)}"
                yield self.finding(program, loss.call, message, fix=_fix(program, first, second))


_TARGETS = {
    "y",
    "yb",
    "target",
    "targets",
    "label",
    "labels",
    "y_true",
    "truth",
    "ground_truth",
    "gt",
    "y_batch",
    "batch_y",
}
_PREDICTIONS = {"output", "outputs", "out", "pred", "preds", "prediction", "predictions", "logits", "y_pred", "y_hat"}


def _is_target(program: Program, node: ast.expr, loss: LossCall) -> bool:
    """A plain name that is called so and does not come out of a network."""
    if not isinstance(node, ast.Name) or node.id.lower() not in _TARGETS:
        return False
    assigned = last_assigned(program, node.id, loss.statement)
    return assigned is None or not _runs_network(program, assigned.value)


def _is_prediction(program: Program, node: ast.expr, loss: LossCall) -> bool:
    if isinstance(node, ast.Name):
        assigned = last_assigned(program, node.id, loss.statement)
        if assigned is not None:
            return _runs_network(program, assigned.value)
        return node.id.lower() in _PREDICTIONS
    return _runs_network(program, node)


def _runs_network(program: Program, node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func) in network_names(program)


def _fix(program: Program, first: ast.expr, second: ast.expr) -> Fix:
    return Fix(Safety.SUGGESTED, "swap the two arguments", swap_nodes(program, first, second))
