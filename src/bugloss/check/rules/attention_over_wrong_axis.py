"""attention-over-wrong-axis."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, argument_node, replace_node
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, method_of, walk, written
from bugloss.source.training.loss_calls import last_assigned

_LIBRARIES = ("torch.", "tensorflow.", "keras.", "numpy.")
_LAST_TWO = [["-1", "-2"], ["1", "2"], ["2", "3"]]


class AttentionOverWrongAxis(Rule):
    """Attention weights are normalised over another axis than the one that they are summed over.

    ## What it finds
    A softmax over axis 0, 1 or -2 of scores that come straight from a product of queries with transposed keys, and a
    weighted sum ``(weights * values).sum(a)`` of which the weights are a softmax over another axis.

    ## Why it hurts
    The keys are on the last axis. Normalised over another one, the weights of a query do not sum to one, and positions
    compete across queries or heads. Weights of one score each, normalised over the last axis, are all one.

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
        """\
import torch
from torch import nn

class Pool(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.score = nn.Linear(width, 1)

    def forward(self, hidden):
        weights = torch.softmax(self.score(hidden), dim=-1)
        return (weights * hidden).sum(dim=1)
""",
        """\
import keras
from keras import ops

def pool(scores, values):
    weights = ops.softmax(scores, axis=2)
    return ops.sum(ops.expand_dims(weights, -1) * values, axis=1)
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
        """\
import torch
from torch import nn

class Pool(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.score = nn.Linear(width, 1)
        self.gate = nn.Linear(width, 4)

    def forward(self, hidden, experts):
        weights = torch.softmax(self.score(hidden).squeeze(-1), dim=-1)
        gates = torch.softmax(self.gate(hidden[:, 0]), dim=-1)
        mixed = (gates * experts).sum(dim=1)
        again = torch.softmax(self.score(hidden), dim=1)
        return (weights.unsqueeze(-1) * hidden).sum(dim=1), mixed, (again * hidden).sum(1)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("softmax"):
            value, axis = _argument_and_axis(program, call)
            wrong = axis is not None and (written(axis) == "-2" or is_constant(axis, 0) or is_constant(axis, 1))
            if value is not None and axis is not None and wrong and _are_scores(program, value, call):
                message = "the keys are on the last axis of attention scores: use dim=-1"
                yield self.finding(program, axis, message, fix=replace_node(program, axis, "-1", "use the last axis"))
        yield from self._summed_over_another_axis(program)

    def _summed_over_another_axis(self, program: Program) -> Iterator[Finding]:
        for total in program.called("sum", "reduce_sum"):
            product, summed = _argument_and_axis(program, total)
            product = definition(program, product) if product is not None else None
            if summed is None or not isinstance(product, ast.BinOp) or not isinstance(product.op, ast.Mult):
                continue
            for factor in (product.left, product.right):
                axis = _axis_of_weights(program, factor)
                if axis is not None and _number(axis) is not None and _differ(program, axis, factor, summed):
                    message = f"the weights are summed over axis {written(summed)}: normalise them over it"
                    fix = replace_node(program, axis, written(summed), "use the axis of the sum")
                    yield self.finding(program, axis, message, fix=fix)


def _argument_and_axis(program: Program, call: ast.Call) -> tuple[ast.expr | None, ast.expr | None]:
    """The tensor and the axis of ``library.f(x, axis)`` or ``x.f(axis)``."""
    function = (program.names.qualified(call.func) or "").startswith(_LIBRARIES)
    value = call.args[0] if function and call.args else None
    if not function and isinstance(call.func, ast.Attribute):
        value = call.func.value
    return value, argument_node(call, 1 if function else 0, "dim", "axis")


def _axis_of_weights(program: Program, factor: ast.expr) -> ast.expr | None:
    """The axis of the softmax that made a factor, seen through an axis that was added behind."""
    made = definition(program, factor)
    inner = _without_added_axis(made)
    made = definition(program, inner) if inner is not None else made
    if not isinstance(made, ast.Call) or method_of(made) != "softmax":
        return None
    return _argument_and_axis(program, made)[1]


def _without_added_axis(node: ast.expr) -> ast.expr | None:
    """What ``unsqueeze(-1)``, ``expand_dims(…, -1)`` or ``[..., None]`` adds an axis to."""
    if isinstance(node, ast.Subscript) and written(node.slice).replace(" ", "") in {
        "...,None",
        "(...,None)",
        ":,:,None",
    }:
        return node.value
    if not isinstance(node, ast.Call) or method_of(node) not in {"unsqueeze", "expand_dims"}:
        return None
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    owner = node.func.value if isinstance(node.func, ast.Attribute) and len(given) == 1 else None
    return (owner or node.args[0]) if node.args and written(given[-1]) in {"-1", "2"} else owner


def _differ(program: Program, axis: ast.expr, factor: ast.expr, summed: ast.expr) -> bool:
    """Whether the two axes are different ones for certain."""
    first, second = _number(axis), _number(summed)
    if first is None or second is None or first == second:
        return False
    if first >= 0 and second >= 0:
        return True
    made = definition(program, factor)
    scored = (
        _argument_and_axis(program, made)[0] if isinstance(made, ast.Call) and method_of(made) == "softmax" else None
    )
    return first == -1 and second in {1, -2} and scored is not None and _one_score(program, scored)


def _one_score(program: Program, node: ast.expr) -> bool:
    """Whether a value comes straight from a layer with one output."""
    call = definition(program, node)
    layer = definition(program, call.func) if isinstance(call, ast.Call) else None
    while isinstance(layer, ast.Call) and method_of(layer) == "Sequential" and layer.args:
        layer = layer.args[-1]
    if method_of(layer) not in {"Linear", "Dense"} or not isinstance(layer, ast.Call):
        return False
    units = (
        argument_node(layer, 1, "out_features") if method_of(layer) == "Linear" else argument_node(layer, 0, "units")
    )
    return is_constant(units, 1)


def _number(node: ast.expr) -> int | None:
    text = written(node)
    return int(text) if text.lstrip("-").isdigit() else None


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
