"""The wire format of protocol buffers, as far as logs use it: fields of a message, without a schema.

A damaged message ends early: what was read before the damage is returned, and nothing raises.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_LONGEST_VARINT = 10  # bytes of a number of 64 bits

Value = int | bytes  # fixed numbers stay bytes: only the schema knows whether they are floats


def fields(message: bytes) -> Iterator[tuple[int, Value]]:
    """The fields of a message, as number and value, in their order."""
    at, end = 0, len(message)
    while at < end:
        key, at = _varint(message, at)
        kind, size = key & 7, 0
        if kind == _VARINT:
            number, at = _varint(message, at)
            if at > end:
                return
            yield key >> 3, number
            continue
        if kind == _BYTES:
            size, at = _varint(message, at)
        elif kind in {_FIXED64, _FIXED32}:
            size = 8 if kind == _FIXED64 else 4
        else:
            return
        if at + size > end:
            return
        yield key >> 3, message[at : at + size]
        at += size


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """A number and the place after it; a place beyond the message where it is torn."""
    number = 0
    for shift in range(_LONGEST_VARINT):
        if at >= len(message):
            break
        byte = message[at]
        at += 1
        number |= (byte & 127) << (7 * shift)
        if byte < 128:
            return number & (2**64 - 1), at
    return 0, len(message) + 1


def signed(number: Value | None) -> int:
    """An int64: its wire form is unsigned."""
    whole = number if isinstance(number, int) else 0
    return whole - 2**64 if whole >= 2**63 else whole


def words(value: Value | None) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def float32(value: Value) -> float | None:
    return struct.unpack("<f", value)[0] if isinstance(value, bytes) and len(value) == 4 else None


def float64(value: Value) -> float | None:
    return struct.unpack("<d", value)[0] if isinstance(value, bytes) and len(value) == 8 else None
