"""torch-function-on-array."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.values.values import Items, Layer, Tensor, Value

_FUNCTIONS = (
    "log",
    "log2",
    "log10",
    "log1p",
    "exp",
    "sqrt",
    "abs",
    "sum",
    "mean",
    "std",
    "var",
    "softmax",
    "relu",
    "sigmoid",
    "tanh",
    "argmax",
    "matmul",
    "mm",
    "bmm",
    "cat",
    "stack",
    "norm",
    "clamp",
    "square",
    "flatten",
    "reshape",
    "transpose",
    "permute",
    "squeeze",
    "unsqueeze",
    "max",
    "min",
    "where",
)


class TorchFunctionOnArray(Rule):
    """A PyTorch function or layer gets a NumPy array.

    ## What it finds
    ``torch.exp`` and similar functions, ``torch.cat`` of arrays, or a ``torch.nn`` layer, applied to a value that is
    known to be a NumPy array.

    ## Why it hurts
    PyTorch raises a TypeError: it accepts only tensors.

    ## Example
    ```python
    y = torch.exp(np.ones(3))
    ```

    ## Use instead
    ```python
    y = torch.exp(torch.from_numpy(np.ones(3)))
    ```

    ## Known problems
    Arrays that come from outside the file are not known to be arrays.

    ## Fix safety
    No fix is offered: the dthe dtype and device of the tensor have to be chosen.

    ## References
    PyTorch documentation of ``torch.from_numpy`` and ``torch.as_tensor``.
    """

    name = "torch-function-on-array"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.DATA_TYPE
    groups = ("dtype",)
    words = ("torch",)
    faulty = (
        """\
import numpy as np
import torch

y = torch.exp(np.ones(3))
""",
        """\
import numpy as np
import torch

model = torch.nn.Sequential(torch.nn.Linear(3, 2))
scores = model(np.random.rand(8, 3))
""",
    )
    clean = (
        """\
import numpy as np
import torch

y = torch.exp(torch.from_numpy(np.ones(3)))
z = torch.tensor(np.ones(3)).sum()
""",
        """\
import torch

def squash(x):
    return torch.exp(x)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        functions = [f"{space}.{name}" for space in ("torch", "torch.nn.functional") for name in _FUNCTIONS]
        for operation in program.calls(*functions):
            if _is_array(operation.argument(0, "input")):
                yield self.finding(
                    program, operation.node, f"{operation.name} takes a tensor, but this is a NumPy array"
                )
        for operation in program.prefixed("apply torch.nn."):
            if _is_array(operation.argument(0)) and isinstance(operation.receiver, Layer):
                message = f"{operation.receiver.name} takes a tensor, but its input is a NumPy array"
                yield self.finding(program, operation.node, message)


def _is_array(value: Value) -> bool:
    if isinstance(value, Items):
        return bool(value.items) and all(_is_array(item) for item in value.items)
    return isinstance(value, Tensor) and value.library == "numpy" and value.made_by is not None
