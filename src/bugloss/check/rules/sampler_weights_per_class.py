"""sampler-weights-per-class."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, argument_node
from bugloss.check.views.definitions import definition, origin_nodes
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of


class SamplerWeightsPerClass(Rule):
    """A sampler gets one weight per class instead of one per sample.

    ## What it finds
    ``WeightedRandomSampler`` whose weights are computed from class counts (``1 / counts``) and never indexed with
    the labels.

    ## Why it hurts
    The sampler draws indices from the weights it is given. With one weight per class it draws the first few samples
    of the data set again and again.

    ## Example
    ```python
    weights = 1.0 / torch.bincount(labels)
    sampler = WeightedRandomSampler(weights, len(labels))
    ```

    ## Use instead
    ```python
    weights = (1.0 / torch.bincount(labels))[labels]
    sampler = WeightedRandomSampler(weights, len(labels))
    ```

    ## Known problems
    Weights that come from another function are not known.

    ## Fix safety
    No fix is offered: the labels are not known.

    ## References
    PyTorch documentation of ``torch.utils.data.WeightedRandomSampler``.
    """

    name = "sampler-weights-per-class"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("WeightedRandomSampler",)
    faulty = (
        """\
import torch
from torch.utils.data import WeightedRandomSampler

counts = torch.bincount(labels)
weights = 1.0 / counts.float()
sampler = WeightedRandomSampler(weights, num_samples=len(labels))
""",
    )
    clean = (
        """\
import torch
from torch.utils.data import WeightedRandomSampler

counts = torch.bincount(labels)
weights = 1.0 / counts.float()
sampler = WeightedRandomSampler(weights[labels], num_samples=len(labels))
each = [float(weights[label]) for label in labels]
other = WeightedRandomSampler(each, num_samples=len(labels))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("WeightedRandomSampler"):
            given = argument_node(call, 0, "weights")
            if given is None:
                continue
            found = definition(program, given)
            parts = origin_nodes(program, given)
            counted = any(method_of(part) in {"bincount", "unique", "Counter", "value_counts"} for part in parts)
            taken = any(isinstance(part, ast.Subscript | ast.ListComp | ast.GeneratorExp) for part in parts)
            taken = taken or any(method_of(part) in {"index_select", "gather", "take", "map"} for part in parts)
            if counted and not taken and not isinstance(found, ast.Name):
                message = "the sampler gets one weight per class, but needs one per sample: index them with the labels"
                yield self.finding(program, given, message)
