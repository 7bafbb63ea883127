"""``bugloss search``."""

from __future__ import annotations

from typing import Annotated

import typer

from bugloss.show.cli.hits import show_hits
from bugloss.show.cli.options import JsonOption, LimitOption


def command(
    text: Annotated[list[str], typer.Argument(help="The words to search for.")],
    limit: LimitOption = 10,
    json: JsonOption = False,
) -> None:
    """Find bugs by words in their reports, labels and programs; the best match comes first."""
    from bugloss.corpus.collection import load
    from bugloss.corpus.index import search_bugs

    show_hits(*search_bugs(load(), " ".join(text), limit), json=json)
