"""The user's file as a crash needs it: the layers that it makes with their sizes, and where its values come from."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bugloss.source.origins.origins import number_of, origins_on
from bugloss.source.origins.place import Place
from bugloss.source.project import Project
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, walk

# What the positions of a constructor's arguments are called.
SIGNATURES: Mapping[str, tuple[str, ...]] = {
    "Linear": ("in_features", "out_features"),
    "Conv1d": ("in_channels", "out_channels", "kernel_size"),
    "Conv2d": ("in_channels", "out_channels", "kernel_size"),
    "Conv3d": ("in_channels", "out_channels", "kernel_size"),
    "ConvTranspose2d": ("in_channels", "out_channels", "kernel_size"),
    "BatchNorm1d": ("num_features",),
    "BatchNorm2d": ("num_features",),
    "BatchNorm3d": ("num_features",),
    "LayerNorm": ("normalized_shape",),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "LSTM": ("input_size", "hidden_size"),
    "GRU": ("input_size", "hidden_size"),
    "RNN": ("input_size", "hidden_size"),
    "Dense": ("units",),
    "Conv1D": ("filters", "kernel_size"),
    "Conv2D": ("filters", "kernel_size"),
    "Conv3D": ("filters", "kernel_size"),
}
_MOST_LAYERS = 300  # of one file; generated networks have more


@dataclass(frozen=True, slots=True)
class Made:
    """A layer where the program makes it."""

    kind: str
    path: str
    line: int
    text: str  # the call as it is written
    name: str = ""  # what it is assigned to: ``self.fc1``
    arguments: Mapping[str, str] | None = None  # as they are written

    @property
    def called(self) -> str:
        """How to call it in a message."""
        return self.name or self.text


class CrashedFile:
    """The file in which a program crashed, with the lines that were on the call stack."""

    def __init__(self, project: Project, module: SourceModule, stack: Sequence[tuple[str, int]] = ()) -> None:
        self._project = project
        self._module = module
        self._stack = stack

    def layers(self) -> Iterator[tuple[Made, Mapping[str, int]]]:
        """Every layer that the program makes, with those of its sizes that are certain; those of this file first."""
        others = [module for module in self._project.modules() if module is not self._module]
        for module in (self._module, *others):
            for call in module.called(*SIGNATURES)[:_MOST_LAYERS]:
                kind = method_of(call)
                given = dict(zip(SIGNATURES[kind], call.args, strict=False))
                given |= {item.arg: item.value for item in call.keywords if item.arg}
                written = {name: ast.unparse(value) for name, value in given.items()}
                made = Made(kind, module.path, call.lineno, ast.unparse(call), _kept_as(module, call), written)
                sizes = {name: number_of(self._project, module, value) for name, value in given.items()}
                yield made, {name: size for name, size in sizes.items() if size is not None}

    def made(self, line: int, kinds: Sequence[str], arguments: Mapping[str, int]) -> Made | None:
        """The one layer with these arguments; those that the line calls come first."""
        fitting = [
            made
            for made, sizes in self.layers()
            if made.kind in kinds and all(sizes.get(name) == size for name, size in arguments.items())
        ]
        called = self._names_on(line)
        chosen = [made for made in fitting if made.name and made.name in called] or fitting
        return chosen[0] if len({(made.path, made.line) for made in chosen}) == 1 else None

    def _names_on(self, line: int) -> set[str]:
        """What the calls on a line call, and the names that they use."""
        nodes = (node for call in self._module.calls_on(line) for node in walk(call))
        return {ast.unparse(node) for node in nodes if isinstance(node, ast.Name | ast.Attribute)}

    def origins(self, line: int, names: Sequence[str] = ()) -> dict[str, Place]:
        """Where the values used on a line were made, by the name that the line has for them."""
        found = origins_on(self._project, self._module.path, line, names, self._stack)
        return {name: origin.made for name, origin in found.items()}

    def calling(self, name: str) -> list[ast.Call]:
        """Every call of a function or method of that name, from the top of the file down."""
        return self._module.called(name)


def _kept_as(module: SourceModule, call: ast.Call) -> str:
    """What a call is assigned to, where it is the whole right side."""
    parent = module.parents.get(call)
    return ast.unparse(parent.targets[0]) if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else ""
