"""float-index-into-embedding."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule, convert_argument
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.semantics.dtypes import is_floating
from bugloss.source.values.values import Tensor


class FloatIndexIntoEmbedding(Rule):
    """Floats are used to look up rows of an embedding.

    ## What it finds
    A PyTorch ``Embedding`` (or ``torch.nn.functional.embedding``) whose input is known to be a float tensor.

    ## Why it hurts
    The call raises "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int".

    ## Example
    ```python
    vectors = torch.nn.Embedding(100, 16)(torch.zeros(8))
    ```

    ## Use instead
    ```python
    vectors = torch.nn.Embedding(100, 16)(torch.zeros(8, dtype=torch.long))
    ```

    ## Known problems
    Keras converts floats to integers and is not looked at.

    ## Fix safety
    No edit is offered.

    ## References
    PyTorch documentation of ``torch.nn.Embedding``.
    """

    name = "float-index-into-embedding"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.DATA_TYPE
    groups = ("dtype",)
    words = ("Embedding", "embedding")
    faulty = (
        """\
import torch

vectors = torch.nn.Embedding(100, 16)(torch.zeros(8))
""",
    )
    clean = (
        """\
import torch

vectors = torch.nn.Embedding(100, 16)(torch.zeros(8, dtype=torch.long))
""",
        """\
import torch

def look_up(ids):
    return torch.nn.Embedding(100, 16)(ids) + torch.nn.Embedding(100, 16)(torch.randint(0, 100, (8,)))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls("apply torch.nn.Embedding", "torch.nn.functional.embedding"):
            value = operation.argument(0, "input")
            if isinstance(value, Tensor) and is_floating(value.dtype):
                message = f"an embedding is indexed by integers, but its input is {value.dtype}"
                fix = convert_argument(program, operation.node, 0, "long()", "input")
                yield self.finding(program, operation.node, message, fix=fix)
