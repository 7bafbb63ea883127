"""What a typed edit is, and the places of a crash at which one can be made."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bugloss.core.edit import Edit
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash_event import Operand
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import walk

_MOST_FRAMES = 3  # of the program, from the innermost outward: further out the values are no longer the ones that clash
_FARTHER = 0.6  # of the likelihood, for each frame further out
_LONGEST_STATEMENT = 12  # lines: of a whole block the values of one line cannot be told


@dataclass(frozen=True, slots=True)
class TypedEdit:
    """An edit that may remove a crash. Likelihoods order the search and stay below those of known causes."""

    edit: Edit
    fix_pattern: FixPattern
    likelihood: float
    reason: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CrashPlace:
    """A statement on the call stack with the tensors that were seen in its frame."""

    module: SourceModule
    statement: ast.stmt
    operands: Sequence[Operand]
    near: float  # 1 for the innermost line

    def nodes(self) -> Iterator[ast.expr]:
        """The expressions of the statement, without blocks that belong to it."""
        for part in _header(self.statement):
            yield from (node for node in walk(part) if isinstance(node, ast.expr))

    def calls(self) -> list[ast.Call]:
        """The calls of the statement, the outermost first."""
        found = [node for node in self.nodes() if isinstance(node, ast.Call)]
        return sorted(found, key=lambda call: (call.lineno, call.col_offset))

    def operand(self, node: ast.AST) -> Operand | None:
        """The tensor that an expression was when the program stopped."""
        if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
            return None
        text = ast.unparse(node)
        return next((one for one in self.operands if one.name == text), None)

    def tensors(self) -> Iterator[tuple[ast.expr, Operand]]:
        """Values that the statement reads and whose shapes were recorded, each once; not the weights of layers."""
        seen: set[str] = set()
        inner: set[ast.AST] = set()
        for node in self.nodes():
            operand = self.operand(node)
            reads = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
            if operand is None or not reads or node in inner or operand.name in seen:
                continue
            inner |= {part for part in walk(node) if part is not node}
            seen.add(operand.name)
            yield node, operand


def _header(statement: ast.stmt) -> list[ast.AST]:
    """What of a statement is evaluated on its own line."""
    match statement:
        case ast.For() | ast.AsyncFor():
            return [statement.iter]
        case ast.While() | ast.If():
            return [statement.test]
        case ast.With() | ast.AsyncWith():
            return [item.context_expr for item in statement.items]
        case ast.FunctionDef() | ast.ClassDef() | ast.AsyncFunctionDef() | ast.Try():
            return []
    return [statement]


def places(scene: Scene, file: CrashedFile) -> list[CrashPlace]:
    """The lines of the program that were on the call stack, the innermost first."""
    found: list[CrashPlace] = []
    stack = list(reversed(file.stack)) or ([(file.module.path, scene.place.line)] if scene.place else [])
    if scene.place is not None and stack and stack[0] != (scene.place.path, scene.place.line):
        stack.insert(0, (scene.place.path, scene.place.line))
    for depth, (path, line) in enumerate(stack[:_MOST_FRAMES]):
        module = file.project.module(path)
        statement = module.statement(line) if module is not None else None
        if module is None or statement is None:
            continue
        height = (statement.end_lineno or statement.lineno) - statement.lineno
        if height > _LONGEST_STATEMENT and _header(statement) == [statement]:
            continue
        own = [one for one in scene.values if one.line == line and one.path.endswith(path)]
        found.append(CrashPlace(module, statement, own or scene.operands, _FARTHER**depth))
    return found
