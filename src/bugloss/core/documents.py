"""JSON and TOML that somebody else wrote: the one door for both.

Whatever is wrong with a text, a ``ValueError`` says so: also where the parsers of the standard library would raise
something else, and where a value is nested so deeply that whoever walks it later would run out of stack.
"""

from __future__ import annotations

import json
from typing import Any

DEEPEST = 100
_TOO_DEEP = f"it is nested more than {DEEPEST} levels deep"


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text."""
    try:
        value = json.loads(text)
    except (RecursionError, MemoryError):
        raise ValueError(_TOO_DEEP) from None
    if isinstance(text, bytes) or text.count("[") + text.count("{") > DEEPEST:
        _refuse_depth(value)
    return value


def parse_toml(text: str) -> dict[str, Any]:
    """The table of a TOML text."""
    import tomllib

    try:
        table = tomllib.loads(text)
    except (RecursionError, MemoryError):
        raise ValueError(_TOO_DEEP) from None
    except ValueError:
        raise
    except Exception as error:  # what a parser of the standard library did not foresee
        raise ValueError(f"{type(error).__name__}: {error}") from None
    _refuse_depth(table)
    return table


def _refuse_depth(value: Any) -> None:
    level = [value]
    for _ in range(DEEPEST + 1):
        inner = [list(one.values()) if isinstance(one, dict) else one for one in level if isinstance(one, (dict, list))]
        if not inner:
            return
        level = [item for items in inner for item in items]
    raise ValueError(_TOO_DEEP)
