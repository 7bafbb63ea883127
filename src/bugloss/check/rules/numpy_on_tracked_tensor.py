"""numpy-on-tracked-tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule
from bugloss.core.edit import Edit
from bugloss.core.finding import Finding, Fix, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_span
from bugloss.source.lookback import needs_gradient, without_gradient
from bugloss.source.program import Program
from bugloss.source.values.values import Operation, Tensor

# Functions that ask the tensor for its own method instead of turning it into an array, or that only look at it.
_LENIENT = {"shape", "ndim", "size", "isscalar", "iterable", "testing"}


class NumpyOnTrackedTensor(Rule):
    """NumPy is applied to a tensor that carries gradients.

    ## What it finds
    ``x.numpy()`` or a NumPy function on a PyTorch tensor that came out of a layer with weights, outside ``no_grad``
    and without ``detach``.

    ## Why it hurts
    PyTorch raises "Can't call numpy() on Tensor that requires grad". If it did not, the computation would drop out
    of the graph and the weights would get no gradient from it.

    ## Example
    ```python
    scores = model(x)
    best = np.argmax(scores, axis=1)
    ```

    ## Use instead
    ```python
    scores = model(x)
    best = scores.argmax(dim=1)
    values = scores.detach().cpu().numpy()
    ```

    ## Known problems
    A caller in another file that switches gradients off is not seen.

    ## Fix safety
    Suggested for ``.numpy()``: ``detach`` stops gradients there, which is meant in nearly all cases.

    ## References
    PyTorch documentation of ``torch.Tensor.numpy``.
    """

    name = "numpy-on-tracked-tensor"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("dtype",)
    words = ("numpy", "np.")
    faulty = (
        """\
import torch

model = torch.nn.Linear(3, 2)
scores = model(torch.randn(8, 3))
values = scores.numpy()
""",
        """\
import numpy as np
import torch

layer = torch.nn.Linear(3, 2)
best = np.argmax(layer(torch.randn(8, 3)), axis=1)
""",
    )
    clean = (
        """\
import torch

model = torch.nn.Linear(3, 2)
values = model(torch.randn(8, 3)).detach().numpy()
""",
        """\
import numpy as np
import torch

layer = torch.nn.Linear(3, 2)

@torch.no_grad()
def predict(x):
    return layer(x).numpy()

with torch.no_grad():
    best = np.argmax(layer(torch.randn(8, 3)), axis=1)
data = torch.randn(3).numpy()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

model = torch.nn.Linear(3, 2)
scores = model(torch.randn(8, 3))
values = scores.detach().numpy()
"""
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or program.mentions(
            ("set_grad_enabled", "requires_grad_(False)", "freeze")
        ):
            return
        for operation in (*program.calls("Tensor.numpy"), *program.prefixed("numpy.")):
            value = _array_argument(operation)
            if isinstance(value, Tensor) and value.library == "torch" and needs_gradient(value):
                if without_gradient(program, operation):
                    continue
                message = "this tensor carries gradients, so NumPy cannot have it; call .detach() first"
                yield self.finding(program, operation.node, message, fix=_detached(program, operation))


def _array_argument(operation: Operation) -> object:
    if operation.name == "Tensor.numpy":
        return operation.receiver
    name = operation.name.rsplit(".", 1)[-1]
    known = operation.name.count(".") == 1 and name not in _LENIENT and name.islower()
    return operation.argument(0) if known else None


def _detached(program: Program, operation: Operation) -> Fix | None:
    node = operation.node
    if operation.name != "Tensor.numpy" or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    detached = replace_span(program, program.span(node.func.value).end, ".detach()")
    words = f"insert `.detach()` before `.numpy()` in line {detached.span.line}"
    return Fix(Safety.SUGGESTED, "take the tensor out of the graph", Edit(words, (detached,)))
