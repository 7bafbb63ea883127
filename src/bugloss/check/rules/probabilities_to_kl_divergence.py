"""probabilities-to-kl-divergence."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import add_argument, replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, keyword_of, method_of


class ProbabilitiesToKlDivergence(Rule):
    """The KL divergence gets probabilities where it expects their logarithms.

    ## What it finds
    ``F.kl_div`` or ``nn.KLDivLoss`` whose first argument is the result of a softmax, or whose second is that of a
    ``log_softmax`` without ``log_target=True``.

    ## Why it hurts
    The first argument must be log-probabilities. With probabilities the loss is negative or tiny and its gradient
    does not pull the two distributions together.

    ## Example
    ```python
    loss = F.kl_div(F.softmax(student, dim=1), F.softmax(teacher, dim=1))
    ```

    ## Use instead
    ```python
    loss = F.kl_div(F.log_softmax(student, dim=1), F.softmax(teacher, dim=1), reduction="batchmean")
    ```

    ## Known problems
    Values that come from another function are not followed.

    ## Fix safety
    Suggested: the softmax becomes ``log_softmax``, or ``log_target=True`` is passed.

    ## References
    PyTorch documentation of ``torch.nn.functional.kl_div``.
    """

    name = "probabilities-to-kl-divergence"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("kl_div", "KLDivLoss")
    faulty = (
        """\
import torch.nn.functional as F

def distill(student, teacher, T):
    p = F.softmax(student / T, dim=1)
    return F.kl_div(p, F.softmax(teacher / T, dim=1), reduction="batchmean")
""",
        """\
from torch import nn

criterion = nn.KLDivLoss(reduction="batchmean")

def distill(student, teacher):
    return criterion(student.log_softmax(1), teacher.log_softmax(1))
""",
    )
    clean = (
        """\
import torch.nn.functional as F

def distill(student, teacher, T):
    p = F.log_softmax(student / T, dim=1)
    one = F.kl_div(p, F.softmax(teacher / T, dim=1), reduction="batchmean")
    return one + F.kl_div(p, F.log_softmax(teacher / T, dim=1), reduction="batchmean", log_target=True)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        objects = {
            dotted(node.targets[0]): node.value
            for node in program.nodes[ast.Assign]
            if isinstance(node, ast.Assign) and method_of(node.value) == "KLDivLoss"
        }
        for call in program.called("kl_div", *(name.rsplit(".", 1)[-1] for name in objects)):
            maker = objects.get(dotted(call.func), call)
            if not isinstance(maker, ast.Call) or len(call.args) < 2:
                continue
            logged = is_constant(keyword_of(maker, "log_target"), True)
            first, second = definition(program, call.args[0]), definition(program, call.args[1])
            if method_of(first) == "softmax" and isinstance(first, ast.Call) and _after(program, first, call):
                text = program.source.segment(first).replace("softmax", "log_softmax", 1)
                message = "kl_div expects log-probabilities first, but gets the result of a softmax"
                yield self.finding(program, call, message, fix=suggested(replace_node(program, first, text)))
            elif method_of(second) == "log_softmax" and not logged:
                message = "kl_div expects probabilities second, but gets log-probabilities: pass log_target=True"
                yield self.finding(
                    program, call, message, fix=suggested(add_argument(program, maker, "log_target=True"))
                )


def _after(program: Program, made: ast.expr, call: ast.Call) -> bool:
    """Whether nothing takes the logarithm between the softmax and the loss: the value is passed as it is."""
    parent = program.parents.get(made)
    return not (isinstance(parent, ast.Attribute) and parent.attr in {"log", "clamp"}) and made.lineno <= call.lineno
