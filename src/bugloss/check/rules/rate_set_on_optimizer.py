"""rate-set-on-optimizer."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, last_part, targets_of, written


class RateSetOnOptimizer(Rule):
    """A learning rate is set as an attribute that the optimizer does not read.

    ## What it finds
    ``optimizer.lr = …`` or ``optimizer.learning_rate = …`` for an optimizer of PyTorch, and a key of
    ``param_groups`` other than ``lr`` that is named for the rate.

    ## Why it hurts
    PyTorch reads the rate from ``param_groups``. The attribute is new and nobody looks at it: the rate stays what
    it was.

    ## Example
    ```python
    optimizer.lr = 1e-4
    ```

    ## Use instead
    ```python
    for group in optimizer.param_groups:
        group["lr"] = 1e-4
    ```

    ## Known problems
    An own class of optimizers that reads such an attribute is not known.

    ## Fix safety
    No fix is offered for attributes; a wrong key becomes "lr".

    ## References
    PyTorch documentation of ``torch.optim``.
    """

    name = "rate-set-on-optimizer"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.OPTIMIZER
    groups = ("loop",)
    words = (".lr =", ".learning_rate =", "learning_rate", ".lr *=", ".lr /=")
    faulty = (
        """\
import torch

def train(model, epochs, run):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        if epoch == 30:
            optimizer.lr = 0.01
        run(model, optimizer)
""",
        """\
import torch

def slow_down(optimizer, model):
    optimizer = torch.optim.Adam(model.parameters())
    for group in optimizer.param_groups:
        group["learning_rate"] = 1e-4
""",
    )
    clean = (
        """\
import torch

def train(model, options):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    options.lr = 0.01
    for group in optimizer.param_groups:
        group["lr"] = 0.01
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for kind in (ast.Assign, ast.AugAssign):
            for node in program.nodes[kind]:
                for target in targets_of(node):
                    yield from self._attribute(program, target)
                    yield from self._key(program, target)

    def _attribute(self, program: Program, target: ast.expr) -> Iterator[Finding]:
        named = isinstance(target, ast.Attribute) and target.attr in {"lr", "learning_rate"}
        if named and isinstance(target, ast.Attribute) and _is_torch_optimizer(program, target.value):
            owner = dotted(target.value)
            message = f"{owner} does not read .{target.attr}: set group['lr'] for each group of {owner}.param_groups"
            yield self.finding(program, target, message)

    def _key(self, program: Program, target: ast.expr) -> Iterator[Finding]:
        if not isinstance(target, ast.Subscript) or not is_constant(target.slice, "learning_rate"):
            return
        if "group" in last_part(target.value) or "param_groups" in written(target.value):
            message = 'the learning rate of a group has the key "lr"'
            yield self.finding(program, target, message, fix=suggested(replace_node(program, target.slice, '"lr"')))


def _is_torch_optimizer(program: Program, node: ast.expr) -> bool:
    made = definition(program, node)
    if isinstance(made, ast.Call):
        return (program.names.qualified(made.func) or "").startswith("torch.optim.")
    torch_only = "torch" in program.frameworks and "keras" not in program.frameworks
    return torch_only and last_part(node) in {"optimizer", "opt"}
