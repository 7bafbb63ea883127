"""Calls of a training that a cause names without an edit: schedules, dropout, checkpointing, repeated data."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.edit import Edit, Span, quoted
from bugloss.core.network.layer import LayerFamily, torch_layers
from bugloss.source.editing import add_argument, move_after, replace_node, replace_span
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, method_of, receiver_of, walk

_SCHEDULE = re.compile(r"sched", re.IGNORECASE)
_DROPOUTS = tuple(row.function for row in torch_layers(LayerFamily.DROPOUT))


def schedule_per_epoch(module: SourceModule) -> Iterator[Edit]:
    """``scheduler.step()`` beside the optimizer's step moves behind the loop over the batches."""
    for call in module.called("step"):
        owner, statement = receiver_of(call), module.enclosing(call, ast.stmt)
        loop = module.enclosing(call, ast.For)
        outer = module.enclosing(loop, ast.For) if loop is not None else None
        is_schedule = owner is not None and _SCHEDULE.search(ast.unparse(owner)) and not call.args
        if not is_schedule or not isinstance(statement, ast.Expr) or not isinstance(loop, ast.For) or outer is None:
            continue
        calls = [one for one in walk(loop) if isinstance(one, ast.Call) and method_of(one) == "step"]
        if len(calls) > 1:
            yield _behind(module, statement, loop)


def _behind(module: SourceModule, statement: ast.Expr, loop: ast.For) -> Edit:
    """A statement of a loop behind it; the last one only loses its indentation."""
    if loop.body[-1] is not statement or loop.orelse:
        return move_after(module, statement, loop)
    at = module.span(statement).start
    words = f"move {quoted(module.source.segment(statement))} in line {at.line} behind the loop of line {loop.lineno}"
    indentation = Span(at.line, module.span(loop).column, at.line, at.column)
    return Edit(words, (replace_span(module, indentation, ""),))


def dropout_of_mode(module: SourceModule) -> Iterator[Edit]:
    """``F.dropout(x, p, training=True)`` in a module follows the mode of the module."""
    for call in module.called(*_DROPOUTS):
        given = keyword_of(call, "training") or (call.args[2] if len(call.args) > 2 else None)
        method = module.enclosing(call, ast.FunctionDef)
        is_method = method is not None and isinstance(module.parents.get(method), ast.ClassDef)
        is_function = (module.names.qualified(call.func) or "").startswith("torch.nn.functional.")
        if is_function and is_method and isinstance(given, ast.Constant) and given.value is True:
            yield replace_node(module, given, "self.training")


def checkpoint_without_reentry(module: SourceModule) -> Iterator[Edit]:
    """Checkpointing with reentrant autograd gives no gradient behind frozen inputs; the other kind does."""
    for call in module.called("checkpoint", "checkpoint_sequential"):
        if not (module.names.qualified(call.func) or "").startswith("torch.utils.checkpoint"):
            continue
        given = keyword_of(call, "use_reentrant")
        if given is None:
            edit = add_argument(module, call, "use_reentrant=False")
            if edit is not None:
                yield edit
        elif isinstance(given, ast.Constant) and given.value is True:
            yield replace_node(module, given, "False")


def repeated_without_end(module: SourceModule) -> Iterator[Edit]:
    """A data set that is repeated so many times is repeated for ever: ``steps_per_epoch`` ends each epoch."""
    if not any(keyword_of(call, "steps_per_epoch") is not None for call in module.called("fit")):
        return
    for call in module.called("repeat"):
        if len(call.args) == 1 and not call.keywords and isinstance(call.func, ast.Attribute):
            yield replace_node(module, call.args[0], "")
    for call in module.called("batch"):
        if not module.called("repeat") and isinstance(call.func, ast.Attribute) and "tensorflow" in module.names.roots:
            yield replace_node(module, call, f"{module.source.segment(call)}.repeat()")
