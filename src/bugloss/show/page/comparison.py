"""Two runs on one page: their numbers in a table, their curves in the same charts."""

from __future__ import annotations

import math
from pathlib import PurePath
from typing import Any

from bugloss.show.page.charts import paired_charts
from bugloss.show.page.figures import number
from bugloss.show.page.heat_map import paired_maps
from bugloss.show.page.rendering import DRAWING, TEMPLATES
from bugloss.show.templates import fill
from bugloss.workflows.recorded_runs import ComparedValue, RunComparison, RunSummary

_LEAST_PERCENT = 0.5  # less is within what two equal trainings differ in time and memory


def comparison_page(compared: RunComparison) -> str:
    """The page as one HTML text."""
    return fill(TEMPLATES, "comparison.html", **comparison_values(compared), **DRAWING)


def comparison_values(compared: RunComparison) -> dict[str, Any]:
    """What the template of two runs needs."""
    runs = (compared.first, compared.second)
    names = _names(*runs)
    return {
        "runs": runs,
        "names": names,
        "rows": rows_of(compared),
        "charts": list(paired_charts(names, compared.recordings)),
        "maps": list(paired_maps(compared.recordings)),
    }


def _names(first: RunSummary, second: RunSummary) -> tuple[str, str]:
    """What distinguishes the runs in a few words: their programs, or where these are the same, their ids."""
    names = PurePath(first.script).name, PurePath(second.script).name
    return names if all(names) and names[0] != names[1] else (first.run, second.run)


def rows_of(compared: RunComparison) -> list[tuple[str, str, str, str]]:
    """Name, both values, and how much larger or smaller the second is."""
    return [(one.name, _shown(one.first), _shown(one.second), _change(one)) for one in compared.values]


def _shown(value: float | int | str | None) -> str:
    return value if isinstance(value, str) else number(value)


def _change(one: ComparedValue) -> str:
    if not one.differs:
        return ""
    if isinstance(one.first, int | float) and isinstance(one.second, int | float) and one.first:
        return _ratio(one.second / one.first)
    return "differs"


def _ratio(ratio: float) -> str:
    """How many times as large, where that is more than it looks: small changes in percent, large drops as divisions."""
    if not math.isfinite(ratio) or ratio <= 0:
        return "differs"
    if 0.5 < ratio < 2:
        percent = 100 * (ratio - 1)
        return f"{percent:+.1f} %" if abs(percent) >= _LEAST_PERCENT else "about equal"
    return f"{number(ratio)} times" if ratio > 1 else f"1/{number(1 / ratio)}"
