"""The words that mining looks for, from ``words.toml``."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from bugloss.core.documents import parse_toml


@cache
def _table() -> dict[str, list[str]]:
    return parse_toml((files("bugloss.mine") / "words.toml").read_text(encoding="utf-8"))


@cache
def expression(kind: str) -> re.Pattern[str]:
    """Any of the words of a kind."""
    return re.compile(rf"\b(?:{'|'.join(_table()[kind])})\b", re.IGNORECASE)


@cache
def operations() -> frozenset[str]:
    """Names of operations and settings in code."""
    return frozenset(_table()["operations"])
