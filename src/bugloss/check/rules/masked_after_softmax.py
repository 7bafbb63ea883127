"""masked-after-softmax."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of, receiver_of, written


class MaskedAfterSoftmax(Rule):
    """Attention weights are masked after the softmax.

    ## What it finds
    ``masked_fill`` with minus infinity or a large negative number, or the addition of such a mask, on the result of
    a softmax.

    ## Why it hurts
    After the softmax a weight of minus infinity gives NaN or huge negative sums. The mask belongs to the scores,
    before the softmax, where it makes the weight zero.

    ## Example
    ```python
    weights = scores.softmax(dim=-1)
    weights = weights.masked_fill(mask == 0, float("-inf"))
    ```

    ## Use instead
    ```python
    scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = scores.softmax(dim=-1)
    ```

    ## Known problems
    Filling with zero after the softmax is not reported.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    Vaswani et al., Attention Is All You Need (2017), section 3.2.3.
    """

    name = "masked-after-softmax"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ("model",)
    words = ("softmax",)
    faulty = (
        """\
import torch
import torch.nn.functional as F

def attend(q, k, v, mask):
    weights = F.softmax(q @ k.transpose(-2, -1), dim=-1)
    weights = weights.masked_fill(mask == 0, float("-inf"))
    return weights @ v
""",
    )
    clean = (
        """\
import torch
import torch.nn.functional as F

def attend(q, k, v, mask):
    scores = (q @ k.transpose(-2, -1)).masked_fill(mask == 0, float("-inf"))
    weights = F.softmax(scores, dim=-1)
    return weights.masked_fill(mask == 0, 0.0) @ v
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("masked_fill", "masked_fill_"):
            owner = receiver_of(call)
            value = written(call.args[1]) if len(call.args) > 1 else ""
            low = "inf" in value or value.startswith("-")
            if owner is not None and low and method_of(definition(program, owner)) == "softmax":
                message = "the mask is applied after the softmax: fill the scores before it"
                yield self.finding(program, call, message)
