"""schedule-returns-rate."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, argument_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import functions_by_name
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of, last_part, walk


class ScheduleReturnsRate(Rule):
    """A function that should return a factor of the learning rate returns a rate.

    ## What it finds
    A function passed to ``LambdaLR`` whose result contains the base learning rate: ``lambda epoch: lr * 0.95 **
    epoch``.

    ## Why it hurts
    ``LambdaLR`` multiplies the base rate with what the function returns. With the rate in it twice, an optimizer at
    0.001 steps with 0.000001 and hardly learns.

    ## Example
    ```python
    optimizer = torch.optim.Adam(model.parameters(), lr=LR)
    scheduler = LambdaLR(optimizer, lambda epoch: LR * 0.95**epoch)
    ```

    ## Use instead
    ```python
    optimizer = torch.optim.Adam(model.parameters(), lr=LR)
    scheduler = LambdaLR(optimizer, lambda epoch: 0.95**epoch)
    ```

    ## Known problems
    The rate is recognised by its name.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    PyTorch documentation of ``torch.optim.lr_scheduler.LambdaLR``.
    """

    name = "schedule-returns-rate"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.OPTIMIZER
    groups = ("optimizer",)
    words = ("LambdaLR",)
    faulty = (
        """\
import torch
from torch.optim.lr_scheduler import LambdaLR

LR = 1e-3
optimizer = torch.optim.Adam(model.parameters(), lr=LR)
scheduler = LambdaLR(optimizer, lr_lambda=lambda epoch: LR * 0.95**epoch)
""",
    )
    clean = (
        """\
import torch
from torch.optim.lr_scheduler import LambdaLR

LR = 1e-3
WARMUP = 10

def factor(step):
    return min(1.0, (step + 1) / WARMUP) * max(0.1, MIN_LR / LR)

optimizer = torch.optim.Adam(model.parameters(), lr=LR)
scheduler = LambdaLR(optimizer, factor)
unit = torch.optim.Adam(model.parameters(), lr=1.0)
other = LambdaLR(unit, lambda epoch: LR * 0.95**epoch)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        unit = any(
            is_constant(keyword_of(call, "lr"), 1.0) or is_constant(keyword_of(call, "lr"), 1)
            for call in program.nodes[ast.Call]
            if isinstance(call, ast.Call)
        )
        for call in program.called("LambdaLR") if not unit else ():
            given = argument_node(call, 1, "lr_lambda")
            for body in _results(program, given):
                factor = next((part for part in walk(body) if _is_rate(program, part)), None)
                if factor is not None:
                    name = last_part(factor)
                    message = f"LambdaLR multiplies the learning rate with this result, which contains {name} already"
                    yield self.finding(program, factor, message)
                    break


_RATE = re.compile(r"(\w+_)?(lr|learning_rate|base_rate)(_\w+)?$", re.IGNORECASE)


def _results(program: Program, given: ast.expr | None) -> Iterator[ast.expr]:
    """The expressions that the function returns."""
    if isinstance(given, ast.Lambda):
        yield given.body
    for function in functions_by_name(program).get(last_part(given), []) if isinstance(given, ast.Name) else []:
        for part in walk(function):
            if isinstance(part, ast.Return) and part.value is not None:
                yield part.value


def _is_rate(program: Program, node: ast.AST) -> bool:
    """A learning rate that is a factor of the result: not one that divides, or is divided."""
    if not isinstance(node, ast.Name | ast.Attribute) or not _RATE.match(last_part(node)):
        return False
    parent = program.parents.get(node)
    return not (
        isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Div | ast.Sub | ast.Add)
    ) and not isinstance(parent, ast.Attribute | ast.keyword)
