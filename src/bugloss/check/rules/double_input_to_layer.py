"""double-input-to-layer."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.layer import LayerFamily, torch_layers
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.lookback import ancestry, short
from bugloss.source.program import Program
from bugloss.source.values.values import Layer, Tensor

_FAMILIES = (LayerFamily.DENSE, LayerFamily.CONVOLUTION, LayerFamily.RECURRENT)
_WITH_WEIGHTS = tuple(row.name for row in torch_layers(*_FAMILIES))


class DoubleInputToLayer(Rule):
    """Double-precision data are passed to a layer with single-precision weights.

    ## What it finds
    A tensor that is known to be ``float64``, usually because it came from a NumPy array, in the input of a PyTorch
    layer.

    ## Why it hurts
    The layer's weights are ``float32``; PyTorch raises "expected m1 and m2 to have the same dtype".

    ## Example
    ```python
    x = torch.from_numpy(np.random.rand(8, 3))
    y = torch.nn.Linear(3, 1)(x)
    ```

    ## Use instead
    ```python
    x = torch.from_numpy(np.random.rand(8, 3)).float()
    y = torch.nn.Linear(3, 1)(x)
    ```

    ## Known problems
    Files that convert a network to double precision or change the default dtype are not reported.

    ## Fix safety
    No fix is offered: the conversion belongs where the data are created.

    ## References
    PyTorch documentation of ``torch.from_numpy`` and ``torch.get_default_dtype``.
    """

    name = "double-input-to-layer"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.DATA_TYPE
    groups = ("dtype",)
    words = ("torch",)
    faulty = (
        """\
import numpy as np
import torch

x = torch.from_numpy(np.random.rand(8, 3))
model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
y = model(x)
""",
        """\
import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

features = torch.tensor(np.linspace(0, 1, 100).reshape(-1, 1))
loader = DataLoader(TensorDataset(features), batch_size=10)
layer = torch.nn.Linear(1, 1)
for (x,) in loader:
    layer(x)
""",
    )
    clean = (
        """\
import numpy as np
import torch

x = torch.from_numpy(np.random.rand(8, 3)).float()
y = torch.nn.Linear(3, 1)(x)
""",
        """\
import numpy as np
import torch

x = torch.from_numpy(np.random.rand(8, 3))
model = torch.nn.Linear(3, 1).double()
y = model(x)
""",
        """\
import numpy as np
import torch

def run(array):
    return torch.nn.Linear(3, 1)(torch.from_numpy(array))
""",
        """\
import numpy as np
import torch

x = torch.Tensor(np.random.rand(8, 3))
y = torch.nn.Linear(3, 1)(x) + torch.nn.Linear(3, 1)(torch.tensor(np.random.rand(8, 3), dtype=torch.float32))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.mentions(("set_default_dtype", "set_default_tensor_type", ".double()", "float64", "torch.double")):
            return
        for operation in program.calls(*(f"apply torch.nn.{name}" for name in _WITH_WEIGHTS)):
            layer, value = operation.receiver, operation.argument(0)
            if not isinstance(layer, Layer) or not isinstance(value, Tensor) or value.dtype != "float64":
                continue
            if any(short(part.made_by) in _WITH_WEIGHTS for part in ancestry(value)):
                continue  # the first layer on the way is the one that fails
            message = (
                f"{layer.name} has float32 weights, but its input is float64 (NumPy's default); call .float() on it"
            )
            yield self.finding(program, operation.node, message)
