"""How a program trains, one description for all styles: PyTorch loops, gradient tapes, ``train_on_batch`` and ``fit``.

A training has its steps in the order they are written: forward, loss, backward, clip, optimizer, zero_grad, scheduler,
scaler … For ``fit`` they are where ``compile`` names the loss and the optimizer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import FunctionNode, LoopNode, keyword_of, method_of, receiver_of
from bugloss.source.training.gradient_steps import GradientStep, gradient_steps
from bugloss.source.training.loss_calls import last_assigned

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_OF_NETWORKS = {
    "epochs",
    "nb_epoch",
    "batch_size",
    "callbacks",
    "validation_data",
    "validation_split",
    "steps_per_epoch",
}


class TrainingStyle(Enum):
    """What computes the gradients."""

    BACKWARD = "backward"
    TAPE = "gradient"
    BATCHES = "train_on_batch"
    FIT = "fit"


_STYLES = {style.value: style for style in TrainingStyle}


@dataclass(frozen=True, slots=True, eq=False)
class WrittenStep:
    """One thing that a training does: its role, where it stands, and in how many branches and inner loops."""

    role: str  # those of GradientStep, and forward, loss, fit
    node: ast.expr
    receiver: str = ""
    branches: int = 0
    depth: int = 0  # 0: directly in the loop; 1: in a loop inside it …

    @property
    def line(self) -> int:
        return self.node.lineno


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """A loop, a function or a call that computes gradients, its steps in source order, and what stands around it."""

    style: TrainingStyle
    node: ast.AST
    steps: tuple[WrittenStep, ...] = ()
    function: FunctionNode | None = None
    outer: tuple[LoopNode, ...] = field(default=())

    def of(self, *roles: str) -> list[WrittenStep]:
        return [step for step in self.steps if step.role in roles]

    def first(self, *roles: str) -> WrittenStep | None:
        return next(iter(self.of(*roles)), None)

    @property
    def loop(self) -> LoopNode | None:
        """The loop over batches, where it is written by hand."""
        return self.node if isinstance(self.node, _LOOPS) else None


def written_trainings(module: SourceModule) -> list[Training]:
    """Trainings that are written by hand: every innermost loop, or function without one, that computes gradients."""
    return module.remembered(_find_written)


def trainings(module: SourceModule) -> list[Training]:
    """All trainings of a file, calls of ``fit`` on networks included."""
    return [*written_trainings(module), *module.remembered(_find_fits)]


def _find_written(module: SourceModule) -> list[Training]:
    found: dict[ast.AST, TrainingStyle] = {}
    ways = [(step, _way(module, step.statement)) for step in gradient_steps(module)]
    for step, way in ways:
        if step.role in _STYLES:
            home = next((node for node, _ in way if isinstance(node, _LOOPS)), way[-1][0])
            found.setdefault(home, _STYLES[step.role])
    return [_training(module, home, style, ways) for home, style in sorted(found.items(), key=_place)]


def _place(entry: tuple[ast.AST, TrainingStyle]) -> int:
    return getattr(entry[0], "lineno", 0)


def _way(module: SourceModule, statement: ast.AST) -> list[tuple[ast.AST, bool]]:
    """What stands around a statement up to its function, innermost first; and whether it is a branch."""
    way: list[tuple[ast.AST, bool]] = []
    inner = statement
    current: ast.AST | None = statement if isinstance(statement, ast.If) else module.parents.get(statement)
    while current is not None:
        in_branch = isinstance(current, ast.If) and inner is not current
        way.append((current, in_branch))
        if isinstance(current, (*_FUNCTIONS, ast.Module)):
            break
        inner, current = current, module.parents.get(current)
    return way


def _training(
    module: SourceModule,
    home: ast.AST,
    style: TrainingStyle,
    ways: list[tuple[GradientStep, list[tuple[ast.AST, bool]]]],
) -> Training:
    steps: list[WrittenStep] = []
    for step, way in ways:
        around = [node for node, _ in way]
        if home in around:
            inside = way[: around.index(home)]
            branches = sum(in_branch for _, in_branch in inside)
            depth = sum(isinstance(node, _LOOPS) for node, _ in inside)
            own = WrittenStep(step.role, step.call, step.receiver, branches, depth)
            steps += [*_before(module, step, own), own]
    # An inner call happens before the call that takes its result.
    steps.sort(key=lambda step: (step.line, step.node.end_col_offset or 0))
    return Training(style, home, tuple(steps), *_surroundings(module, home))


def _surroundings(module: SourceModule, home: ast.AST) -> tuple[FunctionNode | None, tuple[LoopNode, ...]]:
    """The function that a training stands in (or is), and the loops around it in there, the outermost first."""
    outer: list[LoopNode] = []
    current: ast.AST | None = home
    while current is not None and not isinstance(current, _FUNCTIONS):
        current = module.parents.get(current)
        if isinstance(current, _LOOPS):
            outer.insert(0, current)
    return current, tuple(outer)


def _before(module: SourceModule, step: GradientStep, own: WrittenStep) -> Iterator[WrittenStep]:
    """The forward pass and the loss that a backward pass starts from."""
    if step.role not in _STYLES:
        return
    loss = _made(module, _loss_of(step.call), step.statement)
    if loss is None:
        return
    statement = module.enclosing(loss, ast.stmt)
    for argument in (*loss.args, *(item.value for item in loss.keywords)):
        forward = _made(module, argument, statement) if isinstance(statement, ast.stmt) else None
        if forward is not None and module.names.raw(forward.func) is None:
            yield replace(own, role="forward", node=forward, receiver=module.source.segment(forward.func))
            break
    yield replace(own, role="loss", node=loss, receiver=module.source.segment(loss.func))


def _loss_of(call: ast.Call) -> ast.expr | None:
    """What gradients are taken of: ``loss`` of ``scaler.scale(loss / 2).backward()``, of ``tape.gradient(loss, w)``."""
    value = receiver_of(call) if method_of(call) == "backward" else next(iter(call.args), None)
    while value is not None:
        if isinstance(value, ast.BinOp):
            value = value.left
        elif method_of(value) in {"scale", "mean", "sum"} and isinstance(value, ast.Call):
            value = value.args[0] if method_of(value) == "scale" and value.args else receiver_of(value)
        else:
            return value
    return None


def _made(module: SourceModule, value: ast.expr | None, statement: ast.stmt) -> ast.Call | None:
    """The call that made a value, in the same block."""
    if isinstance(value, ast.Name):
        assigned = last_assigned(module, value.id, statement)
        value = None if assigned is None else assigned.value
    return value if isinstance(value, ast.Call) else None


def _find_fits(module: SourceModule) -> list[Training]:
    found = []
    for call in module.called("fit", "fit_generator"):
        compiled = _compiled(module, call)
        if compiled is not None or any(item.arg in _OF_NETWORKS for item in call.keywords):
            found.append(_of_fit(module, call, compiled))
    return found


def _compiled(module: SourceModule, fit: ast.Call) -> ast.Call | None:
    """The last ``compile`` of the same model before a call of ``fit``."""
    name = ast.unparse(receiver_of(fit) or fit)
    calls = [call for call in module.called("compile") if call.lineno < fit.lineno]
    return next((call for call in reversed(calls) if name == ast.unparse(receiver_of(call) or call)), None)


def _of_fit(module: SourceModule, call: ast.Call, compiled: ast.Call | None) -> Training:
    name = ast.unparse(receiver_of(call) or call.func)
    steps = []
    for position, role in enumerate(("optimizer", "loss")):
        given = None if compiled is None else keyword_of(compiled, role) or next(iter(compiled.args[position:]), None)
        steps += [WrittenStep(role, given, name)] if given is not None else []
    steps.append(WrittenStep("fit", call, name))
    return Training(TrainingStyle.FIT, call, tuple(steps), *_surroundings(module, call))
