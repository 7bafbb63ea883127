"""ignored-class-is-real."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.loss import Encoding, spellings
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import remove_argument
from bugloss.source.program import Program


class IgnoredClassIsReal(Rule):
    """The loss leaves out a class that the data contain.

    ## What it finds
    ``CrossEntropyLoss(ignore_index=0)`` (or another class index) for images, in a file that says nothing of padding
    or of an unlabelled class.

    ## Why it hurts
    ``ignore_index`` drops all positions with that label from the loss. Where the index is a class of its own, such
    as the background of a segmentation, the network never learns to predict it.

    ## Example
    ```python
    criterion = nn.CrossEntropyLoss(ignore_index=0)  # 0 is the background
    ```

    ## Use instead
    ```python
    criterion = nn.CrossEntropyLoss()
    ```

    ## Known problems
    Whether a class is to be left out is the author's choice; a file that mentions void, unlabelled or padding is
    not reported.

    ## Fix safety
    Suggested: ``ignore_index`` is removed.

    ## References
    PyTorch documentation of ``torch.nn.CrossEntropyLoss``.
    """

    name = "ignored-class-is-real"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("ignore_index", "ignore_class")
    faulty = (
        """\
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 4, 1))
criterion = nn.CrossEntropyLoss(ignore_index=0)
""",
    )
    clean = (
        """\
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 4, 1))
criterion = nn.CrossEntropyLoss(ignore_index=255)
""",
        """\
import torch
from torch import nn

conv = nn.Conv2d(1, 2, 3)
PAD = 0
tokens = nn.utils.rnn.pad_sequence(sequences)
criterion = nn.CrossEntropyLoss(ignore_index=0)
""",
        """\
from torch import nn

table = nn.Embedding(100, 8, padding_idx=0)
criterion = nn.CrossEntropyLoss(ignore_index=0)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        text = program.source.text
        if _LEFT_OUT.search(text) or not re.search(r"Conv2d|Conv2D|conv2d|segment|unet", text, re.IGNORECASE):
            return
        for call in program.called(*_LOSSES):
            for item in call.keywords:
                index = item.value.value if isinstance(item.value, ast.Constant) else None
                if item.arg in {"ignore_index", "ignore_class"} and isinstance(index, int) and 0 <= index < _FEW:
                    message = f"class {index} is left out of the loss, so the network never learns to predict it"
                    fix = suggested(remove_argument(program, call, item))
                    yield self.finding(program, item.value, message, fix=fix)


_LOSSES = spellings(lambda row: row.classifies and row.targets is Encoding.CLASS_NUMBERS)
_FEW = 100  # larger indices (255, 1000 …) are usual marks for positions without a label
_LEFT_OUT = re.compile(
    r"\bpad(ded|_\w+)?\b|<pad>|pad_sequence|padding_idx|\bvoid\b|unlabel|ignored?\b(?!_)|nodata|no_data", re.IGNORECASE
)
