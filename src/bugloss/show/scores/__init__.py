"""Scores and studies written down: the study's tables as Markdown, Top@k as curves, shares as bars.

What enters: an evaluation or a study. What leaves: text. Front functions: ``tables_as_markdown``, ``draw_curves`` and
``draw_bars``.
"""

from __future__ import annotations

from bugloss.show.scores.bars import draw_bars
from bugloss.show.scores.drawing import draw_curves
from bugloss.show.scores.markdown import tables_as_markdown

__all__ = ["draw_bars", "draw_curves", "tables_as_markdown"]
