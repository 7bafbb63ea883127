"""silent-broadcast."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, argument_node, suggested
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.network.loss import spellings
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import call_on
from bugloss.source.lookback import short
from bugloss.source.program import Program
from bugloss.source.values.shapes import show
from bugloss.source.values.values import Layer, Loss, Model, Tensor, Value

_LOSSES = spellings(lambda row: row.framework == "torch" and row.regresses and row.elementwise)
_FUNCTIONS = tuple(f"torch.nn.functional.{name}" for name in _LOSSES if name.islower())
# Ways to write a second axis of length one on purpose.
_DELIBERATE = {"getitem", "unsqueeze", "reshape", "view", "expand_dims", "expand", "sum", "mean", "max", "min"}


class SilentBroadcast(Rule):
    """Predictions of shape (n, 1) and targets of shape (n) broadcast to (n, n).

    ## What it finds
    A difference or a regression loss between the output of a network with one output unit, of shape (n, 1), and a
    tensor with a single axis.

    ## Why it hurts
    Broadcasting computes an (n, n) matrix of every prediction minus every target. No error is raised, but the optimal
    prediction is then the same for every sample: the mean of the targets.

    ## Example
    ```python
    loss = ((model(x) - y) ** 2).mean()   # (n, 1) - (n)
    ```

    ## Use instead
    ```python
    loss = ((model(x).squeeze(1) - y) ** 2).mean()
    ```

    ## Known problems
    Only shapes that can be derived from the source code are known. An axis that was added by indexing, ``unsqueeze``
    or ``reshape`` is assumed to be intended.

    ## Fix safety
    No fix is offered: either side can be reshaped.

    ## References
    PyTorch warns in ``mse_loss``: "Using a target size that is different to the input size".
    """

    name = "silent-broadcast"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.DATA_DIMENSION
    groups = ("shapeflow", "loss")
    faulty = (
        """\
import torch

model = torch.nn.Linear(2, 1)
x, y = torch.randn(100, 2), torch.randn(100)
loss = ((model(x) - y) ** 2).mean()
""",
        """\
import torch
from torch.utils.data import DataLoader, TensorDataset

model = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
criterion = torch.nn.MSELoss()
loader = DataLoader(TensorDataset(torch.randn(100, 2), torch.randn(100)), batch_size=10)
for x, y in loader:
    loss = criterion(model(x), y)
""",
    )
    clean = (
        """\
import torch

model = torch.nn.Linear(2, 1)
x, y = torch.randn(100, 2), torch.randn(100)
loss = ((model(x).squeeze(1) - y) ** 2).mean() + ((model(x) - y.unsqueeze(1)) ** 2).mean()
""",
        """\
import torch

a, b = torch.randn(100), torch.randn(100)
distances = (a[:, None] - b).abs() + (a.unsqueeze(1) - b).abs()
""",
        """\
import torch

model = torch.nn.Linear(2, 1)
x = torch.randn(100, 2)
loss = (model(x) - torch.zeros(1)).mean() + (model(x) - x.mean()).mean() + (model(x) - torch.randn(100, 1)).mean()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in (
            *program.calls("operator.sub", "Loss.__call__", *_FUNCTIONS),
            *program.calls("tensorflow.subtract"),
        ):
            if isinstance(operation.receiver, Loss) and operation.receiver.kind not in _LOSSES:
                continue
            first, second = operation.argument(0, "input"), operation.argument(1, "target")
            for column, row in ((first, second), (second, first)):
                if _pairs_all(column, row):
                    assert isinstance(column, Tensor) and isinstance(row, Tensor)
                    message = f"{show(column.shape)} and {show(row.shape)} broadcast to a matrix of all pairs"
                    fix = _squeezed(program, operation.node, column is first, column)
                    yield self.finding(program, operation.node, message, fix=fix)


def _squeezed(program: Program, node: ast.AST, is_first: bool, column: Tensor) -> Fix | None:
    """The axis of one taken off the operand that has it."""
    if isinstance(node, ast.BinOp):
        given: ast.expr | None = node.left if is_first else node.right
    else:
        given = argument_node(node, 0 if is_first else 1, "input" if is_first else "target")
    if given is None or column.library not in {"torch", "numpy"}:
        return None
    return suggested(call_on(program, given, "squeeze(-1)"))


def _pairs_all(column: Value, row: Value) -> bool:
    """Whether one is a network's output (n, 1) and the other has the one axis (n)."""
    if not isinstance(column, Tensor) or not isinstance(row, Tensor) or column.rank != 2 or row.rank != 1:
        return False
    assert column.shape is not None and row.shape is not None
    if column.shape[1] != 1 or row.shape[0] == 1 or column.shape[0] == 1:
        return False
    return _from_network(column)


def _from_network(tensor: Tensor) -> bool:
    current: Value = tensor
    for _ in range(6):
        if not isinstance(current, Tensor) or short(current.made_by) in _DELIBERATE:
            return False
        if (len(current.inputs) > 1 and isinstance(current.inputs[1], (Layer, Model))) or _is_slope(current):
            return True
        current = current.inputs[0] if current.inputs else tensor
    return False


def _is_slope(tensor: Tensor) -> bool:
    return tensor.made_by == "tensorflow.GradientTape.gradient"
