"""PyTorch data loaders and datasets of a file."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bugloss.source.text.syntax import dotted, is_constant, keyword_of, spreads, written

if TYPE_CHECKING:
    from bugloss.source.program import Program

_LOADERS = {"torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"}
_DATASETS = {"torch.utils.data.Dataset", "torch.utils.data.dataset.Dataset"}
_STREAMS = ("IterableDataset", "IterDataPipe", "iter", "stream", "pipe")


@dataclass(frozen=True, slots=True, eq=False)
class DataLoaderCall:
    """A loader that is made, and the variable that keeps it (empty when none does)."""

    call: ast.Call
    name: str

    @property
    def has_workers(self) -> bool:
        """Whether it is known to use worker processes."""
        given = keyword_of(self.call, "num_workers")
        return isinstance(given, ast.Constant) and isinstance(given.value, int) and given.value > 0

    @property
    def ordered_by_caller(self) -> bool:
        """Whether it shuffles, has a sampler, or may have one that is not seen."""
        shuffle = self.call.args[2] if len(self.call.args) > 2 else keyword_of(self.call, "shuffle")
        if shuffle is not None and not is_constant(shuffle, False):
            return True
        sampled = any(keyword_of(self.call, name) for name in ("sampler", "batch_sampler"))
        return sampled or len(self.call.args) > 3 or spreads(self.call)

    def streams(self, program: Program) -> bool:
        """Whether its dataset is a stream, which cannot be shuffled by the loader."""
        dataset = self.call.args[0] if self.call.args else keyword_of(self.call, "dataset")
        text = written(dataset) if dataset is not None else ""
        classes = [
            node.name
            for node in program.nodes[ast.ClassDef]
            if isinstance(node, ast.ClassDef) and any("Iter" in written(base) for base in node.bases)
        ]
        return any(word in text for word in (*_STREAMS, *classes))


def data_loaders(program: Program) -> list[DataLoaderCall]:
    """Every loader that the file makes."""
    return program.remembered(_find_loaders)


def datasets(program: Program) -> list[ast.ClassDef]:
    """Map-style dataset classes that the file defines."""
    return [
        node
        for node in program.nodes[ast.ClassDef]
        if isinstance(node, ast.ClassDef) and any(program.names.qualified(base) in _DATASETS for base in node.bases)
    ]


def _find_loaders(program: Program) -> list[DataLoaderCall]:
    found = []
    for call in program.called("DataLoader"):
        if program.names.qualified(call.func) in _LOADERS:
            parent = program.parents.get(call)
            name = dotted(parent.targets[0]) if isinstance(parent, ast.Assign) else ""
            found.append(DataLoaderCall(call, name))
    return found
