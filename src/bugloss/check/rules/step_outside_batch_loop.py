"""step-outside-batch-loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import move_after
from bugloss.source.program import Program
from bugloss.source.text.syntax import calls_in, method_of, receiver_of, walk, written


class StepOutsideBatchLoop(Rule):
    """The optimizer steps once per epoch with the gradients of the last batch.

    ## What it finds
    A loop over batches that clears gradients and calls ``backward``, while ``optimizer.step()`` comes after the
    loop.

    ## Why it hurts
    Each batch clears the gradients of the one before, so the single step per epoch uses the last batch only.
    Training is as slow as the number of batches is large.

    ## Example
    ```python
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
    optimizer.step()
    ```

    ## Use instead
    ```python
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    ```

    ## Known problems
    Steps inside functions that the loop calls are recognised by their name only.

    ## Fix safety
    Suggested: the step moves to the end of the inner loop.

    ## References
    PyTorch documentation, "torch.optim: Taking an optimization step".
    """

    name = "step-outside-batch-loop"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = (".step(",)
    faulty = (
        """\
import torch

def train(model, loader, optimizer, criterion, epochs):
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
        optimizer.step()
""",
    )
    clean = (
        """\
import torch

def train(model, loader, optimizer, scheduler, criterion, epochs):
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        scheduler.step()
    optimizer.zero_grad()
    for x, y in loader:
        criterion(model(x), y).backward()
    optimizer.step()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for loop in program.nodes[ast.For]:
            if not isinstance(loop, ast.For) or not calls_in(loop.body, "backward"):
                continue
            cleared = {written(receiver_of(call) or call) for call in calls_in(loop.body, "zero_grad")}
            if not cleared or any(method_of(part).endswith("step") for part in walk(loop)):
                continue
            for statement in _following(program, loop):
                call = statement.value if isinstance(statement, ast.Expr) else None
                stepped = written(receiver_of(call) or call) if isinstance(call, ast.Call) else ""
                if isinstance(call, ast.Call) and method_of(call) == "step" and stepped in cleared:
                    message = "the step comes after the loop, so it uses the gradients of the last batch only"
                    fix = suggested(move_after(program, statement, loop.body[-1]))
                    yield self.finding(program, call, message, fix=fix)


def _following(program: Program, loop: ast.For) -> list[ast.stmt]:
    """The statements after a loop in its block."""
    parent = program.parents.get(loop)
    for name in ("body", "orelse"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and loop in block:
            return list(block[block.index(loop) + 1 :])
    return []
