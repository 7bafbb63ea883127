"""Where a file runs networks without gradients: blocks under ``no_grad`` and functions decorated with it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bugloss.source.local_functions import scope_of
from bugloss.source.networks.torch_classes import made_networks
from bugloss.source.text.syntax import calls_in, dotted

if TYPE_CHECKING:
    from bugloss.source.program import Program

_DISABLED = {"no_grad", "inference_mode"}
_USUAL_NAMES = {"model", "net", "network", "classifier"}
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


@dataclass(frozen=True, slots=True, eq=False)
class Inference:
    """A network that runs without gradients: the call, the network's name, the function or module around it.

    ``over_data`` says that it runs in a loop that does no training.
    """

    call: ast.Call
    network: str
    scope: ast.AST
    over_data: bool


def network_names(program: Program) -> set[str]:
    """Variables that hold a network, because one is assigned or by their usual names."""
    return {*made_networks(program), *_USUAL_NAMES}


def inferences(program: Program) -> list[Inference]:
    """All calls of networks under ``no_grad``, in source order."""
    return program.remembered(_find_inferences)


def grad_disabled(program: Program, node: ast.AST) -> bool:
    """Whether a node stands under ``no_grad`` or ``inference_mode``, by a block or a decorator."""
    current: ast.AST | None = node
    while current is not None:
        if isinstance(current, (ast.With, ast.AsyncWith)) and any(
            _disables(item.context_expr) for item in current.items
        ):
            return True
        if isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return any(_disables(decorator) for decorator in current.decorator_list)
        current = program.parents.get(current)
    return False


def _disables(node: ast.expr) -> bool:
    """``torch.no_grad()``; also ``set_grad_enabled(…)``, which may."""
    target = node.func if isinstance(node, ast.Call) else node
    name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
    return name in _DISABLED or name == "set_grad_enabled"


def _find_inferences(program: Program) -> list[Inference]:
    names = network_names(program)
    found = []
    for call in program.called(*{name.rsplit(".", 1)[-1] for name in names}):
        if dotted(call.func) in names and grad_disabled(program, call):
            found.append(Inference(call, dotted(call.func), scope_of(program, call), _over_data(program, call)))
    return sorted(found, key=lambda inference: (inference.call.lineno, inference.call.col_offset))


def _over_data(program: Program, call: ast.Call) -> bool:
    """Whether the innermost loop around the call, in its function, runs no backward pass."""
    loop = program.enclosing(call, *_LOOPS, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    return isinstance(loop, _LOOPS) and not calls_in(loop.body, "backward")
