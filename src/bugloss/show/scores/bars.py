"""Shares of several groups as bars in one SVG figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bugloss.show.page.scale import Scale
from bugloss.show.scores.palette import COLOURS
from bugloss.show.templates import fill

WIDTH, LEFT, RIGHT, TOP = 760, 210, 730, 60
THICK, GAP = 11, 9
_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class Bar:
    """One drawn bar."""

    y: int
    width: str
    colour: str
    note: str


@dataclass(frozen=True, slots=True)
class BarGroup:
    """The bars of one row, one for each series."""

    name: str
    middle: float
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class BarKey:
    """A series in the legend."""

    name: str
    colour: str
    x: int


def draw_bars(title: str, names: Sequence[str], series: Sequence[tuple[str, Sequence[float | None]]]) -> str:
    """Bars of shares between 0 and 1; a missing share has no bar."""
    highest = max((value for _, values in series for value in values if value is not None), default=0.0)
    across = Scale(0.0, max(_rounded_up(highest), 0.1), LEFT, RIGHT)
    height = len(series) * THICK + GAP
    groups = [_group(name, at, TOP + at * height, series, across) for at, name in enumerate(names)]
    floor = TOP + len(names) * height
    tenths = range(0, round(across.high * 10) + 1, 2 if across.high > 0.5 else 1)
    return fill(
        _TEMPLATES,
        "bars.svg",
        width=WIDTH,
        height=floor + 28,
        left=LEFT,
        top=TOP,
        floor=floor,
        thick=THICK - 1,
        title=title,
        groups=groups,
        keys=_keys([name for name, _ in series]),
        marks=[(f"{across.place(tenth / 10):.1f}", f"{tenth * 10} %") for tenth in tenths],
    )


def _rounded_up(value: float) -> float:
    """To the next tenth."""
    return -(-value * 10 // 1) / 10


def _group(
    name: str, row: int, top: int, series: Sequence[tuple[str, Sequence[float | None]]], across: Scale
) -> BarGroup:
    bars = tuple(
        Bar(top + at * THICK, f"{across.place(value) - LEFT:.1f}", COLOURS[at % len(COLOURS)], f"{title}: {value:.1%}")
        for at, (title, values) in enumerate(series)
        if (value := values[row]) is not None
    )
    return BarGroup(name, top + len(series) * THICK / 2, bars)


def _keys(names: Sequence[str]) -> list[BarKey]:
    """One after the other, as far apart as their names are long."""
    keys, x = [], LEFT
    for at, name in enumerate(names):
        keys.append(BarKey(name, COLOURS[at % len(COLOURS)], x))
        x += 34 + 7 * len(name)
    return keys
