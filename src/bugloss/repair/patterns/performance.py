"""Time and memory."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting, FixExample


class PerformanceFix(Adopting):
    """What it changes
    ---------------
    The same results with less time or memory: no graphs that are kept alive, tensors made where they are used.

    When it is tried
    ----------------
    With findings about training loops and causes about memory that grows.

    Known problems
    --------------
    A patch is judged by the seconds of a step alone; where these do not fall, it is not shown to help.

    References
    ----------
    A pattern of bugloss, beside the fifteen of "Repairing Deep Neural Networks" (ICSE 2020).
    """

    fix_pattern = FixPattern.PERFORMANCE
    examples = (
        FixExample(
            """\
import torch
from torch import nn

def train(model, loader, optimizer, criterion):
    total = 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss
    return total
""",
            """\
import torch
from torch import nn

def train(model, loader, optimizer, criterion):
    total = 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total
""",
        ),
    )
