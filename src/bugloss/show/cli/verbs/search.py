"""``bugloss search``."""

from __future__ import annotations

from typing import Annotated

import typer

from bugloss.show.cli.corpus import readable_entries
from bugloss.show.cli.hits import show_hits
from bugloss.show.cli.options import JsonOption, LimitOption


def command(
    text: Annotated[list[str], typer.Argument(help="The words to search for.")],
    limit: LimitOption = 10,
    json: JsonOption = False,
) -> None:
    """Find bugs by words in their reports, labels and programs; the best match comes first."""
    from bugloss.corpus.collection import load
    from bugloss.corpus.search import search

    corpus = load()
    show_hits(corpus, search(readable_entries(corpus), " ".join(text), limit), json)
