"""totals-not-reset-per-epoch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.training_loops import trains
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import move_before
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, stored, targets_of, walk


class TotalsNotResetPerEpoch(Rule):
    """A running total is not reset between epochs.

    ## What it finds
    A counter that is set to zero before the loop over epochs, grows in the loop over batches, and is divided and
    reported in each epoch without being reset.

    ## Why it hurts
    Each epoch reports the sum of all epochs so far, divided by the size of one: the printed loss grows although the
    model learns, and a best-model test compares wrong numbers.

    ## Example
    ```python
    total = 0.0
    for epoch in range(epochs):
        for x, y in loader:
            total += step(x, y)
        print(total / len(loader))
    ```

    ## Use instead
    ```python
    for epoch in range(epochs):
        total = 0.0
        for x, y in loader:
            total += step(x, y)
        print(total / len(loader))
    ```

    ## Known problems
    A total that is divided by a count which grows with it is a running mean over all epochs and is not reported.

    ## Fix safety
    Suggested: the assignment moves into the loop.

    ## References
    PyTorch tutorial "Training a Classifier" (``running_loss``).
    """

    name = "totals-not-reset-per-epoch"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.ACCURACY_METRIC
    groups = ("loop",)
    words = ("+=",)
    faulty = (
        """\
import torch

def train(model, loader, optimizer, criterion, epochs):
    running = 0.0
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            running += loss.item()
        print(epoch, running / len(loader))
""",
    )
    clean = (
        """\
import torch

def train(model, loader, optimizer, criterion, epochs):
    seen = 0
    every = 0.0
    for epoch in range(epochs):
        running = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            running += loss.item()
            every += loss.item()
            seen += 1
        print(epoch, running / len(loader), every / seen)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for loop in program.nodes[ast.For]:
            if not isinstance(loop, ast.For):
                continue
            inner = [part for part in loop.body if isinstance(part, ast.For)]
            grown = {name for each in inner for name in _grown(each)} - _set_in(loop)
            if not grown or not trains(program, loop):
                continue
            after = [part for part in loop.body if part.lineno > inner[-1].lineno]
            for name in sorted(grown):
                made = _made_before(program, loop, name)
                if made is not None and any(_reports(part, name, grown) for one in after for part in walk(one)):
                    message = f"{name} is never reset, so each epoch reports the sum of all epochs so far"
                    fix = suggested(move_before(program, made, loop.body[0]))
                    yield self.finding(program, made, message, fix=fix)


def _grown(loop: ast.For) -> set[str]:
    return {
        part.target.id
        for part in walk(loop)
        if isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Add) and isinstance(part.target, ast.Name)
    }


def _set_in(loop: ast.For) -> set[str]:
    return {
        name
        for part in walk(loop)
        if isinstance(part, ast.Assign | ast.AnnAssign)
        for target in targets_of(part)
        for name in stored(target)
    }


def _made_before(program: Program, loop: ast.For, name: str) -> ast.Assign | None:
    """The only plain assignment of the name, a zero right before the loop."""
    made = [one for one in program.assignments.get(name, []) if scope_of(program, one) is scope_of(program, loop)]
    zero = len(made) == 1 and (is_constant(made[0].value, 0) or is_constant(made[0].value, 0.0))
    same = zero and program.parents.get(made[0]) is program.parents.get(loop) and made[0].lineno < loop.lineno
    return made[0] if same and len(made[0].targets) == 1 else None


def _reports(node: ast.AST, name: str, grown: set[str]) -> bool:
    """``total / len(loader)``: a division by something that does not grow with it."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div) or not isinstance(node.left, ast.Name):
        return False
    below = {part.id for part in walk(node.right) if isinstance(part, ast.Name)}
    return node.left.id == name and not below & grown
