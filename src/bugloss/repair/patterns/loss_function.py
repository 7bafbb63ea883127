"""The loss function, or how it is computed."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.repair.safe_formulas import safe_formulas
from bugloss.source.above_zero import raised_argument

_SURE = 0.6  # that NaN or infinity comes from the first of the formulas that can give it
_LATER = 0.85  # each further formula is that much less likely
_NOT_FINITE = {"loss-nonfinite", "first-bad-operation", "nonfinite-weights", "nonfinite-gradient"}
_REASON = "The recording has NaN or infinity, and this formula or its gradient can give it."


class LossFunctionFix(FixGenerator):
    """What it changes
    ---------------
    Another loss function, one that fits output layer and targets; or the same one in a form that stays finite.

    When it is tried
    ----------------
    With causes and findings about the loss, most of them decided by `core/network/fit.py`. A root whose gradient is
    infinite at zero is taken of slightly more. Where the recording has NaN or infinity, every other formula that can
    give it is written in a finite form: logarithms, roots, quotients, arc cosines, masks of -infinity, CTC.

    Known problems
    --------------
    Losses of two functions are on two scales: a patch is compared by accuracy, or by the share of the initial loss.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.LOSS_FUNCTION
    examples = (
        FixExample(
            """\
import torch
from torch import nn

def loss(logits, target):
    return -(torch.log(torch.softmax(logits, dim=1)) * target).sum()
""",
            """\
import torch
from torch import nn

def loss(logits, target):
    return -(torch.log_softmax(logits, dim=1) * target).sum()
""",
        ),
        FixExample(
            """\
import torch


def pair_loss(first, second):
    return torch.sqrt((first - second).pow(2).sum(dim=1)).mean()
""",
            """\
import torch


def pair_loss(first, second):
    return torch.sqrt((first - second).pow(2).sum(dim=1) + 1e-9).mean()
""",
        ),
        FixExample(
            """\
import tensorflow as tf


def entropy(p, there):
    return -tf.reduce_sum(tf.where(there, p * tf.math.log(p), tf.zeros_like(p)))
""",
            """\
import tensorflow as tf


def entropy(p, there):
    return -tf.reduce_sum(tf.where(there, p * tf.math.log(tf.where(there, p, tf.ones_like(p))), tf.zeros_like(p)))
""",
            causes=("numeric-instability",),
        ),
        FixExample(
            """\
import torch


def attention(scores, there):
    return scores.masked_fill(~there, -torch.inf).softmax(dim=-1)
""",
            """\
import torch


def attention(scores, there):
    return scores.masked_fill(~there, torch.finfo(scores.dtype).min).softmax(dim=-1)
""",
            causes=("numeric-instability",),
        ),
        FixExample(
            """\
import torch


def angle(a, b):
    return torch.acos((a * b).sum(-1))
""",
            """\
import torch


def angle(a, b):
    return torch.acos((a * b).sum(-1).clamp(-1 + 1e-6, 1 - 1e-6))
""",
            causes=("numeric-instability",),
        ),
        FixExample(
            """\
from torch import nn

criterion = nn.CTCLoss(blank=0, reduction="sum")
""",
            """\
from torch import nn

criterion = nn.CTCLoss(blank=0, reduction="sum", zero_infinity=True)
""",
            causes=("numeric-instability",),
        ),
    )

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        for finding, module, call in case.calls_found("sqrt-gradient-at-zero"):
            edit = raised_argument(module, call, "sqrt")
            if edit is not None:
                yield self.patch(edit, finding.confidence, finding.message)
        if not _NOT_FINITE & {symptom.name for symptom in case.symptoms} and case.named("numeric-instability") is None:
            return
        for module in case.project.modules():
            for number, edit in enumerate(safe_formulas(module)):
                yield self.patch(edit, round(_SURE * _LATER**number, 3), _REASON)
