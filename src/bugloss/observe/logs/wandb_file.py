"""W&B's run files (``run-….wandb``): a log in blocks, as LevelDB has them, around ``Record`` messages."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import BinaryIO

from bugloss.core.documents import parse_json
from bugloss.observe.logs.curves import CurveCollector, number_of
from bugloss.observe.logs.wire import fields, signed, words

LARGEST_FILE = 4 * 2**30  # bytes
LARGEST_RECORD = 16 * 2**20  # bytes; a history record has the scalars of one step
_START = b":W&B"
_HEADER = 7  # bytes, of the file and of every chunk
_BLOCK = 32768
_WHOLE, _FIRST, _MIDDLE, _LAST = 1, 2, 3, 4
_HISTORY, _EXIT, _ITEM, _STEP = 2, 18, 1, 2  # fields of Record and HistoryRecord
_KEY, _NESTED, _JSON = 1, 2, 16  # of HistoryItem


def read_wandb_file(file: BinaryIO, name: str, into: CurveCollector) -> int | None:
    """Adds the history; returns the exit code of the training if the file has it."""
    code = None
    for record in _records(file, name, into):
        for number, value in fields(record):
            if number == _HISTORY and isinstance(value, bytes):
                _add(value, into)
            elif number == _EXIT and isinstance(value, bytes):
                code = signed(dict(fields(value)).get(1, 0))
        if into.full:
            break
    return code


def _records(file: BinaryIO, name: str, into: CurveCollector) -> Iterator[bytes]:
    """Records, put together from their chunks; a damaged chunk ends the reading."""
    if not file.read(_HEADER).startswith(_START):
        into.note(f"{name} is not a run file of W&B")
        return
    parts = bytearray()
    for kind, chunk in _chunks(file, name, into):
        if kind in {_WHOLE, _FIRST}:
            parts.clear()
        if len(parts) <= LARGEST_RECORD:
            parts += chunk
        if kind in {_WHOLE, _LAST} and len(parts) <= LARGEST_RECORD:
            yield bytes(parts)


def _chunks(file: BinaryIO, name: str, into: CurveCollector) -> Iterator[tuple[int, bytes]]:
    at = _HEADER
    while at < LARGEST_FILE:
        left = _BLOCK - at % _BLOCK
        if left < _HEADER:  # a chunk does not begin so near to the end of a block
            file.read(left)
            at += left
        head = file.read(_HEADER)
        size, kind = int.from_bytes(head[4:6], "little"), head[6] if len(head) == _HEADER else 0
        data = file.read(size)
        if not head:
            return
        if len(head) < _HEADER or len(data) < size:
            into.note(f"{name} ends in the middle of a record, as it does while the training runs")
            return
        if zlib.crc32(head[6:] + data) != int.from_bytes(head[:4], "little") or not _WHOLE <= kind <= _LAST:
            into.note(f"{name} is damaged after {at:,} bytes: the rest was not read")
            return
        at += _HEADER + size
        yield kind, data
    into.note(f"{name} is larger than {LARGEST_FILE // 2**30} GB: the rest was not read")


def _add(history: bytes, into: CurveCollector) -> None:
    """The scalars of one call of ``log``, at its step or at the global step that it logs itself."""
    row: dict[str, float] = {}
    step = 0
    for number, value in fields(history):
        if number == _ITEM and isinstance(value, bytes):
            _add_item(value, row)
        elif number == _STEP and isinstance(value, bytes):
            step = signed(dict(fields(value)).get(1, 0))
    into.add_row(row, step)


def _add_item(item: bytes, row: dict[str, float]) -> None:
    keys: list[str] = []
    text = ""
    for number, value in fields(item):
        if number in {_KEY, _NESTED} and (word := words(value)):
            keys.append(word)
        elif number == _JSON:
            text = words(value)
    scalar = _parsed(text)
    if keys and scalar is not None:
        row[".".join(keys)] = scalar


def _parsed(text: str) -> float | None:
    try:
        return number_of(parse_json(text))
    except ValueError:
        return number_of(text)
