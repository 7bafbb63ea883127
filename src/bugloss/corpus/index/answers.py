"""What is asked of all bugs of a corpus, answered from the index, or from the folders where there can be none."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from bugloss.core.documents import parse_toml
from bugloss.core.errors import CacheUnusable, FileRefused, Refusal
from bugloss.core.foreign_file import read_text
from bugloss.corpus.collection import Corpus
from bugloss.corpus.index.section import broken_bugs
from bugloss.corpus.index.sections import FieldSection, FixSection, WordSection, read_field
from bugloss.corpus.index.update import fresh_section
from bugloss.corpus.known_bug import KnownBug

if TYPE_CHECKING:
    from bugloss.corpus.search_hit import SearchHit

Broken = dict[str, str]

logger = logging.getLogger(__name__)

# Excerpts are made of what is shown only: of every match they take longer than the search.
_BEST = "SELECT rowid, bm25(words, 8, 4, 2, 1) FROM words WHERE words MATCH ? ORDER BY 2 LIMIT ?"
_EXCERPT = """
SELECT id, snippet(words, -1, '«', '»', ' … ', 12), bugs.title FROM words JOIN bugs ON number = words.rowid
WHERE words MATCH ? AND words.rowid = ?"""
_UNUSABLE = (OSError, sqlite3.Error, CacheUnusable, ValueError)


def listed_bugs(corpus: Corpus, *names: str) -> tuple[list[KnownBug], Broken]:
    """Every readable bug with these fields, or all, in order of id, and what is wrong with each of the others."""
    try:
        with closing(fresh_section(corpus, FieldSection())) as index:
            columns = ", ".join(f'"{name}"' for name in dict.fromkeys(("id", *names))) if names else "*"
            cursor = index.execute(f'SELECT number, {columns} FROM fields ORDER BY "id"')
            asked = [column[0] for column in cursor.description]
            bugs = [dict(zip(asked, map(read_field, row), strict=True)) for row in cursor]
            broken = broken_bugs(index)
        retired = _retired(corpus)
        return [_known(fields, retired) for fields in bugs], broken
    except _UNUSABLE as error:
        logger.info("the folders are read: %s", error)
        from bugloss.corpus.where import FIELDS, value_of

        entries, unread = corpus.readable()
        return [KnownBug(entry.id, {field: value_of(entry, field) for field in FIELDS}) for entry in entries], unread


def search_bugs(corpus: Corpus, text: str, limit: int = 10) -> tuple[list[SearchHit], Broken]:
    """Bugs whose report, title, labels or programs hold the words, the best match first."""
    from bugloss.corpus.search_hit import SearchHit
    from bugloss.corpus.search_query import one_line, query_of

    try:
        query = query_of(text)
        with closing(fresh_section(corpus, WordSection())) as index:
            best = index.execute(_BEST, (query, limit)).fetchall() if query else []
            hits = [(score, *index.execute(_EXCERPT, (query, row)).fetchone()) for row, score in best]
            broken = broken_bugs(index)
        return [SearchHit(bug, round(-score, 3), one_line(words), title) for score, bug, words, title in hits], broken
    except _UNUSABLE as error:
        logger.info("the folders are read: %s", error)
        from bugloss.corpus.search import search

        entries, unread = corpus.readable()
        return search(entries, text, limit), unread


def similar_bugs(corpus: Corpus, bug: str, limit: int = 5) -> tuple[list[SearchHit], Broken]:
    """The other bugs, the most similar first; the excerpt of a hit says what they share."""
    from bugloss.corpus.index.nearest_fixes import every_similarity

    try:
        with closing(fresh_section(corpus, FixSection())) as index:
            return every_similarity(index, bug).nearest(limit), broken_bugs(index)
    except _UNUSABLE as error:
        logger.info("the folders are read: %s", error)
        from bugloss.corpus.similarity import similar

        entries, unread = corpus.readable()
        return similar(corpus[bug], entries, limit), unread


def support_of(corpus: Corpus, bug: str) -> int:
    """How many bugs have a similar cause and fix, this one included."""
    from bugloss.corpus.index.nearest_fixes import every_similarity

    try:
        with closing(fresh_section(corpus, FixSection())) as index:
            return every_similarity(index, bug).support
    except _UNUSABLE as error:
        logger.info("the folders are read: %s", error)
        from bugloss.corpus.similarity import support_level

        return support_level(corpus[bug], corpus.readable()[0])


def _known(fields: dict[str, object], retired: dict[str, str]) -> KnownBug:
    """A bug with its status, which the register of the corpus says and not its folder."""
    del fields["number"]
    bug = str(fields["id"])
    if "status" in fields:
        fields["status"] = retired.get(bug, "active")
    return KnownBug(bug, fields)


def _retired(corpus: Corpus) -> dict[str, str]:
    """The status of bugs that no longer count, without loading what checks the register unless it is wrong."""
    try:
        entries = parse_toml(read_text(corpus.root, "register.toml", 50_000_000)).get("retired", [])
        return {str(entry["bug"]): str(entry["status"]) for entry in entries}
    except FileRefused as error:
        if error.reason is Refusal.MISSING:
            return {}
        raise
    except (ValueError, KeyError, TypeError, AttributeError):
        from bugloss.corpus.register import read_retirements

        return {bug: retirement.status.value for bug, retirement in read_retirements(corpus.root).items()}
