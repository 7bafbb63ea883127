"""Two runs on one page: their numbers in a table, their curves in the same charts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bugloss.observe.recording import Recording
from bugloss.show.page.chart import LEFT, TOP, WIDE, Chart, draw
from bugloss.show.page.figures import number
from bugloss.show.page.series import make_series
from bugloss.show.templates import fill
from bugloss.workflows.recorded_runs import ComparedValue, RunComparison

_TEMPLATES = Path(__file__).parent / "templates"
_STYLES = ("train", "validation")  # the colours of the first and the second run


def comparison_page(compared: RunComparison) -> str:
    """The page as one HTML text."""
    return fill(
        _TEMPLATES,
        "comparison.html",
        runs=(compared.first, compared.second),
        rows=rows_of(compared),
        charts=list(paired_charts((compared.first.run, compared.second.run), compared.recordings)),
        left=LEFT,
        top=TOP,
        wide=WIDE,
    )


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


def _curves(seen: Recording) -> dict[str, list[tuple[int, float | None]]]:
    return {
        "Training loss": [(one.step, one.loss) for one in seen.steps],
        "Validation loss": [(one.step, one.validation_loss) for one in seen.epochs],
        "Training accuracy": [(one.step, one.accuracy) for one in seen.steps],
        "Validation accuracy": [(one.step, one.validation_accuracy) for one in seen.epochs],
        "Learning rate": [(one.step, one.learning_rate) for one in seen.steps],
        "Memory (MB)": [(one.step, one.megabytes) for one in seen.memory],
    }


def paired_charts(names: tuple[str, str], recordings: tuple[Recording, Recording]) -> Iterator[Chart]:
    """Two runs in the same charts, by these names."""
    curves = [_curves(seen) for seen in recordings]
    last = max((step.step for seen in recordings for step in seen.steps), default=0)
    for title in curves[0]:
        runs = zip(names, curves, _STYLES, strict=True)
        series = [make_series(name, style, seen[title]) for name, seen, style in runs]
        chart = draw(title, title.split()[0].lower(), series, last_step=last)
        if chart is not None:
            yield chart
