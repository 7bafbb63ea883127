"""The event of a crash. It is separate from other events, so that explaining a crash does not load all of them."""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.core.raised import RaisedException


@dataclass(frozen=True, slots=True)
class Operand:
    """A tensor that lived in the user's frame when the program crashed."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    device: str = ""
    line: int = 0
    path: str = ""
    low: float | None = None  # of its values, where they could be read
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Crash:
    """The exception that ended the program."""

    exception: RaisedException
    operands: tuple[Operand, ...] = ()
    layer: str = ""
    step: int = 0
