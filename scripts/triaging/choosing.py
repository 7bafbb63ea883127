"""Chooses among candidates by answers to rows that they never saw: which parts, favoured labels, temperature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import f1_score

_MOST_PICKS = 8
_WORTHWHILE = 1e-4  # nats that a further pick must gain
_TEMPERATURES = tuple(float(value) for value in np.arange(0.5, 2.01, 0.05))


@dataclass(frozen=True, slots=True)
class Choice:
    """How often each candidate counts, how much frequent labels are favoured, and how sure the mean may be."""

    shares: Mapping[str, int]
    favour: float  # power of a label's frequency
    temperature: float

    def join(self, tables: Mapping[str, Any], frequencies: Any) -> Any:
        """The candidates' answers as one."""
        whole = sum(self.shares.values())
        mean = sum(count * tables[name] for name, count in self.shares.items()) / whole
        return tempered(mean * frequencies**self.favour, self.temperature)


def pick(tables: Mapping[str, Any], truth: Any, weights: Any) -> dict[str, int]:
    """The candidates whose mean makes the right labels likeliest. ``truth`` are columns, ``weights`` count rows.

    They are added one by one, the same one again if that helps, while the answers get likelier.
    """
    names, picks, total, best = list(tables), Counter[str](), 0.0, np.inf
    for number in range(1, _MOST_PICKS + 1):
        losses = [surprise((total + tables[name]) / number, truth, weights) for name in names]
        at = int(np.argmin(losses))
        if losses[at] > best - _WORTHWHILE:
            break
        best, total = losses[at], total + tables[names[at]]
        picks[names[at]] += 1
    return dict(picks)


def settle(tables: Mapping[str, Any], shares: Mapping[str, int], truth: Any, favours: Sequence[float]) -> Choice:
    """How much to favour frequent labels, by macro-F1, and then the temperature, by likelihood."""
    frequencies = np.bincount(truth, minlength=next(iter(tables.values())).shape[1]) / len(truth)
    favoured = {power: Choice(shares, power, 1.0).join(tables, frequencies) for power in favours}
    favour = max(favours, key=lambda power: (_macro(favoured[power], truth), -power))
    even = np.ones(len(truth))
    temperature = min(_TEMPERATURES, key=lambda value: surprise(tempered(favoured[favour], value), truth, even))
    return Choice(shares, favour, round(temperature, 2))


def surprise(table: Any, truth: Any, weights: Any) -> float:
    """The mean surprise at the right labels, in nats."""
    right = np.clip(table[np.arange(len(truth)), truth], 1e-6, 1.0)
    return -float((weights * np.log(right)).sum() / weights.sum())


def tempered(table: Any, temperature: float) -> Any:
    """The answers less sure (above 1) or surer (below 1)."""
    powers = np.clip(table, 1e-9, None) ** (1 / temperature)
    return powers / powers.sum(1, keepdims=True)


def _macro(table: Any, truth: Any) -> float:
    return float(f1_score(truth, table.argmax(1), average="macro"))
