"""Two runs on one page: their numbers in a table, their curves in the same charts."""

from __future__ import annotations

from typing import Any

from bugloss.show.page.charts import paired_charts
from bugloss.show.page.figures import number
from bugloss.show.page.rendering import DRAWING, TEMPLATES
from bugloss.show.templates import fill
from bugloss.workflows.recorded_runs import ComparedValue, RunComparison


def comparison_page(compared: RunComparison) -> str:
    """The page as one HTML text."""
    return fill(TEMPLATES, "comparison.html", **comparison_values(compared), **DRAWING)


def comparison_values(compared: RunComparison) -> dict[str, Any]:
    """What the template of two runs needs."""
    runs = (compared.first, compared.second)
    charts = list(paired_charts((compared.first.run, compared.second.run), compared.recordings))
    return {"runs": runs, "rows": rows_of(compared), "charts": charts}


def rows_of(compared: RunComparison) -> list[tuple[str, str, str, str]]:
    """Name, both values, and how many times as large the second is."""
    return [(one.name, _shown(one.first), _shown(one.second), _change(one)) for one in compared.values]


def _shown(value: float | int | str | None) -> str:
    return value if isinstance(value, str) else number(value)


def _change(one: ComparedValue) -> str:
    if not one.differs:
        return ""
    if isinstance(one.first, int | float) and isinstance(one.second, int | float) and one.first:
        return f"{one.second / one.first:.3g} times"
    return "differs"
