"""Layers against sampled steps, one coloured field each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bugloss.show.page.figures import number

if TYPE_CHECKING:
    from bugloss.observe.recording import LayerNumbers, Recording

    Samples = Sequence[tuple[int, Mapping[str, LayerNumbers]]]

MOST_LAYERS, MOST_STEPS = 60, 40
SHADES = 9
_LOWEST = 1e-12  # below this a logarithm says no more than "nothing"


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a map shows: how to read it, whether it spans decades, and when a layer is bad."""

    identity: str
    title: str
    help: str
    read: Callable[[LayerNumbers], float | None]
    broken: Callable[[LayerNumbers], int]
    logarithmic: bool
    ramp: str  # magnitude | alarm


@dataclass(frozen=True, slots=True)
class HeatMapField:
    """One field of the map."""

    column: int
    style: str
    title: str


@dataclass(frozen=True, slots=True)
class Row:
    """One layer."""

    name: str
    kind: str
    label: str
    fields: tuple[HeatMapField, ...]


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A map with all its colours chosen."""

    identity: str
    title: str
    help: str
    ramp: str
    rows: tuple[Row, ...]
    steps: tuple[str, ...]
    low: str
    high: str
    note: str

    @property
    def margin(self) -> int:
        """The room that the longest label needs."""
        return 16 + round(6.8 * max(len(row.label) for row in self.rows))


QUANTITIES = (
    Quantity(
        "gradient", "Gradient", "RMS of the gradient of each layer. If it falls towards the input, gradients vanish.",
        lambda numbers: numbers.gradient_rms, lambda numbers: numbers.gradient_nonfinite, True, "magnitude",
    ),
    Quantity(
        "update", "Update ratio", "Size of an update relative to the weights. About 1e-3 is usual.",
        lambda numbers: numbers.update_ratio, lambda numbers: numbers.weight_nonfinite, True, "magnitude",
    ),
    Quantity(
        "dead", "Dead units", "Share of units that output zero for the whole batch.",
        lambda numbers: numbers.dead_share, lambda numbers: 0, False, "alarm",
    ),
    Quantity(
        "output", "Output spread", "Standard deviation of the output of each layer.",
        lambda numbers: numbers.output_std, lambda numbers: numbers.output_nonfinite, True, "magnitude",
    ),
)  # fmt: skip


def draw_map(quantity: Quantity, recording: Recording, span: tuple[float, float] | None = None) -> HeatMap | None:
    """The map of one quantity; None where no layer has it. ``span`` is that of its colours, where others share them."""
    samples = _thinned(recording)
    table = _table(quantity, samples)
    if not table:
        return None
    chosen = _worst(table, quantity)
    span = span or _span([value for name in chosen for value in table[name].values()], quantity.logarithmic)
    layers = recording.layers
    rows = tuple(
        Row(name, layers[name].kind if name in layers else "", shorten(name), _fields(quantity, name, samples, span))
        for name in chosen
    )
    return HeatMap(
        quantity.identity,
        quantity.title,
        quantity.help,
        quantity.ramp,
        rows,
        tuple(number(step) for step, _ in samples),
        number(span[0]),
        number(span[1]),
        _note(len(chosen), len(table), len(samples), recording),
    )


def paired_maps(recordings: tuple[Recording, Recording]) -> Iterator[tuple[HeatMap, HeatMap]]:
    """The maps of two runs that both have, in the same colours: equal colours are equal values."""
    for quantity in QUANTITIES:
        tables = [_table(quantity, _thinned(one)) for one in recordings]
        values = [value for table in tables for layer in table.values() for value in layer.values()]
        span = _span(values, quantity.logarithmic)
        first, second = (draw_map(quantity, one, span) for one in recordings)
        if first is not None and second is not None:
            yield first, second


def _thinned(recording: Recording) -> Samples:
    """The sampled steps, all models together; of very many an even choice with the first and the last."""
    steps: dict[int, dict[str, LayerNumbers]] = {}
    for sample in recording.samples:
        steps.setdefault(sample.step, {}).update(sample.layers)
    found = sorted(steps.items())
    if len(found) <= MOST_STEPS:
        return found
    return [found[round(index * (len(found) - 1) / (MOST_STEPS - 1))] for index in range(MOST_STEPS)]


def _table(quantity: Quantity, samples: Samples) -> dict[str, dict[int, float]]:
    """The finite values of each layer that has any, or that has broken ones, in the order of the model."""
    table: dict[str, dict[int, float]] = {}
    for step, layers in samples:
        for name, numbers in layers.items():
            value = quantity.read(numbers)
            if value is not None and math.isfinite(value):
                table.setdefault(name, {})[step] = value
            elif value is not None or quantity.broken(numbers):
                table.setdefault(name, {})
    return table


def _worst(table: Mapping[str, Mapping[int, float]], quantity: Quantity) -> list[str]:
    """The layers to show, in the order of the model: of too many those that differ most from the others."""
    names = list(table)
    if len(names) <= MOST_LAYERS:
        return names
    levels = {name: _level(table[name].values(), quantity.logarithmic) for name in names}
    usual = sorted(levels.values())[len(levels) // 2]

    def badness(name: str) -> float:
        if not table[name]:
            return math.inf
        return levels[name] if quantity.ramp == "alarm" else abs(levels[name] - usual)

    worst = set(sorted(names, key=badness, reverse=True)[:MOST_LAYERS])
    return [name for name in names if name in worst]


def _level(values: Iterable[float], logarithmic: bool) -> float:
    known = [math.log10(max(abs(value), _LOWEST)) if logarithmic else value for value in values]
    return sum(known) / len(known) if known else 0.0


def _span(values: Sequence[float], logarithmic: bool) -> tuple[float, float]:
    if not logarithmic:
        return 0.0, 1.0
    positive = sorted(value for value in values if value > _LOWEST)
    return (positive[0], positive[-1]) if positive else (_LOWEST, 1.0)


def _fields(quantity: Quantity, name: str, samples: Samples, span: tuple[float, float]) -> tuple[HeatMapField, ...]:
    fields = []
    for column, (step, layers) in enumerate(samples):
        numbers = layers.get(name)
        value = quantity.read(numbers) if numbers else None
        broken = quantity.broken(numbers) if numbers else 0
        style, words = _shade(value, broken, quantity, span)
        fields.append(HeatMapField(column, style, f"{name}, step {number(step)}: {words}"))
    return tuple(fields)


def _shade(value: float | None, broken: int, quantity: Quantity, span: tuple[float, float]) -> tuple[str, str]:
    if broken or (value is not None and not math.isfinite(value)):
        return "broken", f"{number(broken)} values are NaN or infinite" if broken else "NaN or infinite"
    if value is None:
        return "none", "nothing arrived"
    if quantity.logarithmic and value <= _LOWEST:
        return "zero", number(value)
    return f"s{_step_of(value, span, quantity.logarithmic)}", number(value)


def _step_of(value: float, span: tuple[float, float], logarithmic: bool) -> int:
    low, high = (math.log10(span[0]), math.log10(span[1])) if logarithmic else span
    at = math.log10(value) if logarithmic else value
    part = (at - low) / (high - low) if high > low else 0.5
    return min(max(int(part * SHADES), 0), SHADES - 1)


def shorten(name: str, most: int = 26) -> str:
    """A long name without its middle: its beginning and end distinguish layers."""
    if len(name) <= most:
        return name
    return f"{name[: most // 2 - 1]}…{name[-(most // 2) :]}"


def _note(shown: int, layers: int, steps: int, recording: Recording) -> str:
    notes = []
    if shown < layers:
        notes.append(f"the {shown} most unusual of {layers} layers")
    sampled = len({sample.step for sample in recording.samples})
    if steps < sampled:
        notes.append(f"{steps} of {sampled} sampled steps")
    return "Shown: " + ", ".join(notes) + "." if notes else ""
