"""softmax-without-dim."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, add_argument
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import keyword_of, method_of, spreads


class SoftmaxWithoutDim(Rule):
    """Softmax is called without ``dim``.

    ## What it finds
    ``F.softmax``, ``F.log_softmax``, ``F.softmin``, ``nn.Softmax`` or ``nn.LogSoftmax`` without ``dim``.

    ## Why it hurts
    PyTorch then uses axis 0 for tensors with 1 or 3 dimensions and axis 1 otherwise. With three dimensions that is
    the batch or the sequence, so the outputs are not distributions over classes.

    ## Example
    ```python
    probabilities = F.softmax(logits)
    ```

    ## Use instead
    ```python
    probabilities = F.softmax(logits, dim=-1)
    ```

    ## Known problems
    None known.

    ## Fix safety
    Suggested: the fix uses the last axis, which may differ from the axis that PyTorch chooses.

    ## References
    PyTorch documentation, torch.nn.functional.softmax (implicit dimension choice is deprecated); Stack Overflow
    61781193.
    """

    name = "softmax-without-dim"
    severity = Severity.WARNING
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("model",)
    words = ("oftmax", "oftmin")
    faulty = (
        """\
import torch.nn.functional as F

def probabilities(logits):
    return F.softmax(logits)
""",
        """\
import torch.nn as nn

head = nn.Sequential(nn.Linear(8, 3), nn.Softmax())
""",
    )
    clean = (
        """\
import torch
import torch.nn.functional as F
from torch import nn

def probabilities(logits):
    layer = nn.Softmax(dim=1)
    return F.softmax(logits, 1) + F.log_softmax(logits, dim=-1) + torch.softmax(logits, 1) + layer(logits)
""",
        """\
from scipy.special import softmax
import torch
import keras

def probabilities(logits):
    return softmax(logits) + keras.layers.Softmax()(logits)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch.nn.functional as F

def probabilities(logits):
    return F.softmax(logits, dim=-1)
""",
        1: """\
import torch.nn as nn

head = nn.Sequential(nn.Linear(8, 3), nn.Softmax(dim=-1))
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called(*{name.rsplit(".", 1)[-1] for name in _POSITION}):
            if spreads(call) or keyword_of(call, "dim"):
                continue
            position = _POSITION.get(program.names.qualified(call.func) or "")
            if position is not None and len(call.args) <= position:
                message = (
                    f"{method_of(call)} without dim uses axis 0 for 1-d and 3-d input and axis 1 otherwise: pass dim"
                )
                fix = add_argument(program, call, "dim=-1", "pass dim=-1")
                yield self.finding(program, call, message, fix=fix)


_POSITION = {
    **{f"torch.nn.functional.{name}": 1 for name in ("softmax", "log_softmax", "softmin")},
    **{f"torch.nn.{name}": 0 for name in ("Softmax", "LogSoftmax", "Softmin")},
}
