"""Figures that training prints: losses and accuracies by name, in the order in which they were printed.

The same reading serves the report's logs and the output of our own runs, so that the two can be compared.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_NUMBER = r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|nan|inf(?:inity)?)(?![\w@/])"
_METRIC = re.compile(
    r"(?P<metric>(?<![A-Za-z_])[A-Za-z_]{0,60}"
    r"(?:loss|accuracy|acc\b|prec(?:ision)?(?:@1)?|cost|perplexity|mse|mae|auc|dice|error)\w{0,40}"
    r"|share of answers|distinct answers|spread of answers|range of answers|memory in use)"
    r"(?:[ ](?:per|on|of|after|in|at)[ ][\w -]{1,24}?)?['\"]?"
    r"\s*+(?:(?:[:=]|is|->)\s*+)?(?:tensor\(|np\.float\d+\()?"
    rf"(?P<values>\[+\s*{_NUMBER}(?:[,\s]+{_NUMBER})*\s*\]*|{_NUMBER}(?:[ ]+{_NUMBER}){{2,}}(?!\s*[:=])|{_NUMBER})"
    r"\s*(?P<percent>%?)",
    re.IGNORECASE,
)
_PARTITION = re.compile(r"\b(train(?:ing)?|val(?:id(?:ation)?)?|test(?:ing)?|dev|held[- ]out|eval(?:uation)?)\b", re.I)
_HELD_OUT = re.compile(r"^(?:val|test|dev|held|eval)", re.I)
_NAMES = (
    (re.compile(r"(?:share|spread|range) of answers|distinct answers|memory in use", re.I), None),
    (re.compile(r"loss|cost", re.I), "loss"),
    (re.compile(r"acc|prec", re.I), "accuracy"),
    (re.compile(r"mse|mae|error", re.I), "error"),
)


@dataclass(frozen=True, slots=True)
class Figures:
    """Series by name: ``loss``, ``val_loss``, ``accuracy`` …; accuracies lie between 0 and 1."""

    series: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.series)

    def of(self, name: str) -> tuple[float, ...]:
        return self.series.get(name, ())

    @property
    def losses(self) -> tuple[float, ...]:
        """The training loss: as our own probe prints it, else as the program does, else an error that it prints."""
        return self.of("observed_loss") or self.of("loss") or self.of("error")

    @property
    def accuracies(self) -> tuple[float, ...]:
        return self.of("observed_accuracy") or self.of("accuracy")

    @property
    def held_out_losses(self) -> tuple[float, ...]:
        return self.of("val_loss") or self.of("val_error")

    @property
    def last(self) -> dict[str, float]:
        """The last value of each series."""
        return {name: values[-1] for name, values in self.series.items() if values}


def read_figures(text: str) -> Figures:
    """Every figure that a text prints, by name."""
    series: dict[str, list[float]] = {}
    for line in text.split("\n"):
        if len(line) > 20_000:
            continue
        for name, values in _of_line(line.rsplit("\r", 1)[-1] if "\r" in line else line):
            series.setdefault(name, []).extend(values)
    return Figures({name: tuple(values) for name, values in series.items()})


def _of_line(line: str) -> Iterator[tuple[str, list[float]]]:
    partition, behind = "", 0
    for found in _METRIC.finditer(line):
        said = _PARTITION.findall(line[behind : found.start("metric")].replace("_", " "))
        own = _PARTITION.findall(found["metric"].replace("_", " "))
        # "Valid: loss 1.2 accuracy 0.5" goes on for the rest of the line, "val_loss: 1.2" does not.
        partition = said[-1] if said else partition if ":" in line[:behind] and "|" not in line else ""
        behind = found.end()
        whose = own[-1] if own else partition
        name = _name(found["metric"], whose, line[found.end("metric") : found.start("values")])
        yield name, [_value(word, name, found["percent"]) for word in re.findall(_NUMBER, found["values"], re.I)]


def _name(metric: str, partition: str, after: str) -> str:
    if metric.startswith("observed_"):
        return metric
    plain = next((name or metric.lower() for pattern, name in _NAMES if pattern.search(metric)), metric.lower())
    is_new = re.search(r"\bon (?:new|unseen|other|the test|test|later|unheard)", after)
    return f"val_{plain}" if _HELD_OUT.match(partition) or is_new or metric.lower().startswith("val_") else plain


def _value(word: str, name: str, percent: str) -> float:
    value = float(word)
    if percent or (name.endswith("accuracy") and 1.5 < value <= 100):
        return value / 100
    return value


def is_finite(values: tuple[float, ...]) -> bool:
    return all(math.isfinite(value) for value in values)


def relative_drop(values: tuple[float, ...]) -> float:
    """By what share of its first value a series fell, ends averaged over a fifth of it; negative where it grew."""
    width = max(1, len(values) // 5)
    first, last = sum(values[:width]) / width, sum(values[-width:]) / width
    scale = max(abs(first), 1e-12)
    return (first - last) / scale


def windows(values: tuple[float, ...], count: int = 12) -> list[float]:
    """The means of so many equal stretches of a series; a short series as it is."""
    size = max(1, len(values) // count)
    return [sum(part) / len(part) for part in (values[at : at + size] for at in range(0, len(values), size))]
