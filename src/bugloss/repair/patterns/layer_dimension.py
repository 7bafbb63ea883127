"""Sizes of layers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.source.editing import replace_node

_EXPECTED = re.compile(r"Linear expects (?P<expected>\d+) features, but its input has shape \(.*?(?P<given>\d+)\)")


class LayerDimensionFix(FixGenerator):
    """What it changes
    ---------------
    The number of inputs, units, channels or the window of a layer, so that it fits its neighbours or the classes.

    When it is tried
    ----------------
    With crashes about sizes, and findings about layers that do not fit.

    Known problems
    --------------
    Weights that were saved with the old sizes cannot be loaded.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.LAYER_DIMENSION
    examples = (
        FixExample(
            """\
import torch
from torch import nn

model = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(64, 10))
print(model(torch.randn(8, 784)))
""",
            """\
import torch
from torch import nn

model = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
print(model(torch.randn(8, 784)))
""",
        ),
    )

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        """A dense layer that gets another number of features takes them."""
        for finding, module, call in case.calls_found("shape-conflict"):
            said = _EXPECTED.search(finding.message)
            first = call.args[0] if call.args else None
            if said and isinstance(first, ast.Constant) and str(first.value) == said["expected"]:
                edit = replace_node(module, first, said["given"])
                yield self.patch(edit, finding.confidence, finding.message, changes_keys=True)
