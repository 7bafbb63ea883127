"""A bug that was found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A bug found, how well it fits, the words around the match or what is shared, and the title where it is known."""

    bug: str
    score: float
    excerpt: str
    title: str = ""
