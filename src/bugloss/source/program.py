"""Everything that is known of one file, ready for rules to ask."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TypeVar

from bugloss.core.finding import Span
from bugloss.source.follow.call import Conflict
from bugloss.source.follow.interpreter import Interpreter
from bugloss.source.semantics import all_semantics
from bugloss.source.text.names import Names
from bugloss.source.text.source_file import SourceFile
from bugloss.source.text.syntax import dotted, stored
from bugloss.source.text.tree import SyntaxTree
from bugloss.source.training.training_loop import TrainingLoop, find_training_loops
from bugloss.source.values.values import Loss, Model, Operation, Optimizer

FRAMEWORKS = {
    "torch",
    "keras",
    "tensorflow",
    "tf_keras",
    "jax",
    "flax",
    "lightning",
    "pytorch_lightning",
    "transformers",
}
RELEVANT = FRAMEWORKS | {"numpy", "sklearn", "torchvision", "torchtext", "torchaudio", "accelerate", "imblearn"}


T = TypeVar("T")


class Program:
    """A parsed file with its names, the operations that were followed, its networks and training loops."""

    def __init__(self, source: SourceFile, target: dict[str, str] | None = None) -> None:
        self.source = source
        self.tree = source.tree
        self._index = SyntaxTree(source.tree)
        self.names = Names(self._index)
        self.target = target or {}
        self.too_deep: list[str] = []  # rules that gave up because something is nested too deeply
        self.failed: dict[str, Exception] = {}  # rules that failed, and how
        self._mentioned: dict[str, bool] = {}
        self._memory: dict[Callable[[Program], object], object] = {}

    def remembered(self, find: Callable[[Program], T]) -> T:
        """What a function finds out about this program, worked out once for all rules that ask."""
        if find not in self._memory:
            self._memory[find] = find(self)
        return self._memory[find]  # type: ignore[return-value]

    @cached_property
    def relevant(self) -> bool:
        """Whether any library of the trade is imported; the others are not followed."""
        return bool(self.names.roots & RELEVANT)

    @cached_property
    def frameworks(self) -> set[str]:
        """torch, keras, tensorflow … as far as imported."""
        roots = self.names.roots & FRAMEWORKS
        if any(name.startswith("tensorflow.") and "keras" in name for name in self.names.imported.values()):
            roots.add("keras")
        return roots

    @cached_property
    def followed(self) -> Interpreter:
        interpreter = Interpreter(self.tree, self.names, all_semantics())
        if self.relevant:
            interpreter.run()
        return interpreter

    @property
    def operations(self) -> list[Operation]:
        """All operations in the order they were followed."""
        return self.followed.operations

    @cached_property
    def _by_name(self) -> dict[str, list[Operation]]:
        index: dict[str, list[Operation]] = defaultdict(list)
        for operation in self.operations:
            index[operation.name].append(operation)
        return index

    def calls(self, *names: str) -> Iterator[Operation]:
        """Operations of these canonical names, each place in the source once."""
        seen: set[int] = set()
        for name in names:
            for operation in self._by_name.get(name, ()):
                if id(operation.node) not in seen:
                    seen.add(id(operation.node))
                    yield operation

    def all_calls(self, *names: str) -> Iterator[Operation]:
        """Like ``calls``, but once per way in which the place was reached."""
        for name in names:
            yield from self._by_name.get(name, ())

    def methods(self, *methods: str) -> Iterator[Operation]:
        """Calls of methods by their bare name, whatever the receiver: ``backward``, ``step`` …"""
        wanted = set(methods)
        seen: set[int] = set()
        for name, operations in self._by_name.items():
            if name.rsplit(".", 1)[-1] in wanted and " " not in name:
                for operation in operations:
                    if id(operation.node) not in seen and isinstance(operation.node, ast.Call):
                        seen.add(id(operation.node))
                        yield operation

    def prefixed(self, prefix: str) -> Iterator[Operation]:
        """Operations whose canonical name starts so, each place once."""
        yield from self.calls(*(name for name in self._by_name if name.startswith(prefix)))

    def conflicts(self, *kinds: str) -> Iterator[Conflict]:
        """Contradictions of these kinds, each place once."""
        seen: set[tuple[int, int, str]] = set()
        for conflict in self.followed.conflicts:
            place = (conflict.node.lineno, conflict.node.col_offset, conflict.kind)
            if conflict.kind in kinds and place not in seen:
                seen.add(place)
                yield conflict

    @property
    def models(self) -> list[Model]:
        return self.followed.models

    @property
    def optimizers(self) -> list[Optimizer]:
        return self.followed.optimizers

    @property
    def losses(self) -> list[Loss]:
        return self.followed.losses

    @cached_property
    def training_loops(self) -> list[TrainingLoop]:
        """Loops that call ``backward`` or apply gradients, with what they do in order."""
        return find_training_loops(self.tree, self.names)

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

    def mentions(self, words: Iterable[str]) -> bool:
        """A cheap test before a dear one: whether any of the words stands in the text."""
        return any(self._mentions(word) for word in words)

    def _mentions(self, word: str) -> bool:
        if word not in self._mentioned:
            self._mentioned[word] = word in self.source.text
        return self._mentioned[word]

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
