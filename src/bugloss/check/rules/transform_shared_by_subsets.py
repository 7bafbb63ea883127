"""transform-shared-by-subsets."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, targets_of


class TransformSharedBySubsets(Rule):
    """A transform that is set for one part of a split applies to the other part as well.

    ## What it finds
    ``train.dataset.transform = …`` after ``random_split`` or ``Subset``, where another part of the same split
    exists.

    ## Why it hurts
    All parts of a split share one data set. The validation data are augmented too, or the training data lose their
    augmentation.

    ## Example
    ```python
    train, val = random_split(data, [800, 200])
    train.dataset.transform = augment
    ```

    ## Use instead
    ```python
    train = Subset(ImageFolder(root, augment), train_indices)
    val = Subset(ImageFolder(root, plain), val_indices)
    ```

    ## Known problems
    A data set that is copied before the split is not seen.

    ## Fix safety
    No fix is offered.

    ## References
    PyTorch documentation of ``torch.utils.data.random_split``.
    """

    name = "transform-shared-by-subsets"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = (".dataset.",)
    faulty = (
        """\
import torch
from torch.utils.data import random_split

def split(data, augment):
    train, val = random_split(data, [800, 200])
    train.dataset.transform = augment
    return train, val
""",
    )
    clean = (
        """\
import copy
import torch
from torch.utils.data import random_split

def split(data, augment):
    train, val = random_split(data, [800, 200])
    train.dataset = copy.copy(data)
    train.dataset.transform = augment
    return train, val
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if not program.called("random_split", "Subset") or program.called("copy", "deepcopy"):
            return
        for node in program.nodes[ast.Assign]:
            for target in targets_of(node):
                name = dotted(target)
                if ".dataset." in name and name.endswith(
                    ("transform", "transforms", "augment", "augmentation", "train")
                ):
                    owner = name.split(".dataset.")[0]
                    message = f"all parts of the split share this data set, so this is set for more than {owner}"
                    yield self.finding(program, node, message)
