"""Training that a report shows only once: a symptom needs more than one pass over the data to be seen."""

from __future__ import annotations

import ast

_EPOCHS = 8
_STEPS = 120
_TRAINS = {"backward", "apply_gradients", "train_on_batch", "minimize"}


def repeated_training(text: str, tree: ast.Module) -> str | None:
    """The program with its training repeated; None where it is repeated already or is not at module level."""
    for place, statement in enumerate(tree.body):
        if isinstance(statement, ast.For) and _trains(statement):
            inner = any(
                isinstance(part, ast.For | ast.While) and _trains(part)
                for part in ast.walk(statement)
                if part is not statement
            )
            over_epochs = isinstance(statement.iter, ast.Call) and getattr(statement.iter.func, "id", "") in {
                "range",
                "xrange",
                "trange",
            }
            return (
                None
                if inner or over_epochs
                else _wrapped(text, statement, statement, f"for epoch in range({_EPOCHS}):")
            )
        if isinstance(statement, ast.Expr) and _trains(statement) and not isinstance(statement, ast.For):
            first = _first_of_step(tree, place)
            last = _last_of_step(tree, place)
            return _wrapped(text, first, last, f"for step in range({_STEPS}):")
    return None


def _trains(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr in _TRAINS for part in ast.walk(node))


def _first_of_step(tree: ast.Module, place: int) -> ast.stmt:
    """The statement with which a step begins: where what the loss is made of is computed first."""
    wanted = {part.id for part in ast.walk(tree.body[place]) if isinstance(part, ast.Name)}
    first = place
    for at in range(place - 1, -1, -1):
        statement = tree.body[at]
        if not isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr):
            break
        stored = {
            part.id for part in ast.walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }
        calls = any(isinstance(part, ast.Attribute) and part.attr == "zero_grad" for part in ast.walk(statement))
        if calls or (stored & wanted and _computes(statement)):
            first = at
            wanted |= {
                part.id for part in ast.walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
            }
    return tree.body[first]


def _computes(statement: ast.stmt) -> bool:
    """Whether a statement works something out in every step, rather than making a network, data or a setting."""
    value = getattr(statement, "value", None)
    if not isinstance(value, ast.Call | ast.BinOp | ast.Attribute | ast.Subscript):
        return False
    names = {part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "") for part in ast.walk(value)}
    makes = any(name[:1].isupper() and not name.isupper() for name in names)
    return not makes and not names & {"from_numpy", "default_rng", "integers", "normal", "parameters", "eye", "device"}


def _last_of_step(tree: ast.Module, place: int) -> ast.stmt:
    last = place
    for at in range(place + 1, min(place + 5, len(tree.body))):
        if any(
            isinstance(part, ast.Attribute) and part.attr in {"step", "zero_grad", "clip_grad_norm_"}
            for part in ast.walk(tree.body[at])
        ):
            last = at
    return tree.body[last]


def _wrapped(text: str, first: ast.stmt, last: ast.stmt, head: str) -> str:
    lines = text.split("\n")
    start, end = first.lineno - 1, last.end_lineno or last.lineno
    inside = [f"    {line}" if line.strip() else line for line in lines[start:end]]
    return "\n".join([*lines[:start], f"{head}  # assumed: the report shows one pass", *inside, *lines[end:]])
