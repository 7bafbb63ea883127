"""Layers that a network makes and keeps: ``self.dense = nn.Linear(8, 2)``."""

from __future__ import annotations

import ast

from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted

_LAYERS = ("torch.nn.", "keras.layers.")


def assigns_layer(program: Program, node: ast.AST) -> bool:
    """Whether a new layer is made an attribute of ``self``."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return False
    name = program.names.qualified(node.value.func) or ""
    is_layer = name.startswith(_LAYERS) and name.rsplit(".", 1)[-1][:1].isupper()
    return is_layer and any(dotted(target).startswith("self.") for target in node.targets)
