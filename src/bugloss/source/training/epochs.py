"""How many epochs a program trains for: bounds of loops that count them, and ``epochs=`` arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, walk
from bugloss.source.training.trainings import written_trainings

_ARGUMENTS = {"epochs", "num_epochs", "n_epochs", "max_epochs", "nb_epoch"}
_COUNTING = {"range", "trange"}


def epoch_counts(module: SourceModule) -> Iterator[ast.expr]:
    """The expressions that say how many epochs there are, in source order."""
    training = {loop for one in written_trainings(module) for loop in (one.node, *one.outer)}
    loops = [node for node in module.nodes[ast.For] if isinstance(node, ast.For)]
    found = [bound for loop in loops if loop in training or _names_epochs(loop) for bound in _bound(loop)]
    found += [
        item.value
        for call in module.nodes[ast.Call]
        if isinstance(call, ast.Call)
        for item in call.keywords
        if item.arg in _ARGUMENTS
    ]
    yield from sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _bound(loop: ast.For) -> Iterator[ast.expr]:
    counted = loop.iter
    if isinstance(counted, ast.Call) and method_of(counted) == "tqdm" and counted.args:
        counted = counted.args[0]
    if isinstance(counted, ast.Call) and method_of(counted) in _COUNTING and counted.args:
        yield counted.args[-1] if len(counted.args) < 3 else counted.args[1]


def _names_epochs(loop: ast.For) -> bool:
    words = (
        getattr(node, "id", "") + getattr(node, "attr", "") for part in (loop.target, loop.iter) for node in walk(part)
    )
    return any("epoch" in word.lower() for word in words)
