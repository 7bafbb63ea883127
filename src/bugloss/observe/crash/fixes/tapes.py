"""Tapes of TensorFlow: a tape that is read twice, a loss that it does not see."""

from __future__ import annotations

import ast
import re

from bugloss.core.edit import Edit
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import pass_argument
from bugloss.observe.crash.scene import Scene
from bugloss.source.editing import move_after, unwrap_call
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, receiver_of, walk

_CUTTING = {"numpy", "item", "tolist"}


def persistent(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A tape that gives gradients more than once."""
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        receiver = receiver_of(call)
        tape = _tape(module, call, ast.unparse(receiver)) if receiver is not None else None
        if method_of(call) == "gradient" and tape is not None:
            made = tape[1]
            return pass_argument(module, made, "persistent", "True")
    return None


def _tape(module: SourceModule, use: ast.AST, name: str) -> tuple[ast.With, ast.Call] | None:
    """The last block before a use that opens a tape of that name."""
    found = [
        (block, item.context_expr)
        for block in module.nodes[ast.With]
        if isinstance(block, ast.With) and block.lineno < getattr(use, "lineno", 0)
        for item in block.items
        if isinstance(item.context_expr, ast.Call) and method_of(item.context_expr) == "GradientTape"
        if item.optional_vars is not None and ast.unparse(item.optional_vars) == name
    ]
    return found[-1] if found else None


def seen_by_tape(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A loss that is computed after its tape is computed inside; a value that left TensorFlow stays in it."""
    module = file.module
    line = scene.place.line if scene.place else 0
    for call in reversed([one for one in module.called("gradient") if one.lineno <= line]):
        receiver = receiver_of(call)
        tape = _tape(module, call, ast.unparse(receiver)) if receiver is not None else None
        if tape is None or not call.args or not isinstance(call.args[0], ast.Name):
            continue
        made = module.assigned_before(call.args[0].id, call)
        block = tape[0]
        if made is not None and made.lineno > (block.end_lineno or 0):
            return move_after(module, made, block.body[-1])
        cuts = [node for node in walk(block) if isinstance(node, ast.Call) and method_of(node) in _CUTTING]
        return unwrap_call(module, cuts[0]) if len(cuts) == 1 else None
    return None
