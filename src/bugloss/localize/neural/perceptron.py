"""A small network of one hidden layer, as plain data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

FAR = 4.0  # standard deviations; what is further out counts as that


@dataclass(frozen=True, slots=True)
class Perceptron:
    """Inputs are brought to mean 0 and deviation 1; the hidden layer has a row of weights a unit."""

    means: Sequence[float]
    scales: Sequence[float]
    layer: Sequence[Sequence[float]]
    offsets: Sequence[float]
    weights: Sequence[float]

    def value(self, row: Sequence[float]) -> float:
        """What the network says of one row."""
        inputs = [
            max(-FAR, min(FAR, (value - mean) / scale))
            for value, mean, scale in zip(row, self.means, self.scales, strict=True)
        ]
        total = 0.0
        for unit, offset, weight in zip(self.layer, self.offsets, self.weights, strict=True):
            total += weight * math.tanh(offset + sum(one * other for one, other in zip(unit, inputs, strict=True)))
        return total
