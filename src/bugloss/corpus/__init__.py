"""The bugs as data: load, lint, search, check out. Running one is a workflow (``bugloss.test``).

What enters: a folder of bug folders. What leaves: a ``Corpus`` of ``Entry`` objects, each a bug with
its report, its two programs and its test. The folders are the truth; the search index is derived from
them and can be deleted at any time. Front function: ``load``. Its names load on first use: a lookup needs few of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bugloss.corpus.collection import Corpus, load
    from bugloss.corpus.entry import Entry

__all__ = ["Corpus", "Entry", "load"]
_HOMES = {"Corpus": "collection", "load": "collection", "Entry": "entry"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
