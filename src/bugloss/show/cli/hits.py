"""Shows found bugs; ``search`` and ``similar`` show them in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bugloss.show.cli.output import console, print_json

if TYPE_CHECKING:
    from bugloss.corpus.collection import Corpus
    from bugloss.corpus.search import SearchHit


def show_hits(corpus: Corpus, hits: Sequence[SearchHit], json: bool) -> None:
    """A table of bug, score, title and excerpt, or the document ``bugloss.hits/1``."""
    if json:
        print_json("hits", {"hits": [{"bug": hit.bug, "score": hit.score, "excerpt": hit.excerpt} for hit in hits]})
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    for hit in hits:
        title = Text(corpus[hit.bug].bug.title)
        table.add_row(Text(hit.bug, "bold"), f"{hit.score:.2f}", title, Text(hit.excerpt, "dim"))
    screen = console()
    screen.print(table if hits else "no bug matches")
