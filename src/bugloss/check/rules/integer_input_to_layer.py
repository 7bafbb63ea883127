"""integer-input-to-layer."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule, convert_argument
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.layer import LayerFamily, torch_layers
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.semantics.dtypes import is_integral
from bugloss.source.values.values import Layer, Tensor

_FAMILIES = (LayerFamily.DENSE, LayerFamily.CONVOLUTION, LayerFamily.RECURRENT, LayerFamily.NORMALIZATION)
_WITH_WEIGHTS = tuple(row.name for row in torch_layers(*_FAMILIES))


class IntegerInputToLayer(Rule):
    """Integers are passed to a layer with float weights.

    ## What it finds
    A tensor that is known to hold integers (``int64``, ``uint8`` …) in the input of a PyTorch layer with float
    weights.

    ## Why it hurts
    PyTorch does not convert: the call raises "expected scalar type Float but found Long".

    ## Example
    ```python
    x = torch.randint(0, 10, (8, 3))
    y = torch.nn.Linear(3, 1)(x)
    ```

    ## Use instead
    ```python
    x = torch.randint(0, 10, (8, 3)).float()
    y = torch.nn.Linear(3, 1)(x)
    ```
    or an ``Embedding`` if the integers are indices.

    ## Known problems
    The dtype of data that come from outside the file is not known.

    ## Fix safety
    No fix is offered: the values may have to be scaled or embedded.

    ## References
    PyTorch documentation of ``torch.nn.Linear``.
    """

    name = "integer-input-to-layer"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.DATA_TYPE
    groups = ("dtype",)
    words = ("torch",)
    faulty = (
        """\
import torch

x = torch.randint(0, 10, (8, 3))
y = torch.nn.Linear(3, 1)(x)
""",
        """\
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def forward(self, x):
        return self.layer(x)

net = Net()
net(torch.tensor([[1, 2], [3, 4]]))
""",
    )
    clean = (
        """\
import torch

x = torch.randint(0, 10, (8, 3))
y = torch.nn.Linear(16, 1)(torch.nn.Embedding(10, 16)(x))
""",
        """\
import torch

x = torch.randint(0, 10, (8, 3))
y = torch.nn.Linear(3, 1)(x.float()) + torch.nn.Linear(3, 1)(x / 10)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls(*(f"apply torch.nn.{name}" for name in _WITH_WEIGHTS)):
            layer, value = operation.receiver, operation.argument(0)
            if isinstance(layer, Layer) and isinstance(value, Tensor) and is_integral(value.dtype):
                message = f"{layer.name} has float weights, but its input is {value.dtype}; call .float() on it"
                fix = convert_argument(program, operation.node, 0, "float()")
                yield self.finding(program, operation.node, message, fix=fix)
