"""unchecked-partial-load."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of


class UncheckedPartialLoad(Rule):
    """Weights are loaded with ``strict=False``, and the result is not checked.

    ## What it finds
    ``load_state_dict(…, strict=False)`` whose result is not used.

    ## Why it hurts
    Keys that do not match are skipped silently. With one wrong prefix (``module.``) no weight at all is loaded.

    ## Example
    ```python
    model.load_state_dict(state, strict=False)
    ```

    ## Use instead
    ```python
    missing, unexpected = model.load_state_dict(state, strict=False)
    assert not unexpected
    ```

    ## Known problems
    Partial loading may be intended; the rule is therefore advice.

    ## Fix safety
    No fix is offered.

    ## References
    PyTorch documentation, Module.load_state_dict (returns missing and unexpected keys).
    """

    name = "unchecked-partial-load"
    severity = Severity.ADVICE
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("model",)
    words = ("load_state_dict",)
    faulty = (
        """\
import torch

def restore(model, path):
    model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True), strict=False)
""",
    )
    clean = (
        """\
import torch

def restore(model, path):
    model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
""",
        """\
import torch

def restore(model, path):
    result = model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True), strict=False)
    print(result.missing_keys)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("load_state_dict"):
            lenient = is_constant(keyword_of(call, "strict"), False) or any(
                is_constant(a, False) for a in call.args[1:2]
            )
            if lenient and isinstance(program.parents.get(call), ast.Expr):
                message = "keys that do not match are skipped silently: check the result of load_state_dict"
                yield self.finding(program, call, message)
