"""best-value-not-updated."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, insert_line
from bugloss.check.views.training_loops import loops_around
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, last_part, method_of, targets_of, walk, walk_here, written


class BestValueNotUpdated(Rule):
    """The best value so far is compared, but never updated, or the waiting time is never reset.

    ## What it finds
    ``if value < best:`` whose body saves something and does not assign ``best``; and a counter of epochs without
    improvement that is increased, compared with the patience, and never set to zero.

    ## Why it hurts
    Every epoch that beats the first value counts as the best, so that a later, worse state replaces a better one; a
    counter that only grows stops the training too early.

    ## Example
    ```python
    if val_loss < best_loss:
        torch.save(model.state_dict(), path)
    ```

    ## Use instead
    ```python
    if val_loss < best_loss:
        best_loss = val_loss
        torch.save(model.state_dict(), path)
    ```

    ## Known problems
    A value that is updated by a function is not seen.

    ## Fix safety
    Suggested for the best value: it is assigned.

    ## References
    Keras documentation of EarlyStopping.
    """

    name = "best-value-not-updated"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.MONITOR
    groups = ("loop",)
    words = ("best", "patience", "wait")
    faulty = (
        """\
import torch

def fit(model, epochs, run_epoch, path):
    best_loss = float("inf")
    for epoch in range(epochs):
        val_loss = run_epoch(model)
        if val_loss < best_loss:
            torch.save(model.state_dict(), path)
""",
        """\
import torch

def fit(model, epochs, run_epoch, patience=5):
    best, bad_epochs = float("inf"), 0
    for epoch in range(epochs):
        val_loss = run_epoch(model)
        if val_loss < best:
            best = val_loss
        else:
            bad_epochs += 1
        if bad_epochs >= patience:
            break
""",
    )
    clean = (
        """\
import torch

def fit(model, epochs, run_epoch, path, patience=5):
    best, bad_epochs = float("inf"), 0
    for epoch in range(epochs):
        val_loss = run_epoch(model)
        if val_loss < best:
            best = val_loss
            bad_epochs = 0
            torch.save(model.state_dict(), path)
        else:
            bad_epochs += 1
        if bad_epochs >= patience:
            break
""",
        """\
import torch

def fit(model, epochs, run_epoch):
    best, bad_epochs = float("inf"), 0
    for epoch in range(epochs):
        val_loss = run_epoch(model)
        bad_epochs = 0 if val_loss < best else bad_epochs + 1
        best = min(best, val_loss)
        if val_loss > best:
            print("worse")
        if bad_epochs > 3:
            break
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.If]:
            if isinstance(node, ast.If) and loops_around(program, node):
                best = _compared_best(node.test)
                if best is not None and _saves(node.body) and not _assigned_in_loop(program, node, dotted(best[0])):
                    text = f"{written(best[0])} = {written(best[1])}"
                    message = f"{dotted(best[0])} is never updated: write {text}"
                    fix = insert_line(program, node.body[0], text, f"insert `{text}` after line {node.lineno}")
                    yield self.finding(program, node.test, message, fix=fix)
        yield from self._counters(program)

    def _counters(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.AugAssign]:
            if not isinstance(node, ast.AugAssign) or not _COUNTER.search(last_part(node.target)):
                continue
            loops = loops_around(program, node)
            if (
                loops
                and _stops(loops[-1], dotted(node.target))
                and not _assigned_in_loop(program, node, dotted(node.target))
            ):
                message = f"{dotted(node.target)} is never reset to 0 after an improvement"
                yield self.finding(program, node, message)


_BEST = re.compile(r"(^|_)best(_|$)|^best", re.IGNORECASE)
_COUNTER = re.compile(r"wait|bad|patience|no_improve|without|stale|counter", re.IGNORECASE)
_SAVES = {"save", "save_weights", "state_dict", "deepcopy", "get_weights", "save_model", "clone", "copy"}


def _compared_best(test: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The best value and what it is compared with."""
    if (
        not isinstance(test, ast.Compare)
        or len(test.ops) != 1
        or not isinstance(test.ops[0], ast.Lt | ast.Gt | ast.LtE | ast.GtE)
    ):
        return None
    left, right = test.left, test.comparators[0]
    for best, value in ((right, left), (left, right)):
        if isinstance(best, ast.Name | ast.Attribute) and _BEST.search(last_part(best)) and isinstance(value, ast.Name):
            return best, value
    return None


def _saves(body: list[ast.stmt]) -> bool:
    return any(method_of(part) in _SAVES for part in walk_here(body))


def _assigned_in_loop(program: Program, node: ast.AST, name: str) -> bool:
    """Whether the name gets a value in the outermost loop, or in a place that is not followed."""
    outer = loops_around(program, node)[-1]
    if "." in name:
        outer_parts = walk(program.tree)
        return sum(name == dotted(part) for one in outer_parts if isinstance(one, ast.Assign) for part in walk(one)) > 1
    if any(isinstance(part, ast.Global | ast.Nonlocal) for part in walk(scope_of(program, node))):
        return True
    return any(
        name == dotted(part)
        for one in walk(outer)
        if isinstance(one, ast.Assign | ast.AnnAssign | ast.NamedExpr)
        for target in targets_of(one)
        for part in walk(target)
    )


def _stops(loop: ast.AST, name: str) -> bool:
    """Whether a test of the counter leaves the loop."""
    return any(
        isinstance(part, ast.If)
        and name in written(part.test)
        and any(isinstance(one, ast.Break | ast.Return) for one in walk_here(part.body))
        for part in walk_here(loop)
    )
