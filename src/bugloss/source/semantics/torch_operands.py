"""What an operation of PyTorch works on, its options, and what it gives."""

from __future__ import annotations

from bugloss.source.follow.call import Call
from bugloss.source.semantics.array_ops import rest
from bugloss.source.values.values import (
    UNKNOWN,
    Tensor,
    Value,
)


def tensor_argument(call: Call) -> Tensor | None:
    """The tensor an operation works on: the receiver of a method, or the first argument."""
    value = call.receiver if isinstance(call.receiver, Tensor) else call.argument(0, "input")
    return value if isinstance(value, Tensor) else None


def option(call: Call, position: int, *names: str) -> Value:
    after = rest(call)
    for name in names:
        if name in call.keywords:
            return call.keywords[name]
    return after[position] if position < len(after) else UNKNOWN


def made(call: Call, tensor: Tensor | None, **changes: object) -> Tensor:
    base = tensor or Tensor("torch")
    return base.with_(**{"made_by": call.name, "inputs": (base,), "node": call.node, "facts": frozenset(), **changes})
