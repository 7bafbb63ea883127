"""The fields of foreign bugs in listings and in the queries of ``list --corpus NAME --where``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bugloss.core.foreign_bug import ForeignBug
from bugloss.corpus.where import select_by

FOREIGN_FIELDS: Mapping[str, Callable[[ForeignBug], object]] = {
    "id": lambda bug: bug.id,
    "title": lambda bug: bug.title,
    "corpus": lambda bug: bug.source,
    "layout": lambda bug: bug.layout.value,
    "project": lambda bug: bug.project,
    "framework": lambda bug: bug.framework,
    "python": lambda bug: bug.python,
    "url": lambda bug: bug.url,
    "may_run": lambda bug: "yes" if bug.runs else "no",
    "why_not": lambda bug: list(bug.obstacles),
    "remarks": lambda bug: list(bug.remarks),
}


def select_foreign(bugs: Iterable[ForeignBug], query: str | None) -> list[ForeignBug]:
    """The bugs that a query lets through."""
    return select_by(bugs, query, FOREIGN_FIELDS)
