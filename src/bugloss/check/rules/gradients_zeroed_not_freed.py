"""gradients-zeroed-not-freed."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of


class GradientsZeroedNotFreed(Rule):
    """Gradients are filled with zeros instead of being freed.

    ## What it finds
    ``zero_grad(set_to_none=False)``.

    ## Why it hurts
    Writing zeros takes time and keeps the memory allocated. Freeing the gradients is the default since PyTorch 2.0.

    ## Example
    ```python
    optimizer.zero_grad(set_to_none=False)
    ```

    ## Use instead
    ```python
    optimizer.zero_grad()
    ```

    ## Known problems
    Code that reads ``.grad`` before the next backward pass needs the zeros.

    ## Fix safety
    Suggested: gradients will be None until the next backward pass.

    ## References
    PyTorch documentation, Optimizer.zero_grad; TorchFix (gradients set to zero instead of None).
    """

    name = "gradients-zeroed-not-freed"
    severity = Severity.ADVICE
    category = Category.API
    fix_pattern = FixPattern.PERFORMANCE
    groups = ("performance",)
    words = ("set_to_none",)
    faulty = (
        """\
import torch

def clear(optimizer):
    optimizer.zero_grad(set_to_none=False)
""",
    )
    clean = (
        """\
import torch

def clear(optimizer):
    optimizer.zero_grad(set_to_none=True)
""",
        """\
import torch

def clear(optimizer, free):
    optimizer.zero_grad(set_to_none=free)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for call in program.called("zero_grad"):
            given = keyword_of(call, "set_to_none")
            if given is not None and is_constant(given, False):
                message = "gradients are overwritten with zeros, which costs time and memory"
                fix = replace_node(program, given, "True", "free the gradients")
                yield self.finding(program, call, message, fix=fix)
