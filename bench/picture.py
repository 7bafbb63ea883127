"""Pictures of results for the documentation, the same bytes for the same numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench.measurement import ROOT

IMAGES = ROOT / "docs" / "images"


@contextmanager
def picture(name: str, panels: int, size: tuple[float, float]) -> Iterator[Any]:
    """Panels side by side to draw on, kept as ``docs/images/NAME.svg``; needs matplotlib."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "bugloss"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, panels, figsize=size, layout="constrained")
    yield axes
    IMAGES.mkdir(parents=True, exist_ok=True)
    figure.savefig(IMAGES / f"{name}.svg", metadata={"Date": None})
