"""A patch that was shown to help, as plain values for the template."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bugloss.core.patch import Rung
from bugloss.core.reported_patch import ReportedPatch
from bugloss.observe.recording import Recording
from bugloss.show.page.chart import Chart
from bugloss.show.page.charts import paired_charts
from bugloss.show.page.figures import number
from bugloss.study.risk import risk_of

if TYPE_CHECKING:
    from bugloss.workflows.repair import RepairOutcome

PATCH_FILE = "repair.patch"  # beside the page
_MARKS = {True: "passed", False: "failed", None: "reported"}
_LINES = {"+": "added", "-": "removed"}
_CURVES = {"Training loss", "Validation loss", "Training accuracy", "Validation accuracy"}


@dataclass(frozen=True, slots=True)
class SeedRow:
    """One seed: the metric without and with the patch."""

    seed: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PatchView:
    """What it does and why, its lines with their kinds, every step of its validation, and both runs as curves."""

    text: str
    reason: str
    label: str
    lines: tuple[tuple[str, str], ...]
    steps: tuple[tuple[str, str, str], ...]
    warnings: tuple[str, ...]
    risk: str
    command: str
    charts: tuple[Chart, ...] = ()
    metric: str = ""
    seeds: tuple[SeedRow, ...] = ()
    report_lines: tuple[tuple[str, str], ...] = ()
    elsewhere: tuple[tuple[str, str], ...] = ()


def patch_view(outcome: RepairOutcome, folder: Path, reported: ReportedPatch | None = None) -> PatchView | None:
    """The best patch of a repair as the page in that folder shows it; None where none was shown to help."""
    best, search = outcome.best, outcome.search
    if best is None:
        return None
    patch = best.patch
    paired = best.result(Rung.PAIRED)
    measured = paired.measured if paired is not None else {}
    return PatchView(
        patch.edit.text,
        patch.reason,
        f"{patch.fix_pattern.value}, {patch.safety.value}",
        _coloured(best.diff),
        tuple((one.rung.value, _MARKS[one.passed], one.words) for one in best.rungs),
        patch.warnings,
        risk_of(patch.fix_pattern),
        f"git -C {shlex.quote(str(outcome.root.resolve()))} apply {shlex.quote(str((folder / PATCH_FILE).resolve()))}",
        tuple(_curves(*search.recordings)) if search is not None else (),
        str(measured.get("metric", "")),
        tuple(_seeds(measured)),
        _coloured(reported.diff) if reported is not None else (),
        tuple((_LINES.get(line[:1], ""), line) for line in reported.elsewhere) if reported is not None else (),
    )


def _coloured(diff: str) -> tuple[tuple[str, str], ...]:
    return tuple((_LINES.get(line[:1], ""), line) for line in diff.splitlines())


def _curves(before: Recording | None, after: Recording | None) -> Iterator[Chart]:
    if before is not None and after is not None:
        charts = paired_charts(("before", "after"), (before, after))
        yield from (chart for chart in charts if chart.title in _CURVES)


def _seeds(measured: Mapping[str, object]) -> Iterator[SeedRow]:
    before, after = (_values(measured.get(name)) for name in ("before", "after"))
    for seed, (old, new) in enumerate(zip(before, after, strict=False), start=1):
        yield SeedRow(str(seed), _shown(old), _shown(new))


def _values(summary: object) -> list[object]:
    values = summary.get("values") if isinstance(summary, Mapping) else None
    return list(values) if isinstance(values, list | tuple) else []


def _shown(value: object) -> str:
    return number(value) if isinstance(value, int | float) else str(value)
