"""early-read-of-async-copy."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of, method_of, receiver_of
from bugloss.source.training.loss_calls import last_assigned


class EarlyReadOfAsyncCopy(Rule):
    """An asynchronous copy is read before it is complete.

    ## What it finds
    A tensor copied to the CPU with ``non_blocking=True`` and read by ``numpy()``, ``item()`` or ``tolist()`` without
    a synchronisation in between.

    ## Why it hurts
    The CPU reads memory that the GPU has not written yet: the values are sometimes old or half written.

    ## Example
    ```python
    array = x.to("cpu", non_blocking=True).numpy()
    ```

    ## Use instead
    ```python
    array = x.to("cpu").numpy()
    ```

    ## Known problems
    Only reads in the same block are found.

    ## Fix safety
    Safe: the copy becomes synchronous.

    ## References
    PyTorch documentation, A guide on good usage of non_blocking and pin_memory(); torchrec issue 4421.
    """

    name = "early-read-of-async-copy"
    severity = Severity.ERROR
    category = Category.GPU
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("device",)
    words = ("non_blocking", ".cpu")
    faulty = (
        """\
import torch

def fetch(x):
    return x.to("cpu", non_blocking=True).numpy()
""",
        """\
import torch

def fetch(x):
    copy = x.to("cpu", non_blocking=True)
    return copy.numpy()
""",
    )
    clean = (
        """\
import torch

def fetch(x, device):
    copy = x.to("cpu", non_blocking=True)
    torch.cuda.synchronize()
    y = x.to(device, non_blocking=True)
    return copy.numpy(), y
""",
        """\
import torch

def fetch(x):
    return x.to("cpu").numpy() + x.cpu().numpy()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or program.mentions(("synchronize", "wait(", "Event(")):
            return
        for call in program.called("numpy", "item", "tolist"):
            source: ast.expr | None = receiver_of(call)
            statement = program.enclosing(call, ast.stmt)
            if isinstance(source, ast.Name) and isinstance(statement, ast.stmt):
                made = last_assigned(program, source.id, statement)
                source = made.value if made is not None else None
            waiting = keyword_of(source, "non_blocking") if isinstance(source, ast.Call) and _to_cpu(source) else None
            if waiting is not None and is_constant(waiting, True):
                message = f"{method_of(call)}() may read the copy before the device has written it"
                fix = replace_node(program, waiting, "False", "wait for the copy", Safety.SAFE)
                yield self.finding(program, call, message, fix=fix)


def _to_cpu(call: ast.Call) -> bool:
    return method_of(call) == "to" and bool(call.args) and is_constant(call.args[0], "cpu")
