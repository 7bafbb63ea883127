"""Edits that keep a formula away from zero, where its value or its gradient is infinite."""

from __future__ import annotations

import ast

from bugloss.core.edit import Edit
from bugloss.source.editing import replace_node
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, receiver_of

SMALL = "1e-9"  # below what a distance or a probability of single precision can tell from zero


def raised_argument(module: SourceModule, call: ast.AST, *functions: str) -> Edit | None:
    """The argument of a call, ``f(x)`` or ``x.f()``, with a small number added; None for calls of other functions."""
    if not isinstance(call, ast.Call) or method_of(call) not in functions:
        return None
    inner = call.args[0] if call.args else receiver_of(call)
    if inner is None:
        return None
    text = f"{module.source.segment(inner)} + {SMALL}"
    return replace_node(module, inner, text if call.args else f"({text})")
