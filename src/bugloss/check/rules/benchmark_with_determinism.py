"""benchmark-with-determinism."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant


class BenchmarkWithDeterminism(Rule):
    """Deterministic algorithms are requested, but cuDNN chooses its algorithms by benchmark.

    ## What it finds
    ``torch.backends.cudnn.benchmark = True`` in a file that also requests deterministic algorithms.

    ## Why it hurts
    The benchmark may choose a different algorithm in each run, with different rounding, so results differ between
    runs.

    ## Example
    ```python
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = True
    ```

    ## Use instead
    ```python
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = False
    ```

    ## Known problems
    The two settings in different branches are not reported.

    ## Fix safety
    Suggested: fixed input sizes may run slower.

    ## References
    PyTorch documentation, Reproducibility: CUDA convolution benchmarking.
    """

    name = "benchmark-with-determinism"
    severity = Severity.WARNING
    category = Category.API
    fix_pattern = FixPattern.SEED
    groups = ("reproducibility",)
    words = ("benchmark",)
    faulty = (
        """\
import torch

torch.manual_seed(0)
torch.backends.cudnn.deterministic = True
torch.backends.cudnn.benchmark = True
""",
    )
    clean = (
        """\
import torch

torch.backends.cudnn.deterministic = True
torch.backends.cudnn.benchmark = False
""",
        """\
import torch
from torch.backends import cudnn

def setup(seed):
    if seed is not None:
        cudnn.deterministic = True
        cudnn.benchmark = False
    else:
        cudnn.benchmark = True
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

torch.manual_seed(0)
torch.backends.cudnn.deterministic = True
torch.backends.cudnn.benchmark = False
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        settings = [node for node in program.nodes[ast.Assign] if isinstance(node, ast.Assign)]
        requests: list[ast.stmt] = [node for node in settings if _sets(program, node, "deterministic")]
        for call in program.called("use_deterministic_algorithms"):
            statement = program.parents.get(call)
            if call.args and is_constant(call.args[0], True) and isinstance(statement, ast.Expr):
                requests.append(statement)
        for node in settings:
            if _sets(program, node, "benchmark"):
                for request in requests:
                    if _same_block(program, request, node):
                        message = "cudnn.benchmark makes results differ between runs, although determinism is requested"
                        fix = replace_node(program, node.value, "False", "set benchmark to False")
                        yield self.finding(program, node, message, fix=fix)
                        break


def _sets(program: Program, node: ast.Assign, name: str) -> bool:
    return is_constant(node.value, True) and program.names.qualified(node.targets[0]) == f"torch.backends.cudnn.{name}"


def _same_block(program: Program, first: ast.stmt, second: ast.stmt) -> bool:
    """Whether both are in one list of statements, not in two branches of a test."""
    parent = program.parents.get(first)
    bodies = [getattr(parent, name, []) for name in ("body", "orelse")]
    return any(isinstance(body, list) and first in body and second in body for body in bodies)
