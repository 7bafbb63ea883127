"""loss-terms-reduced-differently."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import origin_nodes
from bugloss.core.edit import Edit
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.loss import KnownLoss, spellings
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of, method_of, targets_of, walk, written


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
        """\
import keras
from keras import ops

def losses_of(images, output, z_mean, z_log_var):
    recon = ops.mean(keras.losses.binary_crossentropy(images, output))
    kl = -0.5 * (1 + z_log_var - ops.square(z_mean) - ops.exp(z_log_var))
    kl = ops.mean(ops.sum(kl, axis=1))
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
        """\
import keras
from keras import ops

def summed(images, output, z_mean, z_log_var):
    recon = ops.mean(ops.sum(keras.losses.binary_crossentropy(images, output), axis=(1, 2)))
    kl = -0.5 * (1 + z_log_var - ops.square(z_mean) - ops.exp(z_log_var))
    return recon + ops.mean(ops.sum(kl, axis=1))

def scaled(images, output, z_mean, z_log_var):
    recon = 784 * ops.mean(keras.losses.binary_crossentropy(images, output))
    kl = -0.5 * ops.sum(1 + z_log_var - ops.square(z_mean) - ops.exp(z_log_var), axis=1)
    return recon + ops.mean(kl)

def scaled_later(images, output, z_mean, z_log_var):
    recon = ops.mean(keras.losses.mean_squared_error(images, output))
    recon *= 784
    kl = -0.5 * ops.sum(1 + z_log_var - ops.square(z_mean) - ops.exp(z_log_var), axis=1)
    return recon + ops.mean(kl)
""",
        """\
import keras
from keras import ops

def with_a_score_of_the_sample(words, output, score, guess, z_mean, z_log_var):
    recon = ops.mean(ops.sum(keras.losses.categorical_crossentropy(words, output), axis=1))
    scored = ops.mean(keras.losses.binary_crossentropy(score, guess))
    kl = -0.5 * ops.sum(1 + z_log_var - ops.square(z_mean) - ops.exp(z_log_var), axis=1)
    return recon + scored + ops.mean(kl)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.Assign]:
            if not isinstance(node, ast.Assign) or not _is_summed_divergence(program, node.value):
                continue
            scope = scope_of(program, node)
            name = written(targets_of(node)[0])
            parts = walk(scope)
            if any(_is_summed_error(part) for part in parts):
                continue
            recon = next((part for part in parts if _is_averaged(program, part)), None)
            if isinstance(recon, ast.Call) and not _is_weighted(program, name) and not _is_scaled(program, recon):
                message = f"the reconstruction is a mean over all elements, {name} a sum: the divergence outweighs it"
                yield self.finding(program, recon, message, fix=suggested(_summed(program, recon)))


def _functions(wanted: Callable[[KnownLoss], bool]) -> set[str]:
    """The losses that meet a condition, as functions."""
    return {name for name in spellings(wanted) if name.islower()}


def _compares_elements(row: KnownLoss) -> bool:
    return row.regresses or row.kind == "binary-cross-entropy"


_RECONSTRUCTIONS = _functions(lambda row: row.framework == "torch" and _compares_elements(row))
_OF_KERAS = _functions(lambda row: row.framework == "keras" and _compares_elements(row))
_BY_CLASS = _functions(lambda row: row.kind == "cross-entropy")
_LOG_VARIANCE = re.compile(r"log_?var|log_?sigma|\blv\b", re.IGNORECASE)


def _is_summed_divergence(program: Program, value: ast.expr) -> bool:
    """``-0.5 * sum(1 + logvar - mu**2 - exp(logvar))``, summed over more than the batch."""
    summed = [part for part in walk(value) if method_of(part) in {"sum", "reduce_sum"} and isinstance(part, ast.Call)]
    if not summed or any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div) for part in walk(value)):
        return False
    behind = {written(part) for part in origin_nodes(program, value) if isinstance(part, ast.Name | ast.Attribute)}
    numbers = any(is_constant(part, 0.5) for part in origin_nodes(program, value))
    return numbers and any(map(_LOG_VARIANCE.search, behind)) and any(name.endswith("exp") for name in behind)


def _is_averaged(program: Program, node: ast.AST) -> bool:
    """Whether a call gives the mean of an error over all elements."""
    if not isinstance(node, ast.Call) or keyword_of(node, "reduction") or keyword_of(node, "size_average"):
        return False
    if method_of(node) in _RECONSTRUCTIONS:
        return True
    inner = node.args[0] if method_of(node) in {"mean", "reduce_mean"} and len(node.args) == 1 else None
    return method_of(inner) in _OF_KERAS and keyword_of(node, "axis") is None


def _is_summed_error(node: ast.AST) -> bool:
    """Whether a call adds an error up over the elements of a sample: that is the reconstruction then."""
    return (
        isinstance(node, ast.Call)
        and method_of(node) in {"sum", "reduce_sum"}
        and bool(node.args)
        and method_of(node.args[0]) in _OF_KERAS | _RECONSTRUCTIONS | _BY_CLASS
    )


def _is_scaled(program: Program, call: ast.Call) -> bool:
    """Whether the mean is multiplied by a number of elements, at once or by its name."""
    parent = program.parents.get(call)
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mult):
        return True
    return isinstance(parent, ast.Assign) and _is_weighted(program, written(targets_of(parent)[0]), settings=False)


def _summed(program: Program, recon: ast.Call) -> Edit | None:
    """The reconstruction as a sum over elements and a mean over samples."""
    if method_of(recon) in _RECONSTRUCTIONS:
        inner, samples = program.source.segment(recon)[:-1].rstrip().rstrip(","), recon.args[1:2]
        text = f'{inner}, reduction="sum")'
    else:
        error = recon.args[0]
        samples = error.args[:1] if isinstance(error, ast.Call) else []
        function = written(recon.func).replace("mean", "sum")
        text = f"{function}({program.source.segment(error)})"
    target = program.source.segment(samples[0]) if samples else "x"
    return replace_node(program, recon, f"{text} / len({target})")


def _is_weighted(program: Program, name: str, *, settings: bool = True) -> bool:
    """Whether a term is multiplied or divided by anything where it is used, or a weight of terms is among settings."""
    used = [part for part in program.nodes[ast.Name] if isinstance(part, ast.Name) and part.id == name]
    for part in used:
        parent = program.parents.get(part)
        scales = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mult | ast.Div)
        changed = isinstance(parent, ast.AugAssign) and isinstance(parent.op, ast.Mult | ast.Div)
        if scales or changed:
            return True
    words = r"\b(beta|kl_?weight|anneal\w*|kld_?weight)\b"
    return settings and bool(re.search(words, program.source.text, re.IGNORECASE))
