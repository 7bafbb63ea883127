"""attention-over-wrong-axis."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, argument_node, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, method_of, walk, written
from bugloss.source.training.loss_calls import last_assigned

_LAST_TWO = [["-1", "-2"], ["1", "2"], ["2", "3"]]


class AttentionOverWrongAxis(Rule):
    """Attention weights are normalised over the queries.

    ## What it finds
    A softmax over axis 0, 1 or -2 of scores that come straight from a product of queries with transposed keys.

    ## Why it hurts
    The keys are on the last axis. Normalised over another one, the weights of a query do not sum to one, and positions
    compete across queries or heads.

    ## Example
    ```python
    scores = query @ key.transpose(-2, -1)
    weights = scores.softmax(dim=1)
    ```

    ## Use instead
    ```python
    scores = query @ key.transpose(-2, -1)
    weights = scores.softmax(dim=-1)
    ```

    ## Known problems
    Scores of two axes have the keys on axis 1; they are not reported where nothing shows more axes.

    ## Fix safety
    Suggested: the last axis is used.

    ## References
    Vaswani et al., Attention is all you need (2017).
    """

    name = "attention-over-wrong-axis"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.DATA_DIMENSION
    groups = ("model",)
    words = ("softmax",)
    faulty = (
        """\
import torch

def attend(query, key, value, scale):
    scores = query @ key.transpose(-2, -1) / scale
    weights = scores.softmax(dim=1)
    return weights @ value
""",
        """\
import torch
import torch.nn.functional as F

def attend(query, key, value):
    scores = torch.matmul(query, key.transpose(-2, -1))
    return torch.matmul(F.softmax(scores, dim=-2), value)
""",
    )
    clean = (
        """\
import torch

def attend(query, key, value):
    scores = query @ key.transpose(-2, -1)
    flat = query @ key.T
    return scores.softmax(dim=-1) @ value, flat.softmax(dim=1)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("softmax"):
            function = (program.names.qualified(call.func) or "").startswith(("torch.", "tensorflow."))
            value = call.args[0] if function and call.args else None
            if not function and isinstance(call.func, ast.Attribute):
                value = call.func.value
            axis = argument_node(call, 1 if function else 0, "dim", "axis")
            wrong = axis is not None and (written(axis) == "-2" or is_constant(axis, 0) or is_constant(axis, 1))
            if value is not None and axis is not None and wrong and _are_scores(program, value, call):
                message = "the keys are on the last axis of attention scores: use dim=-1"
                yield self.finding(program, axis, message, fix=replace_node(program, axis, "-1", "use the last axis"))


def _are_scores(program: Program, value: ast.expr, call: ast.Call) -> bool:
    """Whether a value is a product with keys whose last two of more than two axes were swapped."""
    statement = program.enclosing(call, ast.stmt)
    source: ast.expr | None = value
    if isinstance(value, ast.Name) and isinstance(statement, ast.stmt):
        assigned = last_assigned(program, value.id, statement)
        source = assigned.value if assigned is not None else None
    while isinstance(source, ast.BinOp) and isinstance(source.op, ast.Div | ast.Mult):
        source = source.left
    if isinstance(source, ast.BinOp) and isinstance(source.op, ast.MatMult):
        second: ast.expr | None = source.right
    elif isinstance(source, ast.Call) and method_of(source) in {"matmul", "bmm"} and source.args:
        second = source.args[-1]
    else:
        return False
    return any(
        method_of(node) == "transpose" and isinstance(node, ast.Call) and sorted(map(written, node.args)) in _LAST_TWO
        for node in (walk(second) if second is not None else ())
    )
