"""An operation while it is evaluated, what semantics may ask the evaluator, and the contradictions that they report."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from bugloss.source.follow.scope import Scope
from bugloss.source.text.names import Names
from bugloss.source.values.values import (
    UNKNOWN,
    ClassValue,
    FunctionValue,
    Loss,
    Model,
    Operation,
    Optimizer,
    Value,
)


@dataclass(slots=True, eq=False)
class Conflict:
    """Two facts that exclude each other, found while values were followed: a shape or dtype clash."""

    kind: str
    node: ast.expr
    message: str
    operation: Operation
    details: dict[str, object]


@dataclass(
    slots=True, eq=False
)  # not frozen: it is made for every call that is followed, and that takes thrice as long
class PassedArguments:
    """What a call passes; ``starred`` where a star or a mapping hides some of it."""

    positional: list[Value]
    keywords: dict[str, Value] = field(default_factory=dict)
    starred: bool = False


def passed(*values: Value) -> PassedArguments:
    """Arguments by position."""
    return PassedArguments(list(values))


class Evaluator(Protocol):
    """What follows the values of a file, as statements, expressions and semantics see it."""

    names: Names
    semantics: Semantics
    scope: Scope
    conflicts: list[Conflict]
    models: list[Model]
    optimizers: list[Optimizer]
    losses: list[Loss]
    classes: list[ClassValue]
    functions: list[FunctionValue]
    yielded: list[list[Value]]

    def block(self, body: Sequence[ast.stmt], scope: Scope) -> None: ...

    def value(self, node: ast.expr, scope: Scope) -> Value: ...

    def bind(self, target: ast.expr, value: Value, scope: Scope) -> None: ...

    def attribute(self, owner: Value, name: str, node: ast.expr) -> Value: ...

    def arithmetic(self, node: ast.expr, operator: ast.operator, left: Value, right: Value) -> Value: ...

    def call(self, function: Value, arguments: PassedArguments, node: ast.Call) -> Value: ...

    def call_function(self, function: FunctionValue, arguments: PassedArguments) -> Value: ...

    def record(self, name: str, node: ast.expr, arguments: PassedArguments, receiver: Value = UNKNOWN) -> Value: ...

    def within(self, *names: str) -> AbstractContextManager[None]: ...


@dataclass(slots=True, eq=False)
class Call(Operation):
    """An operation while it is being evaluated: semantics may also report contradictions."""

    interpreter: Evaluator = field(default=None, repr=False)  # type: ignore[assignment]

    def conflict(self, kind: str, message: str, **details: object) -> None:
        """Reports that the operands cannot be combined."""
        self.interpreter.conflicts.append(Conflict(kind, self.node, message, self, details))


Semantics = dict[str, Callable[[Call], Value]]
