"""averaged-with-swapped-weights."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import swap_nodes
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, method_of, receiver_of, targets_of, written

_LEAST = 0.2  # of its past: averages that keep less do not smooth


class AveragedWithSwappedWeights(Rule):
    """An exponential average keeps almost nothing of its past.

    ## What it finds
    ``tau * target + (1 - tau) * source`` with a small ``tau`` where the result is given to the target, or ``(1 - decay)
    * shadow + decay * new`` with a large ``decay`` where it is given to the shadow.

    ## Why it hurts
    The two factors are swapped: the average follows the newest value at once, so a target network moves with the
    trained one, and smoothing has no effect.

    ## Example
    ```python
    tau = 0.005
    target.data.copy_(tau * target.data + (1 - tau) * source.data)
    ```

    ## Use instead
    ```python
    tau = 0.005
    target.data.copy_(tau * source.data + (1 - tau) * target.data)
    ```

    ## Known problems
    The factor must be a number that is written in the file.

    ## Fix safety
    Suggested: the two values change places.

    ## References
    Lillicrap et al., Continuous control with deep reinforcement learning (2015).
    """

    name = "averaged-with-swapped-weights"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ("loop",)
    words = ("1 -", "1.0 -")
    faulty = (
        """\
import torch

TAU = 0.005

def update(target_net, net):
    for target, source in zip(target_net.parameters(), net.parameters()):
        target.data.copy_(TAU * target.data + (1 - TAU) * source.data)
""",
        """\
import torch

def average(losses, decay=0.99):
    mean = 0.0
    for loss in losses:
        mean = (1 - decay) * mean + decay * loss
    return mean
""",
    )
    clean = (
        """\
import torch

TAU = 0.005

def update(target_net, net, decay=0.99):
    mean = 0.0
    for target, source in zip(target_net.parameters(), net.parameters()):
        target.data.copy_(TAU * source.data + (1.0 - TAU) * target.data)
        mean = decay * mean + (1 - decay) * source.sum()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.BinOp]:
            assert isinstance(node, ast.BinOp)
            parts = [_weighted(side) for side in (node.left, node.right)] if isinstance(node.op, ast.Add) else []
            if len(parts) != 2 or parts[0] is None or parts[1] is None:
                continue
            (first, one, rest_one), (second, other, rest_other) = parts[0], parts[1]
            factor = _value(program, first, node) if first == second and rest_one != rest_other else None
            kept = _kept(program, node)
            slow = [(value, rest) for value, rest in ((one, rest_one), (other, rest_other)) if written(value) == kept]
            if factor is None or len(slow) != 1:
                continue
            weight = 1 - factor if slow[0][1] else factor
            if weight < _LEAST and 0 < factor < 1:
                message = f"{kept} keeps only {weight:.3g} of its past: the two factors are swapped"
                yield self.finding(program, node, message, fix=suggested(swap_nodes(program, one, other)))


def _weighted(node: ast.expr) -> tuple[str, ast.expr, bool] | None:
    """The factor's name, the value, and whether it is weighted with one minus the factor."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return None
    for factor, value in ((node.left, node.right), (node.right, node.left)):
        rest = isinstance(factor, ast.BinOp) and isinstance(factor.op, ast.Sub)
        if isinstance(factor, ast.BinOp) and rest and (is_constant(factor.left, 1) or is_constant(factor.left, 1.0)):
            return dotted(factor.right), value, True
    return (dotted(node.left), node.right, False) if dotted(node.left) else None


def _value(program: Program, name: str, node: ast.AST) -> float | None:
    """The number behind a name: assigned once in the file, or the default of a parameter."""
    short = name.rsplit(".", 1)[-1]
    function = program.enclosing(node, ast.FunctionDef)
    if isinstance(function, ast.FunctionDef):
        names = [argument.arg for argument in function.args.args]
        defaults = dict(zip(reversed(names), reversed(function.args.defaults), strict=False))
        given = defaults.get(short)
        if isinstance(given, ast.Constant) and isinstance(given.value, float):
            return given.value
        if short in names and "." not in name:
            return None
    made = program.assignments.get(name, [])
    value = made[0].value if len(made) == 1 else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, float) else None


def _kept(program: Program, node: ast.BinOp) -> str:
    """What the average is given to, as it is written."""
    parent = program.parents.get(node)
    if isinstance(parent, ast.Assign) and parent.value is node:
        return written(targets_of(parent)[0])
    if isinstance(parent, ast.Call) and method_of(parent) in {"copy_", "assign"}:
        owner = receiver_of(parent)
        return written(owner) if owner is not None else ""
    return ""
