"""The corpus as the verbs want it: what can be read, and a remark about what cannot."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bugloss.corpus.collection import Corpus
    from bugloss.corpus.entry import Entry


def readable_entries(corpus: Corpus) -> list[Entry]:
    """Every readable bug; a broken one costs a line on standard error, not the whole listing."""
    entries, broken = corpus.readable()
    for message in broken.values():
        print(f"bugloss: skipped: {message}", file=sys.stderr)
    return entries
