"""log-of-summed-exponentials."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.check.views.numeric import LOGS, argument_of, assignments, definition
from bugloss.core.finding import Finding, Fix, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of, walk


class LogOfSummedExponentials(Rule):
    """``log(sum(exp(x)))`` is used instead of ``logsumexp(x)``.

    ## What it finds
    ``log(sum(exp(x)))`` in any of the array libraries, where no maximum is subtracted.

    ## Why it hurts
    ``exp`` overflows at 89 in single precision, and underflows below -104; the logarithm is then infinite although
    the correct result is a moderate number.

    ## Example
    ```python
    normaliser = torch.log(torch.sum(torch.exp(scores), dim=1))
    ```

    ## Use instead
    ```python
    normaliser = torch.logsumexp(scores, dim=1)
    ```

    ## Known problems
    Scores that are divided by a temperature are usually bounded; they are reported as advice.

    ## Fix safety
    Safe where a fix is offered (PyTorch with the axis given): the function computes the same quantity without
    overflow.

    ## References
    Blanchard, Higham, Higham: Accurately computing the log-sum-exp and softmax functions, IMA Journal of Numerical
    Analysis, 2021.
    """

    name = "log-of-summed-exponentials"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("debar", "numeric")
    words = ("exp",)
    faulty = (
        """\
import torch

def normaliser(scores):
    return torch.log(torch.sum(torch.exp(scores), dim=1))
""",
        """\
import numpy as np

def free_energy(energies):
    total = np.sum(np.exp(energies), axis=0)
    return -np.log(total)
""",
    )
    clean = (
        """\
import torch

def normaliser(scores):
    return torch.logsumexp(scores, dim=1)
""",
        """\
import numpy as np

def normaliser(scores):
    peak = scores.max()
    return peak + np.log(np.sum(np.exp(scores - scores.max())))
""",
        """\
import torch

def entropy(p):
    return torch.log(torch.sum(p, dim=1)) + torch.exp(p)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def normaliser(scores):
    return torch.logsumexp(scores, dim=1)
"""
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in (*program.calls(*LOGS), *program.calls("?.log")):
            inside = argument_of(program, operation.node, "log")
            total = definition(program, inside) if inside is not None else None
            powers = argument_of(program, total, "sum", "reduce_sum") if total is not None else None
            scores = argument_of(program, definition(program, powers), "exp") if powers is not None else None
            if scores is None or _shifted(program, scores):
                continue
            tempered = isinstance(scores, ast.BinOp) and isinstance(scores.op, ast.Div)
            message = (
                f"exp({ast.unparse(scores)}) can overflow although the logarithm of the sum would not; use logsumexp"
            )
            fix = _fused(program, operation.node, total, scores) if total is inside else None
            severity = Severity.ADVICE if tempered else self.severity
            yield self.finding(program, operation.node, message, fix=fix, severity=severity)


def _shifted(program: Program, scores: ast.expr) -> bool:
    names = [part for part in walk(scores) if isinstance(part, ast.Name)]
    texts = [ast.unparse(scores), *(ast.unparse(found) for name in names for found in assignments(program, name))]
    return any(word in text for text in texts for word in ("max", "clip", "clamp", "normalize", "cosine"))


def _fused(program: Program, node: ast.expr, total: ast.expr | None, scores: ast.expr) -> Fix | None:
    """``torch.log(torch.sum(torch.exp(x), dim=1))`` as ``torch.logsumexp(x, dim=1)``."""
    if not isinstance(node, ast.Call) or not isinstance(total, ast.Call) or program.names.raw(node.func) != "torch.log":
        return None
    if program.names.raw(total.func) != "torch.sum" or method_of(total.args[0]) != "exp":
        return None
    options = [program.source.segment(part) for part in total.args[1:]]
    options += [f"{keyword.arg}={program.source.segment(keyword.value)}" for keyword in total.keywords]
    if not options:
        return None
    module = program.source.segment(node.func).removesuffix("log")
    text = f"{module}logsumexp({', '.join([program.source.segment(scores), *options])})"
    return replace_node(program, node, text, "use logsumexp", Safety.SAFE)
