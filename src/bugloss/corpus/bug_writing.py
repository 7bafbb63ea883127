"""Writes the ``bug.toml`` of a bug that bugloss itself made."""

from __future__ import annotations

import json
from collections.abc import Mapping

from bugloss.core.bug import Bug
from bugloss.core.codec import encode

_NOT_STATED = {"folder"}  # where a bug lies is not written into it


def bug_toml(bug: Bug) -> str:
    """What ``read_bug`` reads back: plain values first, then one table each; what is empty is left out."""
    facts = {key: value for key, value in encode(bug).items() if key not in _NOT_STATED and _is_stated(value)}
    plain = {key: value for key, value in facts.items() if not isinstance(value, Mapping)}
    tables = {key: value for key, value in facts.items() if isinstance(value, Mapping)}
    parts = [_lines(plain), *(f"[{name}]\n{_lines(table)}" for name, table in tables.items())]
    return "\n".join(parts)


def toml_string(text: str) -> str:
    """A JSON string is a valid TOML string, escapes included, but for the one control character JSON leaves alone."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _lines(table: Mapping[str, object]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in table.items() if _is_stated(value))


def _is_stated(value: object) -> bool:
    return value is not None and value not in ([], {})


def _value(value: object) -> str:
    if isinstance(value, str):
        return toml_string(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value) if isinstance(value, bool) else repr(value)
