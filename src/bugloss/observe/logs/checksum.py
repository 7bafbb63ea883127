"""CRC-32C, which guards the records of event files; Python's ``zlib`` has another polynomial."""

from __future__ import annotations

from functools import cache

_POLYNOMIAL = 0x82F63B78


@cache
def _table() -> tuple[int, ...]:
    rows = []
    for byte in range(256):
        rest = byte
        for _ in range(8):
            rest = (rest >> 1) ^ (_POLYNOMIAL if rest & 1 else 0)
        rows.append(rest)
    return tuple(rows)


def crc32c(data: bytes) -> int:
    table, rest = _table(), 0xFFFFFFFF
    for byte in data:
        rest = table[(rest ^ byte) & 255] ^ (rest >> 8)
    return rest ^ 0xFFFFFFFF


def masked(data: bytes) -> int:
    """As TFRecord stores it: a sum over data that contain sums would be weak."""
    rest = crc32c(data)
    return ((rest >> 15 | rest << 17) + 0xA282EAD8) & 0xFFFFFFFF
