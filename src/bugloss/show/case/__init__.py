"""The case file of a report: one readable page and one JSON document in a folder.

What enters: an investigation and its document. What leaves: ``index.html`` and ``case.json``. Front function:
``case_page``.
"""

from __future__ import annotations

from bugloss.show.case.rendering import case_page, read_case, write_case

__all__ = ["case_page", "read_case", "write_case"]
