"""What was decided for a program on the way, as values: its text is never read back for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bugloss.core.reproduction import Quote
from bugloss.reproduce.data.spec import StandInData


@dataclass(frozen=True, slots=True)
class Setting:
    """A value for a name as code, why, the words of the report that give it, and values to try instead."""

    code: str
    why: str
    quote: Quote | None = None
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decisions:
    """The stand-in data, the assumed settings, and the figures that our lines print."""

    data: StandInData | None = None
    settings: Mapping[str, Setting] = field(default_factory=dict)  # by the name that was given a value
    prints: frozenset[str] = frozenset()
