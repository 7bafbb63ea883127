"""loss-terms-reduced-differently."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import keyword_of, method_of, targets_of, walk, written


class LossTermsReducedDifferently(Rule):
    """A divergence is summed where the reconstruction is averaged.

    ## What it finds
    A loss of a variational autoencoder whose reconstruction term is averaged over all elements (the default) while
    the divergence is a sum over the latent dimensions or the whole batch, and nothing weights the two.

    ## Why it hurts
    The mean over all pixels is smaller than the sum per sample by the number of pixels, so the divergence outweighs
    it: the posterior collapses, and all outputs look the same.

    ## Example
    ```python
    recon = F.mse_loss(output, x)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    loss = recon + kl
    ```

    ## Use instead
    ```python
    recon = F.mse_loss(output, x, reduction="sum")
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    loss = recon + kl
    ```

    ## Known problems
    Terms that are weighted, divided or annealed are not reported.

    ## Fix safety
    Suggested: the reconstruction is summed and divided by the number of samples.

    ## References
    Kingma and Welling, Auto-Encoding Variational Bayes (2013).
    """

    name = "loss-terms-reduced-differently"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("logvar", "log_var", "logsigma", "log_sigma")
    faulty = (
        """\
import torch
import torch.nn.functional as F

def terms(logits, x, mu, logvar):
    recon = F.binary_cross_entropy_with_logits(logits, x)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(dim=1).mean()
    return recon, kl
""",
        """\
import torch
import torch.nn.functional as F

def loss_of(output, x, mu, logvar):
    recon = F.mse_loss(output, x)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return recon + kl
""",
    )
    clean = (
        """\
import torch
import torch.nn.functional as F

def summed(output, x, mu, logvar):
    recon = F.mse_loss(output, x, reduction="sum") / len(x)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(dim=1).mean()
    return recon + kl

def averaged(output, x, mu, logvar):
    recon = F.mse_loss(output, x)
    kl = -0.5 * torch.mean(1 + logvar - mu.pow(2) - logvar.exp())
    return recon + kl

def weighted(output, x, mu, logvar, beta):
    recon = F.mse_loss(output, x)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return recon + beta * kl
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.Assign]:
            if not isinstance(node, ast.Assign) or not _is_summed_divergence(node.value):
                continue
            scope = scope_of(program, node)
            name = written(targets_of(node)[0])
            recon = next((part for part in walk(scope) if _is_averaged(part)), None)
            if isinstance(recon, ast.Call) and not _is_weighted(program, scope, name):
                made = program.source.segment(recon)
                inner = made[:-1].rstrip().rstrip(",")
                target = program.source.segment(recon.args[1]) if len(recon.args) > 1 else "x"
                text = f'{inner}, reduction="sum") / len({target})'
                message = f"the reconstruction is a mean over all elements, {name} a sum: the divergence outweighs it"
                yield self.finding(program, recon, message, fix=suggested(replace_node(program, recon, text)))


_RECONSTRUCTIONS = {"mse_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits", "l1_loss", "smooth_l1_loss"}
_LOG_VARIANCE = re.compile(r"log_?var|log_?sigma|\blv\b", re.IGNORECASE)


def _is_summed_divergence(value: ast.expr) -> bool:
    """``-0.5 * sum(1 + logvar - mu**2 - exp(logvar))``, summed over more than the batch."""
    text = written(value)
    summed = [part for part in walk(value) if method_of(part) == "sum" and isinstance(part, ast.Call)]
    divergence = _LOG_VARIANCE.search(text) is not None and "exp" in text and "0.5" in text
    divided = any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div) for part in walk(value))
    return bool(summed) and divergence and not divided


def _is_averaged(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and method_of(node) in _RECONSTRUCTIONS
        and keyword_of(node, "reduction") is None
        and keyword_of(node, "size_average") is None
    )


def _is_weighted(program: Program, scope: ast.AST, name: str) -> bool:
    """Whether the divergence is multiplied or divided by anything where it is used."""
    used = [part for part in program.nodes[ast.Name] if isinstance(part, ast.Name) and part.id == name]
    for part in used:
        parent = program.parents.get(part)
        scales = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mult | ast.Div)
        changed = isinstance(parent, ast.AugAssign) and isinstance(parent.op, ast.Mult | ast.Div)
        if scales or changed:
            return True
    return bool(re.search(r"\b(beta|kl_?weight|anneal\w*|kld_?weight)\b", program.source.text, re.IGNORECASE))
