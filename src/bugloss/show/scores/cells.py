"""A cell of a study's table as text."""

from __future__ import annotations

import math

from bugloss.study.result import Cell


def shown_cell(value: Cell) -> str:
    """Four digits, and tiny p-values as powers of ten; a dash where a value is missing."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return "–"
        return f"{value:.2g}" if 0 < abs(value) < 0.001 else f"{value:.4f}".rstrip("0").rstrip(".")
    return "" if value is None else str(value)
