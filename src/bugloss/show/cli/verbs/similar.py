"""``bugloss similar``."""

from __future__ import annotations

from bugloss.show.cli.corpus import readable_entries
from bugloss.show.cli.hits import show_hits
from bugloss.show.cli.options import BugArgument, JsonOption, LimitOption


def command(bug: BugArgument, limit: LimitOption = 5, json: JsonOption = False) -> None:
    """Show the bugs that are most similar to a given one, with the labels they share."""
    from bugloss.corpus.collection import load
    from bugloss.corpus.similarity import similar

    corpus = load()
    show_hits(corpus, similar(corpus.twin(bug)[0], readable_entries(corpus), limit), json)
