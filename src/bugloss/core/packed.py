"""Bytes packed with gzip that somebody else wrote."""

from __future__ import annotations

import gzip
import io
import zlib


class TooLarge(ValueError):
    """What was packed is larger than allowed."""


def unpack(packed: bytes, most: int) -> bytes:
    """What was packed, at most so many bytes; damaged data is a ``ValueError``."""
    try:
        with gzip.open(io.BytesIO(packed)) as stream:
            content = stream.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(str(error)) from error
    if len(content) > most:
        raise TooLarge(f"it unpacks to more than {most // 1_000_000} MB")
    return content
