"""One file as its text says it: nodes, parents, names. Nothing is followed here, so reading it is quick."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Self, TypeVar

from bugloss.core.edit import Span
from bugloss.source.text.names import Names
from bugloss.source.text.source_file import SourceFile
from bugloss.source.text.syntax import dotted, stored
from bugloss.source.text.tree import SyntaxTree

T = TypeVar("T")

# Every byte that cannot be part of a name becomes a space; those of letters beyond ASCII stay.
_ONLY_WORDS = bytes(code if code > 127 or chr(code).isalnum() or code == ord("_") else ord(" ") for code in range(256))


class SourceModule:
    """A parsed file with its syntax tree walked once and its imports resolved."""

    def __init__(self, source: SourceFile) -> None:
        self.source = source
        self.tree = source.tree
        self._index = SyntaxTree(source.tree)
        self.names = Names(self._index)
        self._mentioned: dict[str, bool] = {}
        self._memory: dict[Callable[[Any], object], object] = {}

    @property
    def path(self) -> str:
        return self.source.path

    def remembered(self, find: Callable[[Self], T]) -> T:
        """What a function finds out about this program, worked out once for all that ask."""
        if find not in self._memory:
            self._memory[find] = find(self)
        return self._memory[find]  # type: ignore[return-value]

    @property
    def nodes(self) -> dict[type[ast.AST], list[ast.AST]]:
        """Every node of the tree by its type: one walk for all rules."""
        return self._index.nodes

    @cached_property
    def assignments(self) -> dict[str, list[ast.Assign]]:
        """Plain assignments by the dotted name that they give a value, in source order."""
        index: dict[str, list[ast.Assign]] = defaultdict(list)
        for node in self.nodes[ast.Assign]:
            if isinstance(node, ast.Assign):
                for name in dict.fromkeys(dotted(target) for target in node.targets):
                    index[name].append(node)
        return index

    @cached_property
    def names_in_tuples(self) -> set[str]:
        """Every name that a tuple stores to: ``a, b = …``."""
        return {name for node in self.nodes[ast.Tuple] if isinstance(node, ast.Tuple) for name in stored(node)}

    @cached_property
    def read_words(self) -> set[str]:
        """Every variable and attribute that is read somewhere, and every string: what may be meant by a name."""
        words = set()
        for node in (*self.nodes[ast.Name], *self.nodes[ast.Attribute]):
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                words.add(node.id if isinstance(node, ast.Name) else node.attr)
        for node in self.nodes[ast.Constant]:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words.add(node.value)
        return words

    @cached_property
    def _calls_by_bare_name(self) -> dict[str, list[ast.Call]]:
        index: dict[str, list[ast.Call]] = defaultdict(list)
        for node in self.nodes[ast.Call]:
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                index[name].append(node)
        return index

    def called(self, *names: str) -> list[ast.Call]:
        """Call expressions whose bare name is one of these (``to`` of ``x.to()``), in source order."""
        found = [call for name in names for call in self._calls_by_bare_name.get(name, ())]
        return sorted(found, key=lambda call: (call.lineno, call.col_offset))

    def calls_on(self, line: int) -> list[ast.Call]:
        """Calls that stand on a line or span it, the narrowest first."""
        found = [call for call in self.nodes[ast.Call] if isinstance(call, ast.Call) and _spans(call, line)]
        return sorted(found, key=lambda call: ((call.end_lineno or call.lineno) - call.lineno, -call.col_offset))

    def statement(self, line: int) -> ast.stmt | None:
        """The smallest statement that stands on a line."""
        found = [
            node
            for kind, nodes in self.nodes.items()
            if issubclass(kind, ast.stmt)
            for node in nodes
            if isinstance(node, ast.stmt) and _spans(node, line)
        ]
        return min(found, key=lambda node: (node.end_lineno or node.lineno) - node.lineno, default=None)

    @property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node that encloses each node."""
        return self._index.parents

    def enclosing(self, node: ast.AST, *kinds: type[ast.AST]) -> ast.AST | None:
        """The nearest ancestor of one of the kinds."""
        current = self.parents.get(node)
        while current is not None and not isinstance(current, kinds):
            current = self.parents.get(current)
        return current

    def assigned_before(self, name: str, place: ast.AST) -> ast.Assign | None:
        """The last plain assignment to a name in the lines above a place: in its function, else outside of functions.

        A dotted name, such as ``self.x``, may be assigned in any function.
        """
        line = getattr(place, "lineno", 0)
        above = [node for node in self.assignments.get(name, ()) if node.lineno < line]
        if "." not in name:
            functions = (ast.FunctionDef, ast.AsyncFunctionDef)
            here = self.enclosing(place, *functions)
            homes = [(node, self.enclosing(node, *functions)) for node in above]
            above = [node for node, home in homes if home is here] or [node for node, home in homes if home is None]
        return above[-1] if above else None

    def mentions(self, words: Iterable[str]) -> bool:
        """A cheap test before an expensive one: whether any of the words is in the text."""
        known = self._mentioned
        for word in words:
            found = known.get(word)
            if found is None:
                found = known[word] = word in (self._vocabulary if word.isidentifier() else self.source.text)
            if found:
                return True
        return False

    @cached_property
    def _vocabulary(self) -> str:
        """Every word of the text once: a word is looked up in a third of the text, with the same answer."""
        words = self.source.text.encode(errors="replace").translate(_ONLY_WORDS).split()
        return b" ".join(dict.fromkeys(words)).decode(errors="replace")

    def span(self, node: ast.AST) -> Span:
        """Where a node stands, columns in characters."""
        line: int = getattr(node, "lineno", 1)
        end_line: int = getattr(node, "end_lineno", None) or line
        return Span(
            line,
            self._characters(line, getattr(node, "col_offset", 0)),
            end_line,
            self._characters(end_line, getattr(node, "end_col_offset", 0) or 0),
        )

    def _characters(self, line: int, offset: int) -> int:
        """``ast`` counts bytes of UTF-8; people and editors count characters."""
        text = self.source.lines[line - 1] if 0 < line <= len(self.source.lines) else ""
        return offset if text.isascii() else len(text.encode()[:offset].decode(errors="ignore"))


def _spans(node: ast.expr | ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)
