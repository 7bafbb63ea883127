"""generator-trained-as-fake."""

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
from bugloss.source.text.syntax import last_part, method_of, targets_of, walk, written


class GeneratorTrainedAsFake(Rule):
    """The generator is trained to be recognised as fake.

    ## What it finds
    A generator's loss (``g_loss``, ``loss_g``, ``gen_loss`` …) that compares the discriminator's answer to
    generated samples with zeros, while the discriminator's loss calls them zeros as well.

    ## Why it hurts
    Generator and discriminator then have the same goal: the generator learns to make samples that are easy to tell from
    real ones.

    ## Example
    ```python
    g_loss = bce(disc(fake), torch.zeros(n, 1))
    ```

    ## Use instead
    ```python
    g_loss = bce(disc(fake), torch.ones(n, 1))
    ```

    ## Known problems
    The losses are recognised by their names.

    ## Fix safety
    Suggested: ones instead of zeros.

    ## References
    Goodfellow et al., Generative Adversarial Nets (2014).
    """

    name = "generator-trained-as-fake"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("zeros",)
    faulty = (
        """\
import torch
import torch.nn.functional as F

def train(gen, disc, real, noise):
    fake = gen(noise)
    ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
    d_loss = F.binary_cross_entropy_with_logits(disc(real), ones)
    d_loss = d_loss + F.binary_cross_entropy_with_logits(disc(fake.detach()), zeros)
    g_loss = F.binary_cross_entropy_with_logits(disc(fake), zeros)
    return d_loss, g_loss
""",
    )
    clean = (
        """\
import torch
import torch.nn.functional as F

def train(gen, disc, real, noise):
    fake = gen(noise)
    ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
    d_loss = F.binary_cross_entropy_with_logits(disc(real), ones)
    d_loss = d_loss + F.binary_cross_entropy_with_logits(disc(fake.detach()), zeros)
    g_loss = F.binary_cross_entropy_with_logits(disc(fake), ones)
    return d_loss, g_loss
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        named = [node for node in program.nodes[ast.Assign] if _GENERATOR.match(last_part(targets_of(node)[0]))]
        if not named or not _DISCRIMINATOR.search(program.source.text):
            return
        for node in named:
            if not isinstance(node, ast.Assign):
                continue
            for call in (part for part in walk(node.value) if isinstance(part, ast.Call)):
                label = next((one for one in call.args if _is_zeros(program, one)), None)
                about_fake = any("fake" in written(one) or "gen" in written(one) for one in call.args)
                if label is None or not about_fake or "-" in written(node.value)[:1]:
                    continue
                made = definition(program, label)
                text = program.source.segment(made).replace("zeros", "ones", 1) if made is label else ""
                fix = suggested(replace_node(program, label, text)) if text else None
                message = (
                    "the generator's loss labels its samples as fake: compare with ones, the label of real samples"
                )
                yield self.finding(program, call, message, fix=fix)


_DISCRIMINATOR = re.compile(r"\b(d_?loss|loss_?d|disc\w*_loss|loss_disc\w*|critic_loss)\b", re.IGNORECASE)
_GENERATOR = re.compile(r"(g|gen|generator)_?loss\w*$|loss_?(g|gen|generator)$|err_?g$", re.IGNORECASE)


def _is_zeros(program: Program, node: ast.expr) -> bool:
    found = definition(program, node)
    return method_of(found) in {"zeros", "zeros_like"}
