"""Calls of losses whose kind is known, and what a name was last given before a statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.core.network.loss import Compares, loss, losses_of
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import dotted, stored, targets_of

_FURTHEST = 100  # statements to look back


@dataclass(frozen=True, slots=True, eq=False)
class LossCall:
    """A call of a loss: its kind, and the order in which it wants its arguments."""

    call: ast.Call
    kind: str
    symmetric: bool
    prediction_first: bool
    statement: ast.stmt


def loss_calls(program: SourceModule) -> list[LossCall]:
    """All calls of losses whose kind is known, by an import or an assignment in the file."""
    return program.remembered(_find_calls)


def last_assigned(program: SourceModule, name: str, before: ast.stmt) -> ast.Assign | None:
    """The assignment that last gave the name its value, in the block of the statement; None when that is not clear."""
    for statement in _earlier(program, before)[: -_FURTHEST - 1 : -1]:
        found = [node for node in _statements(statement) if any(name in stored(target) for target in _bound(node))]
        if found:
            latest = max(found, key=lambda node: node.lineno)
            clear = isinstance(latest, ast.Assign) and all(dotted(target) for target in latest.targets)
            return latest if isinstance(latest, ast.Assign) and clear and _is_certain(program, latest, before) else None
    return None


def _statements(statement: ast.stmt) -> Iterator[ast.stmt]:
    """A statement and all that stand inside it."""
    yield statement
    for name in ("body", "orelse", "finalbody", "handlers"):
        for inner in getattr(statement, name, ()):
            yield from _statements(inner)


def _bound(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [item.optional_vars for item in node.items if item.optional_vars is not None]
    return [node.target] if isinstance(node, (ast.For, ast.AsyncFor)) else targets_of(node)


def _earlier(program: SourceModule, before: ast.stmt) -> list[ast.stmt]:
    """The statements before this one in its block; blocks of ``with`` belong to the block around them."""
    node: ast.AST = before
    found: list[ast.stmt] = []
    while True:
        parent = program.parents.get(node)
        for body in (getattr(parent, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(body, list) and node in body:
                found = [*body[: body.index(node)], *found]
        if not isinstance(parent, (ast.With, ast.AsyncWith)):
            return found
        node = parent


def _is_certain(program: SourceModule, assigned: ast.stmt, before: ast.stmt) -> bool:
    """Whether the assignment is made on every way: it is in no branch or loop of its own."""
    home = program.parents.get(assigned)
    while isinstance(home, (ast.With, ast.AsyncWith)):
        home = program.parents.get(home)
    target = program.parents.get(before)
    while isinstance(target, (ast.With, ast.AsyncWith)):
        target = program.parents.get(target)
    return home is target


def _find_calls(program: SourceModule) -> list[LossCall]:
    named = {
        dotted(target): program.names.qualified(node.value.func) or ""
        for node in program.nodes[ast.Assign]
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in node.targets
        if dotted(target)
    }
    losses = {name: maker for name, maker in named.items() if maker.startswith(("torch.nn.", "keras.losses."))}
    direct = [name for name in program.names.imported.values() if "loss" in name]
    found = []
    functions = {name for row in losses_of("torch") for name in row.names}
    for call in program.called(*{name.rsplit(".", 1)[-1] for name in (*losses, *direct)}, *functions):
        name = losses.get(dotted(call.func)) or program.names.qualified(call.func) or ""
        kind = name.rsplit(".", 1)[-1]
        statement = program.enclosing(call, ast.stmt)
        if _is_loss(name, kind, dotted(call.func) in losses) and isinstance(statement, ast.stmt):
            torch = name.startswith("torch.")
            known = loss(kind, "torch" if torch else "keras")
            asymmetric = known is not None and known.compares in {Compares.CLASSES, Compares.EACH}
            found.append(LossCall(call, kind, not asymmetric, torch, statement))
    return found


def _is_loss(name: str, kind: str, is_object: bool) -> bool:
    if name.startswith("torch.nn.functional."):
        return not is_object and (kind.endswith("_loss") or loss(kind, "torch") is not None)
    if name.startswith("torch.nn.") and kind.endswith("Loss"):
        return is_object
    return name.startswith("keras.losses.") and (kind[:1].isupper() == is_object)
