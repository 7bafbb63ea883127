"""The tensors in the line where a program stopped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.observe.crash_event import Operand
from bugloss.repair.case import RepairCase
from bugloss.source.text.module import SourceModule


def tensors_on_line(case: RepairCase) -> Iterator[tuple[SourceModule, ast.Name, Operand]]:
    """Names that the line reads and whose shapes were recorded, in the order of the line, each once."""
    scene, module = case.scene, case.crashed_module
    if scene is None or scene.place is None or module is None or case.crash is None:
        return
    known = {operand.name: operand for operand in case.crash.operands}
    seen: set[str] = set()
    names = [node for node in module.nodes[ast.Name] if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    for node in sorted(names, key=lambda node: node.col_offset):
        if node.lineno == scene.place.line and node.id in known and node.id not in seen:
            seen.add(node.id)
            yield module, node, known[node.id]
