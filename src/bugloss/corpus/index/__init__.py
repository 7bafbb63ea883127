"""What lists, searches and comparisons need of all bugs, derived from their folders and kept in the cache.

What enters: a corpus. What leaves: its bugs with their fields, the bugs that hold some words, the bugs most similar to
one. While nothing has changed no bug folder is read: sizes and times of the files that an answer depends on are
compared with those of the index, and what differs is read again. The file can be deleted at any time; where the cache
cannot be written, the same functions read the folders.
"""

from __future__ import annotations

from bugloss.corpus.index.answers import listed_bugs, search_bugs, similar_bugs, support_of

__all__ = ["listed_bugs", "search_bugs", "similar_bugs", "support_of"]
