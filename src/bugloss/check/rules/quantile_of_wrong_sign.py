"""quantile-of-wrong-sign."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import swap_nodes
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, last_part, walk, written


class QuantileOfWrongSign(Rule):
    """The error of a quantile loss has the wrong sign.

    ## What it finds
    ``max(q * error, (q - 1) * error)`` with ``error = prediction - target``.

    ## Why it hurts
    The loss is that of the quantile 1 - q: an upper bound becomes a lower one.

    ## Example
    ```python
    error = prediction - target
    loss = torch.max(q * error, (q - 1) * error).mean()
    ```

    ## Use instead
    ```python
    error = target - prediction
    loss = torch.max(q * error, (q - 1) * error).mean()
    ```

    ## Known problems
    Names decide which side is the prediction.

    ## Fix safety
    Suggested: the sides of the difference are swapped.

    ## References
    Koenker and Bassett, Regression Quantiles (1978).
    """

    name = "quantile-of-wrong-sign"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("- 1", "-1")
    faulty = (
        """\
import torch

def pinball(prediction, target, q):
    error = prediction - target
    return torch.max(q * error, (q - 1) * error).mean()
""",
    )
    clean = (
        """\
import torch

def pinball(prediction, target, q):
    error = target - prediction
    return torch.max(q * error, (q - 1) * error).mean()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("max", "maximum"):
            errors = _weighted_errors(call)
            made = definition(program, errors[0]) if errors else None
            if not isinstance(made, ast.BinOp) or not isinstance(made.op, ast.Sub):
                continue
            if _PREDICTION.search(written(made.left)) and _TARGET.search(written(made.right)):
                message = "a quantile loss takes target - prediction: this is the loss of the opposite quantile"
                fix = suggested(swap_nodes(program, made.left, made.right))
                yield self.finding(program, made, message, fix=fix)


_PREDICTION = re.compile(r"pred|y_hat|yhat|output|forecast|logits|out\b", re.IGNORECASE)
_TARGET = re.compile(r"target|true|label|\by\b|truth|actual", re.IGNORECASE)


def _weighted_errors(call: ast.Call) -> list[ast.expr]:
    """The error, where a call compares ``q * error`` with ``(q - 1) * error``."""
    if len(call.args) != 2:
        return []
    sides = [part for part in call.args if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult)]
    factors = [(_minus_one(one), one) for one in sides]
    if sorted(minus for minus, _ in factors) != [False, True]:
        return []
    plain = next(one for minus, one in factors if not minus)
    names = {written(part) for part in (plain.left, plain.right)}
    other = next(one for minus, one in factors if minus)
    return [part for part in (other.left, other.right) if written(part) in names and last_part(part)]


def _minus_one(product: ast.BinOp) -> bool:
    return any(
        isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub) and is_constant(part.right, 1)
        for part in walk(product)
    )
