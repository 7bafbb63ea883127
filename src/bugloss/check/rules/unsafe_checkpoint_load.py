"""unsafe-checkpoint-load."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, add_argument
from bugloss.check.releases.requirement import parse_version
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of, spreads


class UnsafeCheckpointLoad(Rule):
    """A checkpoint is loaded in a way that can execute code.

    ## What it finds
    ``torch.load`` with ``weights_only=False``, or without the argument where the checked release is older than 2.6
    or not known.

    ## Why it hurts
    A pickle file can execute any code when it is loaded. Since PyTorch 2.6 the default is safe, so the same line also
    behaves differently in different releases.

    ## Example
    ```python
    state = torch.load("model.pt")
    ```

    ## Use instead
    ```python
    state = torch.load("model.pt", weights_only=True)
    ```

    ## Known problems
    Checkpoints that contain whole objects need ``weights_only=False``; load them from trusted sources only.

    ## Fix safety
    Suggested: files with whole objects no longer load.

    ## References
    PyTorch documentation, torch.load (warning); TorchFix rule TOR102.
    """

    name = "unsafe-checkpoint-load"
    severity = Severity.ADVICE
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("security",)
    words = ("load",)
    faulty = (
        """\
import torch

state = torch.load("model.pt", map_location="cpu")
""",
    )
    clean = (
        """\
import torch

state = torch.load("model.pt", map_location="cpu", weights_only=True)
""",
        """\
import torch
import json

def load(path, options):
    return torch.load(path, **options), json.load(open(path))
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

state = torch.load("model.pt", map_location="cpu", weights_only=True)
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("load"):
            if program.names.qualified(call.func) != "torch.load" or spreads(call):
                continue
            given = keyword_of(call, "weights_only")
            if given is None and parse_version(program.target.get("torch", "")) < (2, 6):
                message = "torch.load without weights_only runs any code in the file on releases before 2.6"
                fix = add_argument(program, call, "weights_only=True", "pass weights_only=True")
                yield self.finding(program, call, message, fix=fix)
            elif given is not None and is_constant(given, False):
                yield self.finding(program, call, "torch.load with weights_only=False runs any code in the file")
