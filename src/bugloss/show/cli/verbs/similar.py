"""``bugloss similar``."""

from __future__ import annotations

from bugloss.show.cli.hits import show_hits
from bugloss.show.cli.options import BugArgument, JsonOption, LimitOption


def command(bug: BugArgument, limit: LimitOption = 5, json: JsonOption = False) -> None:
    """Show the bugs that are most similar to a given one, with the labels they share."""
    from bugloss.corpus.collection import load
    from bugloss.corpus.index import similar_bugs

    corpus = load()
    show_hits(*similar_bugs(corpus, corpus.id_of(bug), limit), json=json)
