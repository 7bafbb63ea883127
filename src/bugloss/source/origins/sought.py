"""What is being traced: an expression or definition, the part of its value that is wanted, and how it was reached."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from bugloss.core.edit import Span
from bugloss.source.origins.parts import Wanted
from bugloss.source.origins.place import Place, PlaceKind
from bugloss.source.text.module import SourceModule

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Definition = Function | ast.ClassDef


@dataclass(frozen=True, slots=True, eq=False)
class CallEntry:
    """A call through which a function, or a class without a constructor of its own, was entered."""

    entered: Definition
    call: ast.Call
    module: SourceModule
    before: tuple[CallEntry, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Sought:
    """A node on the way back to where a value was made.

    ``inside`` marks a step into a part of the same expression, which is no place of its own.
    """

    module: SourceModule
    node: ast.AST
    wanted: Wanted = ()
    entries: tuple[CallEntry, ...] = ()
    kind: PlaceKind = PlaceKind.USE
    certain: bool = True
    inside: bool = False

    @property
    def key(self) -> tuple[ast.AST, Wanted, int]:
        return self.node, self.wanted, len(self.entries)

    def part(self, node: ast.AST, wanted: Wanted) -> Sought:
        """A part of the same expression."""
        return replace(self, node=node, wanted=wanted, inside=True)

    def at(self, node: ast.AST, wanted: Wanted, kind: PlaceKind, *, certain: bool = True) -> Sought:
        """Another place of the same file, reached through the same calls."""
        return replace(self, node=node, wanted=wanted, kind=kind, certain=self.certain and certain, inside=False)

    def entry_of(self, definition: ast.AST) -> CallEntry | None:
        """The call through which a definition was entered on this way."""
        return next((entry for entry in reversed(self.entries) if entry.entered is definition), None)

    @property
    def place(self) -> Place:
        return place_of(self.module, self.node, self.kind)


def place_of(module: SourceModule, node: ast.AST, kind: PlaceKind = PlaceKind.USE) -> Place:
    """A node as a place; of a function or class only its first line."""
    span = module.span(node)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        first = module.source.lines[span.line - 1]
        return Place(module.path, Span(span.line, span.column, span.line, len(first)), first.strip(), kind)
    text = module.source.segment(node) if isinstance(node, ast.expr | ast.stmt) else ""
    return Place(module.path, span if text else span.start, text, kind)
