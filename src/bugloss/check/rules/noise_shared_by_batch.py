"""noise-shared-by-batch."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of, method_of, walk, written


class NoiseSharedByBatch(Rule):
    """One draw of noise is used for all samples of a batch.

    ## What it finds
    ``mean + deviation * noise`` where the noise was drawn for one sample: ``torch.randn(size)`` with a single
    number or a first axis of 1, in a function that handles batches; and one time step ``randint(…, (1,))`` for a
    whole batch of a diffusion model.

    ## Why it hurts
    All samples of a batch get the same random vector. The network can rely on it, gradients are far noisier, and
    sampling lacks variety.

    ## Example
    ```python
    noise = torch.randn(latent_size)
    z = mean + std * noise
    ```

    ## Use instead
    ```python
    noise = torch.randn_like(std)
    z = mean + std * noise
    ```

    ## Known problems
    A program that handles one sample at a time is reported.

    ## Fix safety
    Suggested for PyTorch: the noise gets the shape of the deviation.

    ## References
    Kingma and Welling, Auto-Encoding Variational Bayes (2014), section 2.4.
    """

    name = "noise-shared-by-batch"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_DIMENSION
    groups = ("loss",)
    words = ("randn", "normal(")
    faulty = (
        """\
import torch
from torch import nn

class Model(nn.Module):
    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn(self.latent)
        return mu + eps * std
""",
        """\
import tensorflow as tf

def sample(mean, log_var, latent_dim):
    epsilon = tf.random.normal(shape=(1, latent_dim))
    return mean + tf.exp(0.5 * log_var) * epsilon
""",
    )
    clean = (
        """\
import torch
import tensorflow as tf

def sample(mean, log_var, latent_dim, batch):
    epsilon = tf.random.normal(shape=(tf.shape(mean)[0], latent_dim))
    other = torch.randn(batch, latent_dim)
    third = torch.randn(mean.shape)
    fourth = torch.randn(mean.size())
    noise = torch.randn(latent_dim)
    jitter = 0.1 + noise * 2
    return mean + tf.exp(0.5 * log_var) * epsilon, mean + log_var.exp() * other, mean + third * log_var, fourth
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.BinOp]:
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
                continue
            for mean, product in ((node.left, node.right), (node.right, node.left)):
                if not isinstance(product, ast.BinOp) or not isinstance(product.op, ast.Mult):
                    continue
                for noise, deviation in ((product.left, product.right), (product.right, product.left)):
                    drawn = definition(program, noise)
                    if _MEAN.search(written(mean)) and _DEVIATION.search(written(deviation)) and _is_for_one(drawn):
                        text = f"torch.randn_like({written(mean)})"
                        fix = suggested(replace_node(program, drawn, text)) if "torch" in written(drawn) else None
                        message = (
                            "this noise is the same for all samples of the batch: draw it in the shape of the mean"
                        )
                        yield self.finding(program, drawn, message, fix=fix)


_MEAN = re.compile(r"(^|[._])(mu|mean|loc|z_mean)\b|mean", re.IGNORECASE)
_DEVIATION = re.compile(r"std|sigma|var|scale|exp", re.IGNORECASE)
_DRAWS = {"randn", "normal", "standard_normal", "random_normal"}
_SHAPES = {"shape", "size", "batch", "len", "batch_size", "n", "b", "B", "N"}


def _is_for_one(drawn: ast.expr) -> bool:
    """Whether noise is drawn with one axis only, or with a first axis of length one."""
    if not isinstance(drawn, ast.Call) or method_of(drawn) not in _DRAWS:
        return False
    given = keyword_of(drawn, "shape") or keyword_of(drawn, "size")
    axes = [given] if given is not None else list(drawn.args)
    if len(axes) == 1 and isinstance(axes[0], ast.Tuple | ast.List):
        axes = list(axes[0].elts)
    if not axes or any(_names_batch(part) for axis in axes[:1] for part in walk(axis)):
        return False
    return len(axes) == 1 or is_constant(axes[0], 1)


def _names_batch(node: ast.AST) -> bool:
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name in _SHAPES or "batch" in name or "shape" in name or isinstance(node, ast.Starred | ast.Call)
