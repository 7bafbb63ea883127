"""The words of a search, as SQLite wants them."""

from __future__ import annotations

import re

WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]+|\d+")
_MOST_WORDS = 40  # of a query: SQLite seeks the best excerpt by comparing all places of all words


def query_of(text: str, operator: str = "OR") -> str:
    """The words of a text, any (or with AND every one) of which a bug must hold; empty where it has none."""
    words = list({word.lower(): word for word in WORD.findall(text)}.values())[:_MOST_WORDS]
    return f" {operator} ".join(f'"{word}"' for word in words)


def one_line(excerpt: str) -> str:
    """An excerpt without its line breaks."""
    return " ".join(excerpt.split())
