"""A document of ours as plain data: ``bugloss.<name>/1``, valid JSON also where a loss was NaN."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from bugloss.core.codec import encode


def plain_document(name: str, document: Mapping[str, object]) -> dict[str, Any]:
    """The document with its schema, as dicts, lists and finite scalars."""
    plain: dict[str, Any] = _finite(encode({"schema": f"bugloss.{name}/1", **document}))
    return plain


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
