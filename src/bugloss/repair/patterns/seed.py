"""Randomness."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting, FixExample


class SeedFix(Adopting):
    """What it changes
    ---------------
    Orders and generators that differ from run to run are fixed.

    When it is tried
    ----------------
    With findings about orders and determinism.

    Known problems
    --------------
    Such a patch makes runs repeatable, not better: it is not shown to help by a metric.

    References
    ----------
    A pattern of bugloss, beside the fifteen of "Repairing Deep Neural Networks" (ICSE 2020).
    """

    fix_pattern = FixPattern.SEED
    examples = (
        FixExample(
            """\
labels = ["cat", "dog", "cat"]
indices = {name: number for number, name in enumerate(set(labels))}
import torch
""",
            """\
labels = ["cat", "dog", "cat"]
indices = {name: number for number, name in enumerate(sorted(set(labels)))}
import torch
""",
        ),
    )
