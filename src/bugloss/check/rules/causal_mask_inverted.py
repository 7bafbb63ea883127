"""causal-mask-inverted."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, add_argument, argument_node, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, method_of, written
from bugloss.source.training.loss_calls import last_assigned


class CausalMaskInverted(Rule):
    """A causal mask hides the wrong positions.

    ## What it finds
    ``masked_fill(mask, -inf)`` with the lower triangle (the past is hidden instead of the future) or with the upper
    triangle including the diagonal (a position is hidden from itself).

    ## Why it hurts
    With the past hidden, a position sees only what comes after it. With the diagonal hidden, the first row has nothing
    left and becomes NaN.

    ## Example
    ```python
    mask = torch.tril(torch.ones(n, n))
    scores = scores.masked_fill(mask == 1, float("-inf"))
    ```

    ## Use instead
    ```python
    mask = torch.tril(torch.ones(n, n))
    scores = scores.masked_fill(mask == 0, float("-inf"))
    ```

    ## Known problems
    Masks from other functions are not followed.

    ## Fix safety
    Suggested: the comparison is inverted, or the diagonal is left out.

    ## References
    Vaswani et al., Attention is all you need (2017).
    """

    name = "causal-mask-inverted"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ("model",)
    words = ("masked_fill",)
    faulty = (
        """\
import torch

def attend(scores, n):
    mask = torch.tril(torch.ones(n, n))
    return scores.masked_fill(mask == 1, float("-inf")).softmax(-1)
""",
        """\
import torch

def attend(scores, n):
    mask = torch.triu(torch.ones(n, n)).bool()
    return scores.masked_fill(mask, float("-inf")).softmax(-1)
""",
    )
    clean = (
        """\
import torch

def attend(scores, n):
    mask = torch.tril(torch.ones(n, n))
    future = torch.triu(torch.ones(n, n), diagonal=1).bool()
    scores = scores.masked_fill(future, float("-inf"))
    return scores.masked_fill(mask == 0, float("-inf")).softmax(-1)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("masked_fill", "masked_fill_"):
            if len(call.args) != 2 or "inf" not in written(call.args[1]):
                continue
            mask = call.args[0]
            hidden = True  # what the mask marks is filled
            compared = mask if isinstance(mask, ast.Compare) and len(mask.ops) == 1 else None
            if compared is not None:
                zero = is_constant(compared.comparators[0], 0) or is_constant(compared.comparators[0], False)
                hidden = zero != isinstance(compared.ops[0], ast.Eq)
                mask = compared.left
            triangle = _triangle(program, mask)
            if triangle is not None and hidden:
                yield from self._judge(program, triangle, compared)

    def _judge(self, program: Program, triangle: ast.Call, compared: ast.Compare | None) -> Iterator[Finding]:
        diagonal = argument_node(triangle, 1, "diagonal")
        if method_of(triangle) == "tril" and (diagonal is None or is_constant(diagonal, 0)):
            fix = None
            if compared is not None and isinstance(compared.ops[0], ast.Eq):
                text = f"{program.source.segment(compared.left)} == 0"
                fix = replace_node(program, compared, text, "hide what is not in the triangle")
            yield self.finding(
                program, compared or triangle, "the lower triangle is hidden: positions see only the future", fix=fix
            )
        elif method_of(triangle) == "triu" and (diagonal is None or is_constant(diagonal, 0)):
            message = "the diagonal is hidden too: the first position sees nothing, and its softmax is NaN; diagonal=1"
            fix = add_argument(program, triangle, "diagonal=1", "leave out the diagonal") if diagonal is None else None
            yield self.finding(program, triangle, message, fix=fix)


def _triangle(program: Program, mask: ast.expr) -> ast.Call | None:
    """The call of ``tril`` or ``triu`` behind a mask."""
    statement = program.enclosing(mask, ast.stmt)
    value: ast.expr | None = mask
    if isinstance(mask, ast.Name) and isinstance(statement, ast.stmt):
        assigned = last_assigned(program, mask.id, statement)
        value = assigned.value if assigned is not None else None
    while isinstance(value, ast.Call) and method_of(value) in {"bool", "to", "unsqueeze", "view"}:
        value = value.func.value if isinstance(value.func, ast.Attribute) else None
    return value if isinstance(value, ast.Call) and method_of(value) in {"tril", "triu"} else None
