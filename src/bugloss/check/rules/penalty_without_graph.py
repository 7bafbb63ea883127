"""penalty-without-graph."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import add_argument
from bugloss.source.local_functions import scope_text
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of, receiver_of, written


class PenaltyWithoutGraph(Rule):
    """A gradient penalty is computed without a graph, so that it has no gradient itself.

    ## What it finds
    ``torch.autograd.grad`` without ``create_graph=True`` whose result goes into a norm or a square that is part of
    a loss.

    ## Why it hurts
    Without the graph the penalty is a number. It is added to the loss and changes nothing: the critic is not
    regularised.

    ## Example
    ```python
    gradients = torch.autograd.grad(scores.sum(), mixed)[0]
    penalty = ((gradients.norm(2, dim=1) - 1) ** 2).mean()
    ```

    ## Use instead
    ```python
    gradients = torch.autograd.grad(scores.sum(), mixed, create_graph=True)[0]
    penalty = ((gradients.norm(2, dim=1) - 1) ** 2).mean()
    ```

    ## Known problems
    A norm of gradients that is only printed in a function with such names is reported.

    ## Fix safety
    Suggested: ``create_graph=True`` is added.

    ## References
    Gulrajani et al., Improved Training of Wasserstein GANs (2017); PyTorch documentation of
    ``torch.autograd.grad``.
    """

    name = "penalty-without-graph"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loss",)
    words = ("autograd", "grad(")
    faulty = (
        """\
import torch

def gradient_penalty(critic, real, fake):
    share = torch.rand(real.size(0), 1)
    mixed = (share * real + (1 - share) * fake).requires_grad_(True)
    scores = critic(mixed)
    gradients = torch.autograd.grad(outputs=scores, inputs=mixed, grad_outputs=torch.ones_like(scores))[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean()
""",
    )
    clean = (
        """\
import torch

def gradient_penalty(critic, mixed):
    scores = critic(mixed)
    gradients = torch.autograd.grad(scores.sum(), mixed, create_graph=True)[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean()

def attack(model, x, y, loss):
    gradient = torch.autograd.grad(loss(model(x), y), x)[0]
    return x + 0.1 * gradient.sign() / gradient.norm()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("grad"):
            owner = receiver_of(call)
            if owner is None or "autograd" not in written(owner) or is_constant(keyword_of(call, "create_graph"), True):
                continue
            if keyword_of(call, "create_graph") is None and _PENALTY.search(scope_text(program, call)):
                message = "without create_graph=True the penalty has no gradient and changes nothing"
                fix = suggested(add_argument(program, call, "create_graph=True"))
                yield self.finding(program, call, message, fix=fix)


# A penalty squares a norm of gradients; an attack or a saliency map does not.
_PENALTY = re.compile(r"penalty|lipschitz|norm\([^)]*\)\s*-\s*1|\br1\b", re.IGNORECASE)
