"""The user's file as a crash needs it: the layers that it makes with their sizes, and where its values come from."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from bugloss.core.network.layer import LAYERS, KnownLayer
from bugloss.source.origins.origins import number_of, origins_on, steps_back
from bugloss.source.origins.place import Place
from bugloss.source.origins.sought import Sought
from bugloss.source.project import Project
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, walk

_MOST_LAYERS = 300  # of one file; generated networks have more


@dataclass(frozen=True, slots=True)
class Made:
    """A layer where the program makes it, with those of its sizes that are certain."""

    kind: str
    module: SourceModule = field(repr=False, compare=False)
    call: ast.Call = field(repr=False, compare=False)
    name: str = ""  # what it is assigned to: ``self.fc1``
    given: Mapping[str, ast.expr] = field(default_factory=dict, repr=False, compare=False)
    sizes: Mapping[str, int] = field(default_factory=dict, compare=False)

    @property
    def path(self) -> str:
        return self.module.path

    @property
    def line(self) -> int:
        return self.call.lineno

    @property
    def text(self) -> str:
        """The call as it is written."""
        return ast.unparse(self.call)

    @property
    def called(self) -> str:
        """How to call it in a message."""
        return self.name or self.text

    @property
    def arguments(self) -> dict[str, str]:
        """The arguments as they are written."""
        return {name: ast.unparse(value) for name, value in self.given.items()}


class CrashedFile:
    """The file in which a program crashed, with the lines that were on the call stack."""

    def __init__(self, project: Project, module: SourceModule, stack: Sequence[tuple[str, int]] = ()) -> None:
        self.project = project
        self.module = module
        self.stack = stack
        self._layers: list[Made] | None = None

    @property
    def modules(self) -> list[SourceModule]:
        """Every file of the program, this one first."""
        return [self.module, *(module for module in self.project.modules() if module is not self.module)]

    @property
    def is_called_before(self) -> bool:
        """Whether what the outermost line of the call stack calls was called or passed on before, in that file."""
        path, line = self.stack[0] if self.stack else (self.module.path, 0)
        module = self.project.module(path)
        called = module.calls_on(line) if module is not None else []
        names = {call.func.id for call in called if isinstance(call.func, ast.Name)}
        own = {name for name in names if module is not None and module.assignments.get(name)}
        if module is None or not own:
            return False
        calls = [call for call in module.nodes[ast.Call] if isinstance(call, ast.Call) and call.lineno < line]
        used = [node for call in calls for node in (call.func, *call.args) if isinstance(node, ast.Name)]
        return any(node.id in own for node in used)

    def layers(self) -> Sequence[Made]:
        """Every layer that the program makes; those of this file first."""
        if self._layers is None:
            self._layers = [made for module in self.modules for made in self._layers_of(module)]
        return self._layers

    def _layers_of(self, module: SourceModule) -> Iterator[Made]:
        for call in module.called(*_known_layers())[:_MOST_LAYERS]:
            kind = method_of(call)
            given = dict(zip(_parameters(module, call, kind), call.args, strict=False))
            given |= {item.arg: item.value for item in call.keywords if item.arg}
            sizes = {name: number_of(self.project, module, value) for name, value in given.items()}
            known = {name: size for name, size in sizes.items() if size is not None}
            yield Made(kind, module, call, _kept_as(module, call), given, known)

    def made(self, line: int, kinds: Sequence[str], arguments: Mapping[str, int], layer: str = "") -> Made | None:
        """The one layer with these arguments; the one that failed and those that the line calls come first.

        Where none has them for certain, the only one whose sizes are not known is meant.
        """
        of_kind = [made for made in self.layers() if made.kind in kinds]
        fitting = [one for one in of_kind if all(one.sizes.get(name) == size for name, size in arguments.items())]
        fitting = fitting or [one for one in of_kind if not set(arguments) & set(one.sizes) and arguments]
        called = self._names_on(line)
        chosen = [one for one in fitting if layer and one.name.removeprefix("self.") == layer.rsplit(".", 1)[-1]]
        chosen = chosen or [one for one in fitting if one.name and one.name in called] or fitting
        return chosen[0] if len({(one.path, one.line, one.call.col_offset) for one in chosen}) == 1 else None

    def _names_on(self, line: int) -> set[str]:
        """What the calls on a line call, and the names that they use."""
        nodes = (node for call in self.module.calls_on(line) for node in walk(call))
        return {ast.unparse(node) for node in nodes if isinstance(node, ast.Name | ast.Attribute)}

    def origins(self, line: int, names: Sequence[str] = ()) -> dict[str, Place]:
        """Where the values used on a line were made, by the name that the line has for them."""
        found = origins_on(self.project, self.module.path, line, names, self.stack)
        return {name: origin.made for name, origin in found.items()}

    def steps_back(self, module: SourceModule, node: ast.expr) -> list[Sought]:
        """The way from an expression to what made its value, as nodes."""
        return steps_back(self.project, module, node, via=self.stack)

    def number(self, module: SourceModule, node: ast.expr) -> int | None:
        """The whole number that an expression is for certain."""
        return number_of(self.project, module, node)

    def calling(self, name: str) -> list[ast.Call]:
        """Every call of a function or method of that name, from the top of the file down."""
        return self.module.called(name)


@cache
def _known_layers() -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for row in LAYERS for name in (row.name, *row.names)))


def _parameters(module: SourceModule, call: ast.Call, kind: str) -> tuple[str, ...]:
    """The names of a layer's arguments by position; both frameworks have an LSTM."""
    rows = [row for row in LAYERS.all_named(kind) if kind in {row.name, *row.names}]
    qualified = module.names.qualified(call.func) or ""

    def is_foreign(row: KnownLayer) -> bool:
        return bool(qualified) and not qualified.startswith(row.framework)

    return min(rows, key=is_foreign).parameters if rows else ()


def _kept_as(module: SourceModule, call: ast.Call) -> str:
    """What a call is assigned to, where it is the whole right side."""
    parent = module.parents.get(call)
    return ast.unparse(parent.targets[0]) if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else ""
