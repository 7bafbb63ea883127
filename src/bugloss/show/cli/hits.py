"""Shows found bugs; ``search`` and ``similar`` show them in the same way."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from bugloss.core.visible import visible
from bugloss.show.cli.output import print_json
from bugloss.show.cli.terminal import width
from bugloss.show.own_codes import styled

if TYPE_CHECKING:
    from bugloss.corpus.search_hit import SearchHit

_INDENT = 19  # where titles begin


def show_hits(hits: Sequence[SearchHit], broken: Mapping[str, str], *, json: bool) -> None:
    """A table of bug, score, title and excerpt, or the document ``bugloss.hits/1``; a broken bug costs a line."""
    for message in broken.values():
        print(f"bugloss: skipped: {message}", file=sys.stderr)
    if json:
        print_json("hits", {"hits": [{"bug": hit.bug, "score": hit.score, "excerpt": hit.excerpt} for hit in hits]})
        return
    if not hits:
        print("no bug matches")
    on_terminal = sys.stdout.isatty()
    for hit in hits:
        bug = styled(f"{hit.bug:<12}", "1") if on_terminal else f"{hit.bug:<12}"
        print(f"{bug} {hit.score:.2f}  {visible(hit.title)}")
        for line in wrap(visible(hit.excerpt), width(elsewhere=100) - _INDENT):
            print(" " * _INDENT + (styled(line, "2") if on_terminal else line))
