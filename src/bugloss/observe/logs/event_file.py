"""TensorBoard's event files: records with checksums around ``Event`` messages, of which scalars are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from bugloss.observe.logs.checksum import masked
from bugloss.observe.logs.curves import CurveCollector
from bugloss.observe.logs.wire import Value, fields, float32, float64, signed, words

LARGEST_FILE = 4 * 2**30  # bytes that are looked at; images in it are skipped, not read
LARGEST_RECORD = 2**20  # bytes; an event with scalars has less than a kilobyte, an image or a graph more
_STEP, _SUMMARY, _VALUE = 2, 5, 1  # fields of Event and Summary
_TAG, _SIMPLE, _TENSOR = 1, 2, 8  # of Summary.Value
_TYPE, _CONTENT, _FLOATS, _DOUBLES = 1, 4, 5, 6  # of TensorProto
_FLOAT, _DOUBLE = 1, 2  # types of a tensor


def read_event_file(file: BinaryIO, name: str, folder: str, into: CurveCollector) -> None:
    """Every scalar of a file; ``folder`` is the part of the run that it is about, such as ``validation``."""
    prefix = f"{folder}/" if folder else ""
    for record in _records(file, name, into):
        event: dict[int, Value] = dict(fields(record))
        summary = event.get(_SUMMARY)
        if not isinstance(summary, bytes):
            continue
        for number, value in fields(summary):
            if number == _VALUE and isinstance(value, bytes):
                _add(prefix, signed(event.get(_STEP)), value, into)
        if into.full:
            return


def _records(file: BinaryIO, name: str, into: CurveCollector) -> Iterator[bytes]:
    """The records up to the end or to the first damage; those too large for scalars are skipped."""
    read = 0
    while head := file.read(12):
        size = int.from_bytes(head[:8], "little")
        if len(head) < 12:
            into.note(f"{name} ends in the middle of a record, as it does while the training runs")
            return
        if masked(head[:8]) != int.from_bytes(head[8:], "little"):
            into.note(f"{name} is damaged after {read:,} bytes: the rest was not read")
            return
        read += 16 + size
        if read > LARGEST_FILE:
            into.note(f"{name} is larger than {LARGEST_FILE // 2**30} GB: the rest was not read")
            return
        if size > LARGEST_RECORD:
            file.seek(size + 4, 1)
            continue
        data, check = file.read(size), file.read(4)
        if len(check) < 4:
            into.note(f"{name} ends in the middle of a record, as it does while the training runs")
            return
        if masked(data) != int.from_bytes(check, "little"):
            into.note(f"{name} is damaged after {read - 16 - size:,} bytes: the rest was not read")
            return
        yield data


def _add(prefix: str, step: int, summary: bytes, into: CurveCollector) -> None:
    value: dict[int, Value] = dict(fields(summary))
    number = float32(value[_SIMPLE]) if _SIMPLE in value else None
    if number is None and isinstance(tensor := value.get(_TENSOR), bytes):
        number = _scalar(dict(fields(tensor)))
    if number is not None:
        into.add(prefix + words(value.get(_TAG)), step, number)


def _scalar(tensor: dict[int, Value]) -> float | None:
    """The number of a tensor that has exactly one, of a floating-point type."""
    kind, content = tensor.get(_TYPE), tensor.get(_CONTENT)
    if kind == _FLOAT:
        return float32(content or tensor.get(_FLOATS, b""))
    if kind == _DOUBLE:
        return float64(content or tensor.get(_DOUBLES, b""))
    return None


def is_event_file(name: str) -> bool:
    return "tfevents" in name
