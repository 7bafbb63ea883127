"""noise-schedule-not-accumulated."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, targets_of, written


class NoiseScheduleNotAccumulated(Rule):
    """A diffusion model adds the noise of a single step instead of all steps up to it.

    ## What it finds
    ``sqrt(alphas[t]) * x + sqrt(1 - alphas[t]) * noise`` with ``alphas = 1 - betas``, without ``cumprod`` in the
    file.

    ## Why it hurts
    The noise at step t is that of the product of all factors up to t. With the single factor every step is almost
    free of noise, so the network never learns to start from pure noise.

    ## Example
    ```python
    alphas = 1 - betas
    noisy = alphas[t].sqrt() * x + (1 - alphas[t]).sqrt() * noise
    ```

    ## Use instead
    ```python
    alphas = torch.cumprod(1 - betas, dim=0)
    noisy = alphas[t].sqrt() * x + (1 - alphas[t]).sqrt() * noise
    ```

    ## Known problems
    The schedule is recognised by the names alpha and beta.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    Ho et al., Denoising Diffusion Probabilistic Models (2020), equation 4.
    """

    name = "noise-schedule-not-accumulated"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("beta",)
    faulty = (
        """\
import torch

betas = torch.linspace(1e-4, 0.02, 1000)
alphas = 1 - betas

def noisy(x, t, noise):
    a = alphas[t].view(-1, 1)
    return a.sqrt() * x + (1 - a).sqrt() * noise
""",
    )
    clean = (
        """\
import torch

betas = torch.linspace(1e-4, 0.02, 1000)
alphas = 1 - betas
bars = torch.cumprod(alphas, dim=0)

def noisy(x, t, noise):
    a = bars[t].view(-1, 1)
    return a.sqrt() * x + (1 - a).sqrt() * noise
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        text = program.source.text
        if program.mentions(("cumprod", "cumsum", "cosine")) or not re.search(r"noise", text) or "sqrt" not in text:
            return
        for node in program.nodes[ast.Assign]:
            value = node.value if isinstance(node, ast.Assign) else None
            if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Sub):
                continue
            one = is_constant(value.left, 1) or is_constant(value.left, 1.0)
            schedule = re.search(r"betas?$", dotted(value.right)) and re.search(r"alpha", written(targets_of(node)[0]))
            if one and schedule:
                torch_code = "torch" in program.names.roots
                call = f"torch.cumprod({program.source.segment(value)}, dim=0)"
                fix = suggested(replace_node(program, value, call)) if torch_code else None
                message = "the noise of step t is the product of all factors up to t: take the cumulative product"
                yield self.finding(program, value, message, fix=fix)
