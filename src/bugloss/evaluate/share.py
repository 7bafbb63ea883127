"""A share with its uncertainty: so many of so many, with Wilson's interval of 95 %."""

from __future__ import annotations

import math
from dataclasses import dataclass

_DEVIATIONS = 1.96  # of an interval of 95 %


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with Wilson's interval."""

    count: int
    of: int

    @property
    def value(self) -> float:
        return self.count / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        if not self.of:
            return 0.0, 1.0
        square = _DEVIATIONS**2 / self.of
        middle = (self.value + square / 2) / (1 + square)
        half = _DEVIATIONS * math.sqrt(self.value * (1 - self.value) / self.of + square / (4 * self.of)) / (1 + square)
        return round(middle - half, 4), round(middle + half, 4)

    @property
    def document(self) -> dict[str, object]:
        return {"count": self.count, "of": self.of, "value": round(self.value, 4), "interval": self.interval}
