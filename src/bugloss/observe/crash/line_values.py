"""Shapes and types of what the crashing line computes: what it passes to the library, and parts of recorded tensors.

Only variables are recorded by their names. The frames below the line show what its call was given.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bugloss.core.failure.frames import is_users
from bugloss.core.raised import Frame
from bugloss.observe.crash_event import Operand
from bugloss.source.text.syntax import method_of, walk

_GENERIC = {"_wrapped_call_impl", "_call_impl", "__call__", "error_handler", "wrapper"}
_POSITION = re.compile(r"args\[(\d+)\]")
_Shape = tuple[int, ...]


def line_values(
    statement: ast.stmt, line: int, known: Sequence[Operand], passed: Sequence[Operand], below: Sequence[Frame]
) -> tuple[Operand, ...]:
    """Operands for expressions of the statement beside the ``known`` ones, each under the text of its expression.

    ``passed`` are operands of library frames, ``below`` the frames below the statement, the outermost first.
    """
    shapes = {one.name: one for one in reversed(known) if one.line in (0, line)}
    found: dict[str, Operand] = {}
    for node in walk(statement):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            part = _part(node, shapes)
            if part is not None:
                found.setdefault(part.name, part)
    for node, operand in _arguments(statement, {**shapes, **found}, passed, below):
        found[ast.unparse(node)] = operand
    path = next((one.path for one in known if one.line == line), "")
    return tuple(replace(one, name=name, line=line, path=path) for name, one in found.items() if name not in shapes)


def _part(node: ast.Subscript, shapes: dict[str, Operand]) -> Operand | None:
    """``x[rows]`` and ``x[a:b]`` of a tensor: the further axes stay."""
    whole = shapes.get(ast.unparse(node.value))
    if whole is None or not whole.shape:
        return None
    name = ast.unparse(node)
    if isinstance(node.slice, ast.Slice):
        return replace(whole, name=name)
    index = shapes.get(ast.unparse(node.slice))
    if index is None or index.dtype.startswith(("bool", "float")):
        return None
    return replace(whole, name=name, shape=(*index.shape, *whole.shape[1:]))


def _arguments(
    statement: ast.stmt, shapes: dict[str, Operand], passed: Sequence[Operand], below: Sequence[Frame]
) -> Iterator[tuple[ast.expr, Operand]]:
    """What the call that failed was given, as the frames below show it."""
    calls = [node for node in walk(statement) if isinstance(node, ast.Call) and _is_plain(node)]
    for frame in below:
        if is_users(frame):
            return
        inside = [one for one in passed if one.line == frame.line and _is_file(one.path, frame.path)]
        generic = frame.function.rsplit(".", 1)[-1] in _GENERIC
        given = _by_position(inside) if generic else dict(enumerate(inside))
        if not given:
            continue
        named = [call for call in calls if generic or method_of(call) == frame.function.rsplit(".", 1)[-1]]
        fitting = [call for call in named if len(call.args) == len(given) and _agree(call, given, shapes)]
        if len(fitting) == 1:
            yield from ((node, given[at]) for at, node in enumerate(fitting[0].args) if at in given)
        return


def _is_plain(call: ast.Call) -> bool:
    return bool(call.args) and not any(isinstance(one, ast.Starred) for one in call.args)


def _is_file(recorded: str, path: str) -> bool:
    return bool(recorded) and (path.endswith(recorded.lstrip("./")) or recorded.endswith(path))


def _by_position(operands: Sequence[Operand]) -> dict[int, Operand]:
    found = ((_POSITION.fullmatch(one.name), one) for one in operands)
    return {int(said[1]): one for said, one in found if said is not None}


def _agree(call: ast.Call, given: dict[int, Operand], shapes: dict[str, Operand]) -> bool:
    """Whether what is known of the arguments is what was passed, in as many places."""
    for at, node in enumerate(call.args):
        known = shapes.get(ast.unparse(node))
        if known is not None and at in given and not _is_like(known.shape, given[at].shape):
            return False
    return True


def _is_like(known: _Shape, given: _Shape) -> bool:
    """The same axes; the first one may have been cut by a slice."""
    return len(known) == len(given) and known[1:] == given[1:]
