"""Everything that is known of one file, ready for rules to ask."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from bugloss.source.follow.call import Conflict
from bugloss.source.follow.interpreter import Interpreter
from bugloss.source.semantics import all_semantics
from bugloss.source.text.module import SourceModule
from bugloss.source.text.source_file import SourceFile
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


class Program(SourceModule):
    """A parsed file with its names, the operations that were followed, its networks and training loops."""

    def __init__(self, source: SourceFile, target: dict[str, str] | None = None) -> None:
        super().__init__(source)
        self.target = target or {}
        self.too_deep: list[str] = []  # rules that gave up because something is nested too deeply
        self.failed: dict[str, Exception] = {}  # rules that failed, and how

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

    def forget(self) -> None:
        """Frees what is known of the program at once; the program cannot be used afterwards.

        What rules derive from a file refers to itself; collecting such cycles takes as long as following the values.
        """
        if "followed" in self.__dict__:
            self.followed.forget()
        self.__dict__.clear()

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
        seen: set[int] = set()
        named = self._names_by_method
        found = named.get(methods[0], ()) if len(methods) == 1 else _in_order(named, methods)
        for _, name in found:
            for operation in self._by_name[name]:
                if id(operation.node) not in seen and isinstance(operation.node, ast.Call):
                    seen.add(id(operation.node))
                    yield operation

    @cached_property
    def _names_by_method(self) -> dict[str, list[tuple[int, str]]]:
        """Canonical names by their last part, each with its place among all."""
        index: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for place, name in enumerate(self._by_name):
            if " " not in name:
                index[name.rsplit(".", 1)[-1]].append((place, name))
        return index

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


def _in_order(named: dict[str, list[tuple[int, str]]], methods: tuple[str, ...]) -> list[tuple[int, str]]:
    return sorted(pair for method in dict.fromkeys(methods) for pair in named.get(method, ()))
