"""The page of an observed run: one HTML file that needs neither network nor scripts.

What enters: a recording, its diagnosis and the facts of the run. What leaves: the text of the page. Python prepares
plain values (``view``), the templates beside it turn them into HTML and SVG. Front function: ``page``.
"""

from __future__ import annotations

from bugloss.show.page.rendering import page

__all__ = ["page"]
