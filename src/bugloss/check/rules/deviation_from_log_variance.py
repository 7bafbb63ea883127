"""deviation-from-log-variance."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, method_of, targets_of

_DEVIATIONS = ("std", "sigma", "stddev", "deviation", "sd")


class DeviationFromLogVariance(Rule):
    """The standard deviation is computed as if it were the variance.

    ## What it finds
    ``std = exp(log_var)`` that is multiplied with noise: the deviation is ``exp(0.5 * log_var)``.

    ## Why it hurts
    The noise is the square of what the KL term assumes, so the latent space is far too wide or too narrow.

    ## Example
    ```python
    std = torch.exp(log_var)
    z = mu + std * torch.randn_like(std)
    ```

    ## Use instead
    ```python
    std = torch.exp(0.5 * log_var)
    z = mu + std * torch.randn_like(std)
    ```

    ## Known problems
    Names are believed: the argument must be called a logarithm of a variance, and the result a deviation.

    ## Fix safety
    Suggested: the factor 0.5 is inserted.

    ## References
    Kingma and Welling, Auto-Encoding Variational Bayes (2013).
    """

    name = "deviation-from-log-variance"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("exp(", ".exp()")
    faulty = (
        """\
import torch

def sample(mu, log_var):
    std = torch.exp(log_var)
    return mu + std * torch.randn_like(std)
""",
        """\
import torch

def sample(mu, logvar):
    sigma = logvar.exp()
    return mu + torch.randn_like(mu) * sigma
""",
    )
    clean = (
        """\
import torch

def sample(mu, log_var, log_std):
    std = torch.exp(0.5 * log_var)
    other = torch.exp(log_std)
    var = torch.exp(log_var)
    return mu + std * torch.randn_like(std) + other + var
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.Assign]:
            assert isinstance(node, ast.Assign)
            call, name = node.value, dotted(targets_of(node)[0]).rsplit(".", 1)[-1].lower()
            if not isinstance(call, ast.Call) or method_of(call) != "exp" or not name.startswith(_DEVIATIONS):
                continue
            value = call.args[0] if call.args else call.func.value if isinstance(call.func, ast.Attribute) else None
            plain = dotted(value).rsplit(".", 1)[-1].lower().replace("_", "")
            if value is not None and "logvar" in plain:
                text = program.source.segment(value)
                inner = f"(0.5 * {text})" if not call.args else f"0.5 * {text}"
                message = f"the deviation is exp(0.5 * {text}); exp({text}) is the variance"
                yield self.finding(
                    program, call, message, fix=replace_node(program, value, inner, "halve the logarithm")
                )
