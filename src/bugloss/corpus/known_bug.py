"""A bug by what queries ask of it: its fields, without its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownBug:
    """The id of a bug and its fields by the names that queries use."""

    id: str
    fields: Mapping[str, object]
