"""padding-in-loss."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, add_argument
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import keyword_of, loads


class PaddingInLoss(Rule):
    """The loss counts padding as targets.

    ## What it finds
    Targets that are padded with ``pad_sequence`` and a ``CrossEntropyLoss`` (or ``NLLLoss``) without ``ignore_index``,
    in a file that uses no mask.

    ## Why it hurts
    Most positions of short sequences are padding, which is easy to predict: the loss looks good, and the network learns
    to predict padding.

    ## Example
    ```python
    labels = pad_sequence(labels, batch_first=True, padding_value=0)
    criterion = nn.CrossEntropyLoss()
    ```

    ## Use instead
    ```python
    labels = pad_sequence(labels, batch_first=True, padding_value=-100)
    criterion = nn.CrossEntropyLoss(ignore_index=-100)
    ```

    ## Known problems
    Names are believed: what is padded must be called labels, targets or tags.

    ## Fix safety
    Suggested: the value of the padding is ignored; it must not be a class.

    ## References
    PyTorch documentation, CrossEntropyLoss: ignore_index; the catalogue's row pad/mask/tokens.
    """

    name = "padding-in-loss"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss", "data")
    words = ("pad_sequence",)
    faulty = (
        """\
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

def collate(batch):
    words, labels = zip(*batch)
    return pad_sequence(words, batch_first=True), pad_sequence(labels, batch_first=True)

criterion = nn.CrossEntropyLoss()
""",
    )
    clean = (
        """\
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

def collate(batch):
    words, labels = zip(*batch)
    return pad_sequence(words, batch_first=True), pad_sequence(labels, batch_first=True, padding_value=-100)

criterion = nn.CrossEntropyLoss()
""",
        """\
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

def collate(batch):
    words, labels = zip(*batch)
    return pad_sequence(words, batch_first=True), torch.tensor(labels)

criterion = nn.CrossEntropyLoss()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        padded = [call for call in program.called("pad_sequence") if _pads_targets(call)]
        if not padded or program.mentions(("mask", "ignore_index", "pack_padded", "reduction")):
            return
        given = keyword_of(padded[0], "padding_value")
        value = program.source.segment(given) if given is not None else "0"
        for call in program.called("CrossEntropyLoss", "NLLLoss"):
            if value != "-100":  # what the losses of PyTorch ignore without being asked
                message = (
                    f"the targets are padded with {value} (line {padded[0].lineno}), and the loss counts the padding"
                )
                fix = add_argument(program, call, f"ignore_index={value}", "ignore the padding")
                yield self.finding(program, call, message, fix=fix)


def _pads_targets(call: ast.Call) -> bool:
    names = {name.lower() for name in loads(call.args)}
    return any(word in name for name in names for word in ("label", "target", "tag", "tgt"))
