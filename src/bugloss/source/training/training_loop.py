"""Training loops: what a hand-written loop does with gradients, in the order it is written."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from bugloss.source.text.names import Names
from bugloss.source.text.syntax import children, walk

# Method or function name -> what it does in a training step.
_STEPS = {
    "zero_grad": "zero_grad",
    "backward": "backward",
    "manual_backward": "backward",
    "step": "step",
    "apply_gradients": "step",
    "clip_grad_norm_": "clip",
    "clip_grad_value_": "clip",
    "clip_grad_norm": "clip",
    "unscale_": "unscale",
    "scale": "scale",
    "update": "update",
    "eval": "eval",
    "train": "train",
    "gradient": "gradient",
    "minimize": "minimize",
}


@dataclass(frozen=True, slots=True)
class LoopStep:
    """One thing a loop does: its kind, the call, who receives it, and how deep in branches it stands."""

    kind: str
    node: ast.Call
    receiver: str
    branches: int
    depth: int  # 0: directly in the loop; 1: in a loop inside it …


@dataclass(slots=True)
class TrainingLoop:
    """A loop that computes gradients, its steps in source order, and the loops and function around it."""

    node: ast.For | ast.While
    steps: list[LoopStep] = field(default_factory=list)
    function: ast.AST | None = None
    outer: list[ast.For | ast.While] = field(default_factory=list)

    def of(self, *kinds: str) -> list[LoopStep]:
        return [step for step in self.steps if step.kind in kinds]

    def first(self, kind: str) -> LoopStep | None:
        return next((step for step in self.steps if step.kind == kind), None)


def find_training_loops(tree: ast.Module, names: Names) -> list[TrainingLoop]:
    """Every innermost loop with a ``backward`` in it (or a tape's gradient), with its steps."""
    return list(_search(tree, names, None, []))


def _search(
    node: ast.AST, names: Names, function: ast.AST | None, outer: list[ast.For | ast.While]
) -> Iterator[TrainingLoop]:
    for child in children(node):
        if isinstance(child, (ast.For, ast.While)):
            inner = list(_search(child, names, function, [*outer, child]))
            steps = list(_steps(child.body, 0, 0))
            here = any(step.kind in {"backward", "gradient"} and step.depth == 0 for step in steps)
            if here or (not inner and any(step.kind in {"backward", "gradient"} for step in steps)):
                yield TrainingLoop(child, steps, function, outer)
            yield from inner
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _search(child, names, child, [])
        elif not isinstance(child, ast.expr):  # no loop stands in an expression
            yield from _search(child, names, function, outer)


def _steps(body: list[ast.stmt], branches: int, depth: int) -> Iterator[LoopStep]:
    for statement in body:
        if isinstance(statement, ast.If):
            yield from _in_expression(statement.test, branches, depth)
            yield from _steps(statement.body, branches + 1, depth)
            yield from _steps(statement.orelse, branches + 1, depth)
        elif isinstance(statement, (ast.For, ast.While)):
            yield from _steps(statement.body, branches, depth + 1)
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            for item in statement.items:
                yield from _in_expression(item.context_expr, branches, depth)
            yield from _steps(statement.body, branches, depth)
        elif isinstance(statement, ast.Try):
            yield from _steps([*statement.body, *statement.orelse, *statement.finalbody], branches, depth)
        elif not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _in_expression(statement, branches, depth)


def _in_expression(node: ast.AST, branches: int, depth: int) -> Iterator[LoopStep]:
    calls = [part for part in walk(node) if isinstance(part, ast.Call)]
    # An inner call happens before the call that takes its result.
    for call in sorted(calls, key=lambda call: (call.lineno, call.end_col_offset or 0)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name in _STEPS:
            receiver = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
            yield LoopStep(_STEPS[name], call, receiver, branches, depth)
