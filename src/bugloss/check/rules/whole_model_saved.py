"""whole-model-saved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.torch_classes import made_networks
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted


class WholeModelSaved(Rule):
    """A whole network object is saved instead of its weights.

    ## What it finds
    ``torch.save(model, …)`` with a network that the file creates.

    ## Why it hurts
    The file refers to classes and modules of the source code. If one is renamed or moved, the file can no longer be
    loaded, and loading it needs ``weights_only=False``.

    ## Example
    ```python
    torch.save(model, "model.pt")
    ```

    ## Use instead
    ```python
    torch.save(model.state_dict(), "model.pt")
    ```

    ## Known problems
    None known.

    ## Fix safety
    Suggested: the code that loads the file must change too.

    ## References
    PyTorch tutorials, Saving and Loading Models.
    """

    name = "whole-model-saved"
    severity = Severity.ADVICE
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("model",)
    words = ("save",)
    faulty = (
        """\
import torch
from torch import nn

model = nn.Linear(8, 2)
torch.save(model, "model.pt")
""",
    )
    clean = (
        """\
import torch
from torch import nn

model = nn.Linear(8, 2)
torch.save(model.state_dict(), "model.pt")
torch.save({"weights": model.state_dict(), "epoch": 3}, "state.pt")
""",
        """\
import torch

def store(results, path):
    torch.save(results, path)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch
from torch import nn

model = nn.Linear(8, 2)
torch.save(model.state_dict(), "model.pt")
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("save"):
            if not call.args or program.names.qualified(call.func) != "torch.save":
                continue
            name = dotted(call.args[0])
            if name in made_networks(program):
                message = f"this file can be loaded only with the same source code: save {name}.state_dict()"
                fix = replace_node(program, call.args[0], f"{name}.state_dict()", "save the weights")
                yield self.finding(program, call, message, fix=fix)
