"""The bugs: load, check, search, check out, test.

What enters: a folder of bug folders. What leaves: a ``Corpus`` of ``Entry`` objects, each a bug with
its report, its two programs and its test. The folders are the truth; the search index is derived from
them and can be deleted at any time. Front function: ``load``.
"""

from __future__ import annotations

from bugloss.corpus.collection import Corpus, load
from bugloss.corpus.entry import Entry

__all__ = ["Corpus", "Entry", "load"]
