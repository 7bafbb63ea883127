"""epsilon-lost-in-rounding."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.values.values import Tensor, Value, number_of

# Half the distance from one down to the next number: anything nearer rounds to one.
_NEAREST_BELOW_ONE = {"float16": 2.0**-12, "bfloat16": 2.0**-9, "float32": 2.0**-25, "float64": 2.0**-54}
# Half the smallest number that is not zero.
_SMALLEST = {"float16": 2.0**-25, "float32": 2.0**-150}
_CLIPS = ("torch.clamp", "torch.clip", "Tensor.clamp", "Tensor.clip", "tensorflow.clip_by_value", "numpy.clip",
          "keras.ops.clip", "keras.backend.clip")  # fmt: skip


class EpsilonLostInRounding(Rule):
    """An epsilon is too small for the precision of the tensor.

    ## What it finds
    Clipping to ``1 - 1e-8`` in single precision, where the bound rounds to one, and adding an epsilon to a
    half-precision tensor, where it rounds to zero.

    ## Why it hurts
    The epsilon has no effect: ``log(1 - p)`` can still be ``log(0)``, and a divisor can still be zero.

    ## Example
    ```python
    p = torch.clamp(torch.sigmoid(x), 1e-8, 1 - 1e-8)
    loss = -torch.log(1 - p).mean()
    ```

    ## Use instead
    ```python
    p = torch.clamp(torch.sigmoid(x), 1e-7, 1 - 1e-7)
    ```
    or a loss that takes logits.

    ## Known problems
    PyTorch, TensorFlow and Keras tensors whose dtype is not known are assumed to be single precision, their default.

    ## Fix safety
    No fix is offered: a larger bound changes results slightly.

    ## References
    IEEE 754: the largest single-precision number below one is 1 - 2**-24.
    """

    name = "epsilon-lost-in-rounding"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("debar", "numeric")
    faulty = (
        """\
import torch

def loss(x):
    p = torch.clamp(torch.sigmoid(x), 1e-8, 1 - 1e-8)
    return -torch.log(1 - p).mean()
""",
        """\
import torch

def normalise(x):
    x = x.half()
    weights = torch.relu(torch.zeros(3, dtype=torch.float16))
    return weights / (weights + 1e-8)
""",
    )
    clean = (
        """\
import torch

def loss(x):
    p = torch.clamp(torch.sigmoid(x), 1e-7, 1 - 1e-7)
    return -torch.log(1 - p).mean()
""",
        """\
import numpy as np

def loss(p):
    return -np.log(1 - np.clip(p, 1e-12, 1 - 1e-12)).mean()
""",
        """\
import torch

def loss(x):
    p = torch.clamp(torch.sigmoid(x.double()), 1e-8, 1 - 1e-8)
    return -torch.log(1 - p).mean()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls(*_CLIPS):
            method = isinstance(operation.receiver, Tensor)
            value = operation.receiver if method else operation.argument(0)
            upper = next((operation.keywords[n] for n in ("max", "a_max", "clip_value_max") if n in operation.keywords),
                         operation.argument(1 if method else 2))  # fmt: skip
            dtype, bound = _precision(program, value, operation.name), number_of(upper)
            if dtype and bound is not None and 0 < 1 - bound <= _NEAREST_BELOW_ONE.get(dtype, 0):
                message = f"the upper bound 1 - {1 - bound:g} rounds to 1 in {dtype}, so the clip has no effect"
                yield self.finding(program, operation.node, message)
        for operation in program.calls("operator.add"):
            for tensor, number in (operation.positional, operation.positional[::-1]):
                small = number_of(number)
                dtype = tensor.dtype if isinstance(tensor, Tensor) else None
                if dtype and small is not None and 0 < abs(small) <= _SMALLEST.get(dtype, 0):
                    yield self.finding(
                        program, operation.node, f"{small:g} rounds to zero in {dtype}, so adding it has no effect"
                    )


def _precision(program: Program, value: Value, name: str) -> str | None:
    if isinstance(value, Tensor) and value.dtype:
        return value.dtype
    if program.mentions(("double", "float64")):
        return None
    return None if name.startswith("numpy.") or (isinstance(value, Tensor) and value.library == "numpy") else "float32"
