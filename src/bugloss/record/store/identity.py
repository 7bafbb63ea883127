"""Ids of records: their order is the order of creation, and nobody guesses the next one."""

from __future__ import annotations

import secrets
import time


def new_id() -> str:
    """Milliseconds since 1970 and 64 random bits, as 28 hexadecimal digits."""
    return f"{time.time_ns() // 1_000_000:012x}{secrets.token_hex(8)}"
