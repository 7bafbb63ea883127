"""What happened while a file's values were followed: calls with their abstract operands, and contradictions."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bugloss.source.values.values import UNKNOWN, Constant, Value, number_of, text_of

if TYPE_CHECKING:
    from bugloss.source.follow.interpreter import Interpreter


@dataclass(slots=True, eq=False)
class Operation:
    """One call (or arithmetic operator) as it was evaluated.

    ``name`` is canonical: ``torch.log``, ``keras.layers.Dense``, ``Tensor.view``, ``Model.fit``, ``Optimizer.step``;
    a method of something unknown is ``?.backward``. ``inside`` lists what encloses it, outermost first: ``loop``
    (walked once), ``round`` (of an unrolled loop), ``no_grad``, ``function:train``, ``class:Net``, ``branch``.
    """

    name: str
    node: ast.expr
    positional: list[Value]
    keywords: dict[str, Value]
    inside: tuple[str, ...] = ()
    receiver: Value = UNKNOWN
    result: Value = UNKNOWN
    starred: bool = False  # *args or **kwargs were passed: arguments may be there that are not seen

    def argument(self, position: int, name: str | None = None) -> Value:
        """An argument by keyword or position; UNKNOWN when it was not given or not followed."""
        if name is not None and name in self.keywords:
            return self.keywords[name]
        return self.positional[position] if 0 <= position < len(self.positional) else UNKNOWN

    def given(self, position: int, name: str | None = None) -> bool:
        """Whether an argument was written at all."""
        return (name is not None and name in self.keywords) or 0 <= position < len(self.positional)

    def number(self, position: int, name: str | None = None) -> float | None:
        return number_of(self.argument(position, name))

    def text(self, position: int, name: str | None = None) -> str | None:
        return text_of(self.argument(position, name))

    def is_none(self, position: int, name: str | None = None) -> bool:
        value = self.argument(position, name)
        return isinstance(value, Constant) and value.value is None


@dataclass(slots=True, eq=False)
class Call(Operation):
    """An operation while it is being evaluated: semantics may also report contradictions."""

    interpreter: Interpreter = field(default=None, repr=False)  # type: ignore[assignment]

    def conflict(self, kind: str, message: str, **details: object) -> None:
        """Reports that the operands cannot go together."""
        self.interpreter.conflicts.append(Conflict(kind, self.node, message, self, details))


@dataclass(slots=True, eq=False)
class Conflict:
    """Two facts that exclude each other, found while values were followed: a shape or dtype clash."""

    kind: str
    node: ast.expr
    message: str
    operation: Operation
    details: dict[str, object]
