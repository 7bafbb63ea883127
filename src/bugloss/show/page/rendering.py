"""Puts a view into the templates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bugloss import __version__
from bugloss.show.page.chart import LEFT, TOP, WIDE
from bugloss.show.page.heat_map import SHADES
from bugloss.show.templates import fill

if TYPE_CHECKING:
    from bugloss.core.diagnosis import Diagnosis
    from bugloss.observe.recording import Recording
    from bugloss.record.runs import RunFacts
    from bugloss.show.page.excerpt import Source
    from bugloss.show.page.patch_view import PatchView

TEMPLATES = Path(__file__).parent / "templates"
DRAWING: dict[str, Any] = {"left": LEFT, "top": TOP, "wide": WIDE, "shades": SHADES}  # what charts are drawn with


def page(
    recording: Recording,
    diagnosis: Diagnosis,
    facts: RunFacts,
    source: Source = lambda path: None,
    patch: PatchView | None = None,
) -> str:
    """The page of a run as one HTML text; ``source`` gives the text of a file of the user's program, or None.

    ``patch`` is what was shown to repair it, where that was tried.
    """
    from bugloss.show.page.view import view_of

    view = view_of(recording, diagnosis, facts, source, __version__)
    return fill(TEMPLATES, "page.html", view=view, patch=patch, **DRAWING)
