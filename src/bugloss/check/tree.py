"""A syntax tree walked once: its nodes by type, and the parent of each."""

from __future__ import annotations

import ast
from collections import defaultdict

# Nodes that say how a name is used or which operator stands there; rules read them off their parents.
_MARKERS = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)


class Tree:
    """Nodes by type in source order (outermost first), and parents."""

    def __init__(self, root: ast.Module) -> None:
        self.nodes: dict[type[ast.AST], list[ast.AST]] = defaultdict(list)
        self.parents: dict[ast.AST, ast.AST] = {}
        self._walk(root)

    def _walk(self, root: ast.Module) -> None:
        nodes, parents = self.nodes, self.parents
        queue: list[ast.AST] = [root]
        for node in queue:  # the list grows while it is walked: breadth first, without a deque
            nodes[type(node)].append(node)
            for name in node._fields:
                value = getattr(node, name, None)
                if isinstance(value, list):
                    for item in value:
                        if isinstance(item, ast.AST):
                            parents[item] = node
                            queue.append(item)
                elif isinstance(value, ast.AST) and not isinstance(value, _MARKERS):
                    parents[value] = node
                    queue.append(value)
