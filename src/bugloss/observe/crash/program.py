"""The user's file as a crash needs it: the layers that it makes, with the sizes that can be computed from its text."""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bugloss.observe.crash.value_origin import Origin, origins
from bugloss.observe.origin import SourceFile

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
_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_LARGEST = 10**12


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
        """How to speak of it."""
        return self.name or self.text


class Program:
    """One file of the user's program."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.file = SourceFile(path, text)
        self._constants = _constants(self.file.tree)

    def layers(self) -> Iterator[tuple[Made, Mapping[str, int]]]:
        """Every layer that the file makes, with those of its sizes that can be computed."""
        names = _assigned_names(self.file.tree)
        for node in ast.walk(self.file.tree):
            if isinstance(node, ast.Call) and (kind := _last_name(node.func)) in SIGNATURES:
                given = dict(zip(SIGNATURES[kind], node.args, strict=False))
                given |= {item.arg: item.value for item in node.keywords if item.arg}
                written = {name: ast.unparse(value) for name, value in given.items()}
                made = Made(kind, self.path, node.lineno, ast.unparse(node), names.get(node, ""), written)
                sizes = {name: self.size(value) for name, value in given.items()}
                yield made, {name: size for name, size in sizes.items() if size is not None}

    def made(self, line: int, kinds: Sequence[str], arguments: Mapping[str, int]) -> Made | None:
        """The one layer with these arguments; those that the line calls come first."""
        fitting = [
            made
            for made, sizes in self.layers()
            if made.kind in kinds and all(sizes.get(name) == size for name, size in arguments.items())
        ]
        called = self.names_on(line)
        near = [made for made in fitting if made.name and made.name in called]
        chosen = near or fitting
        return chosen[0] if len({made.line for made in chosen}) == 1 else None

    def names_on(self, line: int) -> set[str]:
        """What the statement on a line calls, and the names that it uses."""
        nodes = (node for call in self.file.calls(line) for node in ast.walk(call))
        return {ast.unparse(node) for node in nodes if isinstance(node, ast.Name | ast.Attribute)}

    def origins(self, line: int, names: Sequence[str] = ()) -> list[Origin]:
        """Where the values used on a line come from."""
        return origins(self.file.tree, line, names)

    def calling(self, name: str) -> list[ast.Call]:
        """Every call of a function or method of that name, from the top of the file down."""
        nodes = (node for node in ast.walk(self.file.tree) if isinstance(node, ast.Call))
        return sorted((node for node in nodes if _last_name(node.func) == name), key=lambda node: node.lineno)

    def size(self, node: ast.expr) -> int | None:
        """A whole number that the text alone gives: literals, products, constants of the module."""
        if isinstance(node, ast.Constant):
            return node.value if type(node.value) is int else None
        if isinstance(node, ast.Name):
            return self._constants.get(node.id)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            left, right = self.size(node.left), self.size(node.right)
            return None if left is None or right is None else _compute(type(node.op), left, right)
        return None


def _compute(kind: type[ast.operator], left: int, right: int) -> int | None:
    try:
        result: int = _OPERATORS[kind](left, right)
    except ZeroDivisionError:
        return None
    return result if abs(result) < _LARGEST else None


def _constants(tree: ast.Module) -> dict[str, int]:
    """Names that the file gives one whole number and nothing else, neither as parameter nor in a loop."""
    values: dict[str, set[int | None]] = {}
    literal: dict[ast.AST, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and type(node.value.value) is int:
            literal |= dict.fromkeys(node.targets, node.value.value)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            values.setdefault(node.id, set()).add(literal.get(node))
        elif isinstance(node, ast.arg):
            values.setdefault(node.arg, set()).add(None)
    single = {name: next(iter(found)) for name, found in values.items() if len(found) == 1}
    return {name: value for name, value in single.items() if value is not None}


def _assigned_names(tree: ast.Module) -> dict[ast.AST, str]:
    """For a call that is the whole right side of an assignment: the name on the left."""
    return {
        node.value: ast.unparse(node.targets[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.value, ast.Call)
    }


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
