"""A syntax tree walked once: its nodes by type, and the parent of each."""

from __future__ import annotations

import ast
from collections import defaultdict

from bugloss.source.text.syntax import children


class SyntaxTree:
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
            below = children(node)
            for child in below:
                parents[child] = node
            queue += below
