"""Documents short enough for a context window: long texts and lists are cut, and say so."""

from __future__ import annotations

import json
from typing import Any

LARGEST = 12_000  # characters of a result: some 3,000 tokens
# Tried one after the other: how many characters a text and how many entries a list may have.
_STEPS = ((4_000, 30), (1_500, 15), (600, 8), (240, 5), (100, 3), (60, 2))
_DEEPEST = 12


def shorten(document: dict[str, Any], largest: int = LARGEST) -> dict[str, Any]:
    """The document with the mildest cut that makes it small enough."""
    short = document
    for characters, entries in ((10**9, 10**9), *_STEPS):
        short = {key: _cut(value, characters, entries, 0) for key, value in document.items()}
        if len(json.dumps(short, ensure_ascii=False)) <= largest:
            return short
    return {"schema": document.get("schema", ""), "note": "The document is too large to show.", "keys": sorted(short)}


def _cut(value: Any, characters: int, entries: int, depth: int) -> Any:
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, str):
        return (
            value if len(value) <= characters else f"{value[:characters]}… ({len(value) - characters} more characters)"
        )
    if isinstance(value, list):
        kept = [_cut(item, characters, entries, depth + 1) for item in value[:entries]]
        return kept if len(value) <= entries else [*kept, f"… ({len(value) - entries} more)"]
    if isinstance(value, dict):
        return {key: _cut(item, characters, entries, depth + 1) for key, item in value.items()}
    return value
