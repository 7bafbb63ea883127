"""The steps of hand-written training in the order they stand: backward, clip, optimizer, scheduler, scaler.

They are told apart by what they are called on: optimizers, schedulers, scalers and environments all have a ``step``.
Here they are grouped by the block of statements that they stand in; ``trainings`` groups them by loop.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import FunctionNode, dotted, last_part, method_of, receiver_of, targets_of

_CLIPS = {"clip_grad_norm_", "clip_grad_value_", "clip_grad_norm"}
# What a method does where its name is not the name of its role; whose ``step`` it is, its receiver says.
_ROLES = {"unscale_": "unscale", "manual_backward": "backward", **dict.fromkeys(_CLIPS, "clip")}
_TAPE = ("gradient", "apply_gradients", "minimize", "train_on_batch")
_KINDS = {"backward", "zero_grad", "step", "update", "scale", "eval", "train", *_ROLES, *_TAPE}
_NOTHING_OF_OURS = ("env", "sim", "world", "profil", "prof", "progress", "bar", "meter")

_MOST = 1000  # nobody writes more by hand; generated files are not worth the time


@dataclass(frozen=True, slots=True, eq=False)
class GradientStep:
    """One call that matters to training. ``role`` says whose ``step`` it is."""

    # backward, zero_grad, optimizer, scheduler, scaler, unscale, update, scale, clip, eval, train, other; for tapes and
    # Keras gradient, apply_gradients, minimize, train_on_batch
    role: str
    call: ast.Call
    receiver: str
    statement: ast.stmt

    @property
    def place(self) -> tuple[int, int]:
        return self.call.lineno, self.call.end_col_offset or 0


@dataclass(slots=True, eq=False)
class GradientBlock:
    """One list of statements: the steps that stand directly in it, and those in branches and loops inside."""

    owner: ast.AST
    function: FunctionNode | None
    steps: list[GradientStep] = field(default_factory=list)
    nested: list[GradientStep] = field(default_factory=list)
    all: list[GradientStep] = field(default_factory=list)  # both, in source order

    def of(self, *roles: str) -> list[GradientStep]:
        return [step for step in self.steps if step.role in roles]

    def anywhere(self, *roles: str) -> list[GradientStep]:
        """Steps of these roles here or deeper inside, in order."""
        return [step for step in self.all if step.role in roles]


def gradient_blocks(program: SourceModule) -> list[GradientBlock]:
    """Every block with such steps, in source order; worked out once per program."""
    return program.remembered(_find_blocks)


def gradient_steps(program: SourceModule) -> list[GradientStep]:
    """All steps of the file in source order."""
    return program.remembered(_find_steps)


def roles(program: SourceModule) -> dict[str, str]:
    """Names (or attributes) that hold an optimizer, scheduler or scaler because such a thing is assigned to them."""
    return program.remembered(_find_roles)


def made_by(program: SourceModule, role: str) -> list[tuple[ast.Assign, str, ast.Call]]:
    """Assignments that make an optimizer, scheduler or scaler: the statement, the dotted target, the call."""
    return [found for kind, found in program.remembered(_find_makers) if kind == role]


def _find_makers(program: SourceModule) -> list[tuple[str, tuple[ast.Assign, str, ast.Call]]]:
    made = []
    for node in program.nodes[ast.Assign]:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            role = _role_of_maker(program.names.qualified(node.value.func) or "")
            if role:
                made += [(role, (node, dotted(target), node.value)) for target in targets_of(node) if dotted(target)]
    return made


def _role_of_maker(name: str) -> str:
    short = name.rsplit(".", 1)[-1]
    if name.startswith("torch.optim.lr_scheduler.") or (name.startswith("transformers.") and "schedule" in short):
        return "scheduler"
    if name.startswith("torch.optim.") and short[:1].isupper():
        return "optimizer"
    return "scaler" if name.startswith("torch.") and short == "GradScaler" else ""


def _find_roles(program: SourceModule) -> dict[str, str]:
    return {target.rsplit(".", 1)[-1]: role for role, (_, target, _) in program.remembered(_find_makers)}


def _find_steps(program: SourceModule) -> list[GradientStep]:
    found = []
    for call in program.called(*_KINDS):
        statement = program.enclosing(call, ast.stmt)
        # A function of the file may be called train or update: only methods count, and the clip functions.
        if isinstance(statement, ast.stmt) and (isinstance(call.func, ast.Attribute) or method_of(call) in _CLIPS):
            found.append(GradientStep(_role(program, call), call, _receiver(program, call), statement))
    return sorted(found, key=lambda step: step.place)[:_MOST]


def _receiver(program: SourceModule, call: ast.Call) -> str:
    """As it is written: to unparse a long chain would go too deep."""
    receiver = receiver_of(call)
    return dotted(receiver) or program.source.segment(receiver) if receiver is not None else ""


def _role(program: SourceModule, call: ast.Call) -> str:
    method = method_of(call)
    return _whose_step(program, call) if method == "step" else _ROLES.get(method, method)


def _whose_step(program: SourceModule, call: ast.Call) -> str:
    name = last_part(receiver_of(call))
    if name in roles(program):
        return roles(program)[name]
    lowered = name.lower()
    if "sched" in lowered:
        return "scheduler"
    if "scaler" in lowered:
        return "scaler"
    if any(word in lowered for word in _NOTHING_OF_OURS):
        return "other"
    is_optimizer = "optim" in lowered or lowered == "opt" or lowered.startswith("opt_") or lowered.endswith("_opt")
    return "optimizer" if is_optimizer else "other"


def _find_blocks(program: SourceModule) -> list[GradientBlock]:
    blocks: dict[tuple[int, str], GradientBlock] = {}
    for step in gradient_steps(program):
        node: ast.AST = step.statement
        direct = not isinstance(node, (ast.If, ast.For, ast.While, ast.Try))
        while not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)):
            parent = program.parents[node]
            if isinstance(node, ast.stmt) and not isinstance(parent, (ast.With, ast.AsyncWith)):
                key = (id(parent), _field_of(parent, node))
                if key not in blocks:
                    blocks[key] = GradientBlock(parent, _function(program, parent))
                block = blocks[key]
                block.all.append(step)
                (block.steps if direct else block.nested).append(step)
                direct = False
            node = parent
    return list(blocks.values())


def _function(program: SourceModule, node: ast.AST) -> FunctionNode | None:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return node
    found = program.enclosing(node, ast.FunctionDef, ast.AsyncFunctionDef)
    return found if isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef)) else None


def _field_of(parent: ast.AST, node: ast.AST) -> str:
    """Which list of the parent holds the node; the body, usually the longest, is not searched."""
    for name in ("orelse", "finalbody", "handlers"):
        content = getattr(parent, name, None)
        if isinstance(content, list) and node in content:
            return name
    return "body"
