"""best-value-out-of-reach."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.metric import Better, better_when
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, targets_of, walk, written


class BestValueOutOfReach(Rule):
    """The first best value is one that no epoch can beat.

    ## What it finds
    A variable that starts at 0 and is replaced where a loss or an error is *smaller* than it, or starts at infinity
    and is replaced where a value is *larger*.

    ## Why it hurts
    The condition is never true: no state is saved, and early stopping counts every epoch as one without
    improvement.

    ## Example
    ```python
    best = 0.0
    for epoch in range(epochs):
        if validation_loss < best:
            best = validation_loss
    ```

    ## Use instead
    ```python
    best = float("inf")
    for epoch in range(epochs):
        if validation_loss < best:
            best = validation_loss
    ```

    ## Known problems
    Losses that may be negative are recognised by nothing; only names of losses and errors count.

    ## Fix safety
    Suggested: the start becomes infinity (with its sign).

    ## References
    PyTorch tutorial "Saving and Loading Models".
    """

    name = "best-value-out-of-reach"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.MONITOR
    groups = ("loop",)
    words = ("best", "lowest", "min_", "max_", "highest")
    faulty = (
        """\
import torch

def train(model, epochs):
    best = 0.0
    for epoch in range(epochs):
        val_loss = evaluate(model)
        if val_loss < best:
            best = val_loss
            torch.save(model.state_dict(), "best.pt")
""",
        """\
import torch

def train(model, epochs):
    best_acc = float("inf")
    for epoch in range(epochs):
        acc = evaluate(model)
        if acc > best_acc:
            best_acc = acc
""",
    )
    clean = (
        """\
import torch

def train(model, epochs):
    best, best_loss, low = 0.0, float("inf"), 0
    for epoch in range(epochs):
        accuracy, loss = evaluate(model)
        if accuracy > best:
            best = accuracy
        if loss < best_loss:
            best_loss = loss
        if epoch < low:
            low = epoch
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.If]:
            if not isinstance(node, ast.If) or not isinstance(node.test, ast.Compare) or len(node.test.ops) != 1:
                continue
            value, best, smaller = _sides(node.test)
            name = dotted(best)
            kept = any(
                isinstance(part, ast.Assign) and name in {dotted(target) for target in targets_of(part)}
                for one in node.body
                for part in walk(one)
            )
            start = _start(program, name, node) if kept and name else None
            if start is None:
                continue
            zero = is_constant(start, 0) or is_constant(start, 0.0)
            infinite = re.search(r"\binf\b|infty|maxsize", written(start)) and not written(start).startswith("-")
            if smaller and zero and better_when(written(value)) is Better.SMALLER:
                message, new = f"{name} starts at 0, and no loss is smaller: start at infinity", 'float("inf")'
            elif not smaller and infinite and "-" not in written(start):
                message, new = (
                    f"{name} starts at infinity, and nothing is larger: start at minus infinity",
                    'float("-inf")',
                )
            else:
                continue
            yield self.finding(program, start, message, fix=suggested(replace_node(program, start, new)))


def _sides(test: ast.Compare) -> tuple[ast.expr, ast.expr, bool]:
    """The new value, the best one, and whether the new one must be smaller."""
    left, right, operator = test.left, test.comparators[0], test.ops[0]
    if isinstance(operator, ast.Gt | ast.GtE):
        swapped = re.search(r"best|lowest|highest|min_|max_", dotted(left))
        return (right, left, True) if swapped else (left, right, False)
    swapped = re.search(r"best|lowest|highest|min_|max_", dotted(left))
    return (right, left, False) if swapped else (left, right, True)


def _start(program: Program, name: str, test: ast.If) -> ast.expr | None:
    """The only value that the name gets outside of this condition, before it."""
    inside = set(walk(test))
    scope = scope_of(program, test)
    found = []
    for node in program.nodes[ast.Assign]:
        if not isinstance(node, ast.Assign) or node in inside:
            continue
        if not name.startswith("self.") and scope_of(program, node) is not scope:
            continue
        for target in targets_of(node):
            if dotted(target) == name:
                found.append(node.value)
            elif isinstance(target, ast.Tuple) and name in {dotted(one) for one in target.elts}:
                place = [dotted(one) for one in target.elts].index(name)
                pairs = isinstance(node.value, ast.Tuple) and len(node.value.elts) == len(target.elts)
                found.append(node.value.elts[place] if pairs and isinstance(node.value, ast.Tuple) else node.value)
    return found[0] if len(found) == 1 and found[0].lineno < test.lineno else None
