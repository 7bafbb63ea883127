"""JSON and TOML that somebody else wrote: the one door for both.

Whatever is wrong with a text, a ``ValueError`` says so: also where the parsers of the standard library would raise
something else, because it is nested too deeply for them.
"""

from __future__ import annotations

import json
from typing import Any


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text."""
    try:
        return json.loads(text)
    except (RecursionError, MemoryError):
        raise ValueError("it is nested too deeply") from None


def parse_toml(text: str) -> dict[str, Any]:
    """The table of a TOML text."""
    import tomllib

    try:
        return tomllib.loads(text)
    except (RecursionError, MemoryError):
        raise ValueError("it is nested too deeply") from None
    except ValueError:
        raise
    except Exception as error:  # what a parser of the standard library did not foresee
        raise ValueError(f"{type(error).__name__}: {error}") from None
