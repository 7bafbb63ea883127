"""Fixes that make the same change: the lines of a fix as syntax, with the names and numbers of the program left out."""

from __future__ import annotations

import ast
import hashlib
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from bugloss.core.python_text import parse_python
from bugloss.mine.change import CommitChange
from bugloss.mine.learning_code import changed_lines, learning_names


def fingerprint(change: CommitChange) -> str:
    """Equal for changes that take away and put in statements of the same shape, with the same names of networks."""
    shapes = []
    for file in change.files:
        diff = changed_lines(file)
        shapes += [f"-{shape}" for shape in _shapes(diff.removed)] + [f"+{shape}" for shape in _shapes(diff.added)]
    return hashlib.sha256("\n".join(sorted(shapes)).encode()).hexdigest()[:12] if shapes else ""


def group_fixes(marks: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Commits by fingerprint, those alone left out."""
    groups: dict[str, list[str]] = {}
    for mark, commit in marks:
        if mark:
            groups.setdefault(mark, []).append(commit)
    return {mark: commits for mark, commits in groups.items() if len(commits) > 1}


def _shapes(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        text = textwrap.dedent(line).strip()
        try:
            tree = parse_python(text + " pass" if text.endswith(":") else text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            yield " ".join(learning_names([text]))
            continue
        yield ast.dump(_Blank().visit(tree))


class _Blank(ast.NodeTransformer):
    """Leaves out what only this program calls so; names of networks and training stay."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(node.id if learning_names([node.id]) else "_", ast.Load())

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(type(node.value).__name__)
