"""What the first visitor of a page would wait for, done before: modules that pages load, and comparisons of bugs."""

from __future__ import annotations

from importlib import import_module

from bugloss.corpus.catalogue import Catalogue

_VIEWS = ("bug", "ask", "runs", "bench", "studies", "rules")


def warm_up(catalogue: Catalogue) -> None:
    """Loads the views of all pages, and makes that of one bug."""
    for name in _VIEWS:
        import_module(f"bugloss.show.web.views.{name}")
    import_module("bugloss.show.case")
    from bugloss.show.web.views.bug import view_bug

    for entry in catalogue.entries[:1]:
        view_bug(entry, catalogue)
