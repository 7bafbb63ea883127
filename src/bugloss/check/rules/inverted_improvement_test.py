"""inverted-improvement-test."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, method_of, walk


class InvertedImprovementTest(Rule):
    """The test for a new best result can never be true.

    ## What it finds
    ``if value > best: best = value`` with ``best`` starting at infinity, or ``value < best`` with ``best`` starting
    at minus infinity or, for a loss, accuracy or score, at zero.

    ## Why it hurts
    The best result is never updated: no checkpoint is saved, or early stopping ends the run as soon as its patience
    is used up.

    ## Example
    ```python
    best_loss = float('inf')
    if val_loss > best_loss:
        best_loss = val_loss
    ```

    ## Use instead
    ```python
    best_loss = float('inf')
    if val_loss < best_loss:
        best_loss = val_loss
    ```

    ## Known problems
    Initial values that are set elsewhere are not followed.

    ## Fix safety
    Suggested: the comparison is reversed.

    ## References
    early-stopping-pytorch issue 16 (the monitor's direction).
    """

    name = "inverted-improvement-test"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.MONITOR
    groups = ("loop",)
    words = ("best", "min", "max")
    faulty = (
        """\
import torch

def fit(model, validate):
    best_loss = float("inf")
    for epoch in range(10):
        val_loss = validate(model)
        if val_loss > best_loss:
            best_loss = val_loss
            torch.save(model.state_dict(), "best.pt")
""",
        """\
import torch

def fit(model, validate):
    best_accuracy = 0.0
    for epoch in range(10):
        accuracy = validate(model)
        if accuracy < best_accuracy:
            best_accuracy = accuracy
""",
    )
    clean = (
        """\
import torch

def fit(model, validate):
    best_loss, worst = float("inf"), 0
    best_score = 0.0
    for epoch in range(10):
        val_loss, score = validate(model)
        if val_loss < best_loss:
            best_loss = val_loss
        if score > best_score:
            best_score = score
""",
        """\
import torch

def lowest(values):
    smallest = 0
    for value in values:
        if value < smallest:
            smallest = value
    best = None
    for value in values:
        if best is None or value > best:
            best = value
    return smallest, best
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def fit(model, validate):
    best_loss = float("inf")
    for epoch in range(10):
        val_loss = validate(model)
        if val_loss < best_loss:
            best_loss = val_loss
            torch.save(model.state_dict(), "best.pt")
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.If]:
            if not isinstance(node, ast.If) or not isinstance(node.test, ast.Compare) or len(node.test.ops) != 1:
                continue
            value, best, larger = _reading(node.test)
            if value and best and _updates(node, best, value):
                start = _start(program, node, best)
                never = (
                    start == "infinity"
                    if larger
                    else start == "minus infinity" or (start == "zero" and _is_positive(best))
                )
                if never:
                    message = f"{ast.unparse(node.test)} is never true: {best} starts at {start}"
                    yield self.finding(program, node.test, message, fix=_fix(program, node.test))


def _reading(test: ast.Compare) -> tuple[str, str, bool]:
    """``value > best`` as (value, best, True); the best is the side that is called so."""
    left, right = dotted(test.left), dotted(test.comparators[0])
    if not isinstance(test.ops[0], (ast.Gt, ast.GtE, ast.Lt, ast.LtE)):
        return "", "", False
    larger = isinstance(test.ops[0], (ast.Gt, ast.GtE))
    if _is_best(right):
        return left, right, larger
    return (right, left, not larger) if _is_best(left) else ("", "", False)


def _is_best(name: str) -> bool:
    return any(word in name.lower() for word in ("best", "min_", "max_", "lowest", "highest"))


def _is_positive(name: str) -> bool:
    return any(word in name.lower() for word in ("loss", "acc", "score", "f1", "auc", "error", "iou"))


def _updates(node: ast.If, best: str, value: str) -> bool:
    """Whether the body gives the best its new value."""
    assigned = [part for part in node.body if isinstance(part, ast.Assign)]
    return any(dotted(part.targets[0]) == best and dotted(part.value) == value for part in assigned)


def _start(program: Program, node: ast.If, best: str) -> str | None:
    """The only start value that the scope gives the best, in words."""
    values = []
    scope = program.tree if "." in best else scope_of(program, node)
    inside = set(walk(node))
    for part in program.remembered(_by_scope).get((best, scope), ()):
        if part not in inside:
            values.append(_words(program, part.value))
    return values[0] if len(values) == 1 and best not in program.names_in_tuples else None


def _by_scope(program: Program) -> dict[tuple[str, ast.AST], list[ast.Assign]]:
    """Assignments by name and scope; those to an attribute count for the whole file."""
    index: dict[tuple[str, ast.AST], list[ast.Assign]] = defaultdict(list)
    for name, parts in program.assignments.items():
        for part in parts if _is_best(name) else ():
            index[name, program.tree if "." in name else scope_of(program, part)].append(part)
    return index


def _words(program: Program, value: ast.expr) -> str | None:
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        return "minus infinity" if _words(program, value.operand) == "infinity" else None
    if isinstance(value, ast.Constant) and value.value in (0, 0.0) and not isinstance(value.value, bool):
        return "zero"
    text = value.args[0] if isinstance(value, ast.Call) and method_of(value) == "float" and value.args else None
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        return {"inf": "infinity", "infinity": "infinity", "-inf": "minus infinity"}.get(text.value.lower())
    infinite = {"numpy.inf", "numpy.Inf", "math.inf", "torch.inf"}
    return "infinity" if program.names.qualified(value) in infinite else None


def _fix(program: Program, test: ast.Compare) -> Fix:
    turned = {ast.Gt: "<", ast.GtE: "<=", ast.Lt: ">", ast.LtE: ">="}[type(test.ops[0])]
    text = f"{program.source.segment(test.left)} {turned} {program.source.segment(test.comparators[0])}"
    return replace_node(program, test, text, "reverse the comparison")
