"""Scores of localization methods written down: the study's tables as Markdown, and Top@k as a figure.

What enters: an evaluation and its tables. What leaves: text. Front functions: ``tables_as_markdown`` and
``draw_curves``.
"""

from __future__ import annotations

from bugloss.show.scores.drawing import draw_curves
from bugloss.show.scores.markdown import tables_as_markdown

__all__ = ["draw_curves", "tables_as_markdown"]
