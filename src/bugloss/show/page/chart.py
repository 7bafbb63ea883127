"""Curves as a drawing: paths, axes, legend, and numbered marks where symptoms begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bugloss.show.page.figures import number
from bugloss.show.page.scale import Scale, scale_of
from bugloss.show.page.series import Series

LEFT, RIGHT, TOP, BOTTOM = 58, 14, 22, 34
_SAME_PLACE = 14  # marks nearer than this many units share a line
_DOTTED = 30  # curves of so few points show each of them


@dataclass(frozen=True, slots=True)
class Paper:
    """How large a drawing is, in units that are about a pixel on a desk's screen."""

    width: int
    height: int

    @property
    def right(self) -> int:
        return self.width - RIGHT

    @property
    def floor(self) -> int:
        return self.height - BOTTOM


WIDE, HALF = Paper(1100, 300), Paper(540, 220)


@dataclass(frozen=True, slots=True)
class Tick:
    """A round value on an axis."""

    at: str
    label: str


@dataclass(frozen=True, slots=True)
class ChartCurve:
    """One drawn curve."""

    name: str
    style: str
    path: str
    dots: tuple[tuple[str, str, str], ...] = ()  # x, y, tooltip
    crosses: tuple[tuple[str, str], ...] = ()  # x, tooltip
    last: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A step at which something began to go wrong."""

    at: str
    label: str
    title: str
    severity: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing with all its numbers computed."""

    title: str
    identity: str
    curves: tuple[ChartCurve, ...]
    across: tuple[Tick, ...]
    upwards: tuple[Tick, ...]
    marks: tuple[Mark, ...]
    logarithmic: bool
    note: str
    description: str
    paper: Paper


@dataclass(frozen=True, slots=True)
class Beginning:
    """A symptom as a chart needs it."""

    number: int
    step: int
    name: str
    message: str
    severity: str


def draw(
    title: str,
    identity: str,
    series: Sequence[Series],
    beginnings: Sequence[Beginning] = (),
    *,
    last_step: int = 0,
    wide: bool = False,
    may_log: bool = True,
    from_zero: bool = False,
) -> Chart | None:
    """A chart of the curves that have values; None where none has."""
    shown = [curve for curve in series if curve]
    if not shown:
        return None
    paper = WIDE if wide else HALF
    across = _steps(shown, last_step, paper)
    values = [value for curve in shown for _, value in curve.points]
    upwards = scale_of([*values, *([0.0] if from_zero else [])], paper.floor, TOP, may_log=may_log)
    return Chart(
        title,
        identity,
        tuple(_curve(curve, across, upwards) for curve in shown),
        tuple(Tick(_place(at), label) for at, label in across.ticks()),
        tuple(Tick(_place(at), label) for at, label in upwards.ticks()),
        _marks(beginnings, across),
        upwards.logarithmic,
        _note(shown),
        _description(title, shown),
        paper,
    )


def _steps(series: Sequence[Series], last_step: int, paper: Paper) -> Scale:
    steps = [step for curve in series for step in (*(at for at, _ in curve.points), *curve.broken)]
    low, high = min(steps), max(*steps, float(last_step)) if steps else 1.0
    return Scale(low, high if high > low else low + 1, LEFT, paper.right)


def _curve(series: Series, across: Scale, upwards: Scale) -> ChartCurve:
    places = [(_place(across.place(step)), _place(upwards.place(value)), step, value) for step, value in series.points]
    few = len(places) <= _DOTTED
    return ChartCurve(
        series.name,
        series.style,
        "M" + "L".join(f"{x} {y}" for x, y, _, _ in places) if places else "",
        tuple((x, y, f"{series.name}: {number(value)} at step {number(int(step))}") for x, y, step, value in places)
        if few
        else (),
        tuple(
            (_place(across.place(step)), f"{series.name}: NaN or infinite at step {number(int(step))}")
            for step in series.broken
        ),
        number(series.points[-1][1]) if series.points else "NaN or infinite",
    )


def _marks(beginnings: Sequence[Beginning], across: Scale) -> tuple[Mark, ...]:
    """One line for symptoms that begin at about the same step."""
    groups: list[tuple[float, list[Beginning]]] = []
    for beginning in sorted(beginnings, key=lambda each: each.step):
        if not across.low <= beginning.step <= across.high:
            continue
        at = across.place(beginning.step)
        if groups and at - groups[-1][0] < _SAME_PLACE:
            groups[-1][1].append(beginning)
        else:
            groups.append((at, [beginning]))
    return tuple(_mark(at, group) for at, group in groups)


def _mark(at: float, group: Sequence[Beginning]) -> Mark:
    numbers = [str(each.number) for each in group]
    label = ",".join(numbers[:3]) + (" …" if len(numbers) > 3 else "")
    title = "\n".join(f"{each.number}. step {each.step}: {each.name} – {each.message}" for each in group)
    severity = "error" if any(each.severity == "error" for each in group) else "warning"
    return Mark(_place(at), label, title, severity)


def _note(series: Sequence[Series]) -> str:
    notes = [
        f"{curve.name}: lowest and highest value of each interval, of {number(curve.total)} values"
        for curve in series
        if curve.total > len(curve.points) + len(curve.broken)
    ]
    return "; ".join(notes)


def _description(title: str, series: Sequence[Series]) -> str:
    parts = [
        f"{curve.name} from {number(curve.points[0][1])} to {number(curve.points[-1][1])}"
        if curve.points
        else f"{curve.name}: NaN or infinite"
        for curve in series
    ]
    return f"{title}: {'; '.join(parts)}."


def _place(value: float) -> str:
    """A coordinate: one decimal is finer than a pixel."""
    return f"{value:.1f}".removesuffix(".0")
