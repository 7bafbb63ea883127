"""Loops around a place, whether what they run trains a network, and whether they make a new one in each iteration."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

from bugloss.core.network.optimizer import optimizer
from bugloss.source.local_functions import reachable
from bugloss.source.networks.torch_classes import torch_classes
from bugloss.source.text.syntax import LoopNode, dotted, method_of

if TYPE_CHECKING:
    from bugloss.source.program import Program

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_TRAINS = {"backward", "fit", "fit_generator", "train_on_batch", "apply_gradients", "minimize"}
_NEW_MODEL = {"compile", "Sequential", "clone_model", "deepcopy", "load_model", "from_pretrained"}


def loops_around(program: Program, node: ast.AST) -> list[LoopNode]:
    """The loops around a node in its own function, the innermost first."""
    found: list[LoopNode] = []
    current = program.parents.get(node)
    while current is not None and not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        if isinstance(current, _LOOPS):
            found.append(current)
        current = program.parents.get(current)
    return found


def trains(program: Program, nodes: ast.AST | Iterable[ast.AST]) -> bool:
    """Whether a gradient step is reached from these statements."""
    return any(method_of(node) in _TRAINS for node in reachable(program, nodes))


def makes_model(program: Program, nodes: ast.AST | Iterable[ast.AST]) -> bool:
    """Whether these statements make a network or an optimizer, themselves or through functions of the file."""
    return any(isinstance(node, ast.Call) and _is_maker(program, node) for node in reachable(program, nodes))


def _is_maker(program: Program, call: ast.Call) -> bool:
    name = method_of(call)
    if name in _NEW_MODEL or dotted(call.func) in torch_classes(program):
        return True
    return name[:1].isupper() and optimizer(name) is not None
