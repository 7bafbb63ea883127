"""Top@k of several methods as curves in one SVG figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bugloss.evaluate.localization import MethodScores
from bugloss.show.page.scale import Scale
from bugloss.show.scores.palette import COLOURS
from bugloss.show.templates import fill

WIDTH, HEIGHT = 720, 420
LEFT, TOP, BOTTOM, LEGEND = 52, 24, 380, 560
_DASHES = ("", "6 3", "2 3")
_KEY_HEIGHT = 20
_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class MethodCurve:
    """One method's curve, and its line in the legend."""

    name: str
    colour: str
    dash: str
    path: str
    dots: tuple[tuple[str, str, str], ...]  # x, y, what the pointer shows
    key: int  # how far down its line of the legend stands
    last: str


def draw_curves(methods: Sequence[MethodScores], reports: int) -> str:
    """The share of reports with a true file among the first k, for k from 1 on."""
    most = max((len(method.curve) for method in methods), default=1)
    lowest = _lowest(methods)
    across, upwards = Scale(1, max(most, 2), LEFT, LEGEND - 16), Scale(lowest / 10, 1, BOTTOM, TOP)
    return fill(
        _TEMPLATES,
        "top_at_k.svg",
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=LEGEND - 16,
        floor=BOTTOM,
        legend=LEGEND,
        reports=reports,
        curves=[_curve(method, number, across, upwards) for number, method in enumerate(_best_first(methods))],
        shares=[(f"{upwards.place(tenth / 10):.1f}", f"{tenth / 10:.1f}") for tenth in range(lowest, 11)],
        places=[(f"{across.place(k):.1f}", str(k)) for k in (1, *range(5, most + 1, 5))],
    )


def _lowest(methods: Sequence[MethodScores]) -> int:
    """Where the axis begins, in tenths: curves of high values could not be distinguished on a full axis."""
    least = min((share for method in methods for share in method.curve), default=0.0)
    return min(int(least * 10), 9)


def _best_first(methods: Sequence[MethodScores]) -> list[MethodScores]:
    return sorted(methods, key=lambda method: -sum(method.curve))


def _curve(method: MethodScores, number: int, across: Scale, upwards: Scale) -> MethodCurve:
    points = [(f"{across.place(k):.1f}", f"{upwards.place(share):.1f}") for k, share in enumerate(method.curve, 1)]
    return MethodCurve(
        method.method,
        COLOURS[number % len(COLOURS)],
        _DASHES[number // len(COLOURS) % len(_DASHES)],
        "M" + "L".join(f"{x} {y}" for x, y in points),
        tuple(
            (x, y, f"{method.method}: Top@{k} {share:.3f}")
            for k, ((x, y), share) in enumerate(zip(points, method.curve, strict=True), 1)
        ),
        TOP + 12 + number * _KEY_HEIGHT,
        f"{method.curve[0]:.2f}" if method.curve else "",
    )
