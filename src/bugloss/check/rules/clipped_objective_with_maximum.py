"""clipped-objective-with-maximum."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import origin_nodes
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_last_word
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of


class ClippedObjectiveWithMaximum(Rule):
    """The clipped objective of PPO takes the larger term instead of the smaller.

    ## What it finds
    ``-torch.max(ratio * advantage, clipped * advantage)``: the negative of a maximum over the plain and the clipped
    term.

    ## Why it hurts
    PPO maximises the *smaller* of the two terms, which removes the gain of leaving the trusted range. With the
    larger one large steps are rewarded.

    ## Example
    ```python
    loss = -torch.max(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
    ```

    ## Use instead
    ```python
    loss = -torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
    ```

    ## Known problems
    The form with both terms negated and a maximum is right and is not reported.

    ## Fix safety
    Suggested: the minimum.

    ## References
    Schulman et al., Proximal Policy Optimization Algorithms (2017), equation 7.
    """

    name = "clipped-objective-with-maximum"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("ratio",)
    faulty = (
        """\
import torch

def objective(ratio, advantage):
    clipped = torch.clamp(ratio, 0.8, 1.2) * advantage
    return -torch.max(ratio * advantage, clipped).mean()
""",
    )
    clean = (
        """\
import torch

def objective(ratio, advantage):
    clipped = torch.clamp(ratio, 0.8, 1.2) * advantage
    first = -torch.min(ratio * advantage, clipped).mean()
    return first + torch.max(-ratio * advantage, -clipped).mean()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("max", "maximum"):
            if len(call.args) != 2 or not isinstance(call.func, ast.Attribute):
                continue
            parts = [origin_nodes(program, argument) for argument in call.args]
            clipped = [any(method_of(part) in {"clamp", "clip", "clip_by_value"} for part in found) for found in parts]
            ratio = all(any("ratio" in getattr(part, "id", "") for part in found) for found in parts)
            negated = any(
                isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub) for found in parts for part in found
            )
            if ratio and sum(clipped) == 1 and not negated and _is_negated(program, call):
                new = "min" if call.func.attr == "max" else "minimum"
                fix = suggested(replace_last_word(program, call.func, new))
                message = "the clipped objective takes the smaller of the two terms, not the larger"
                yield self.finding(program, call, message, fix=fix)


def _is_negated(program: Program, node: ast.AST) -> bool:
    """Whether the result is negated, directly or after a mean."""
    parent = program.parents.get(node)
    while isinstance(parent, ast.Attribute | ast.Call):
        parent = program.parents.get(parent)
    return isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub)
