"""Heads as files. Each is read when its question comes up, and in milliseconds: names as one text, numbers as bytes.

A file is compressed as a whole. Its first line is JSON: labels, temperature, and the groups of each part in order. Then
follow, group by group, the names (a line each), how rare each is where that counts, and one weight a name and label:
both in thousandths, two bytes each, the lower first.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from bugloss.triage.classifier import ClassifierHead, FeatureGroup, LinearModel

FOLDER = Path(__file__).parent / "data" / "heads"
SUFFIX = ".head"


@cache
def load_head(name: str) -> ClassifierHead:
    """A shipped head: ``type-question``, ``type-issue``, ``origin-issue`` or ``source``."""
    return unpack((FOLDER / f"{name}{SUFFIX}").read_bytes())


def pack(head: ClassifierHead) -> bytes:
    """The file of a head."""
    parts = [
        {"share": part.share, "bias": list(part.bias), "groups": [_heading(group) for group in part.groups]}
        for part in head.parts
    ]
    heading = {"labels": head.labels, "temperature": head.temperature, "favour": head.favour, "parts": parts}
    groups = (_body(group) for part in head.parts for group in part.groups)
    return zlib.compress(json.dumps(heading).encode() + b"\n" + b"".join(groups), 9)


def _heading(group: FeatureGroup) -> dict[str, object]:
    size = len(_names(group))
    return {"name": group.name, "scale": group.scale, "weighted": group.weighted, "size": size}


def _names(group: FeatureGroup) -> bytes:
    return "\n".join(sorted(group.places, key=lambda name: group.places[name])).encode()


def _body(group: FeatureGroup) -> bytes:
    return _names(group) + _as_bytes(group.rarity) + _as_bytes(group.weights)


def _as_bytes(numbers: Iterable[int]) -> bytes:
    return _little(array("h", numbers)).tobytes()


def _little(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def unpack(content: bytes) -> ClassifierHead:
    """The head in a file."""
    stream = zlib.decompress(content)
    end = stream.index(b"\n")
    heading = json.loads(stream[:end])
    labels = tuple(heading["labels"])
    reader = _Reader(stream, end + 1)
    parts = tuple(
        LinearModel(part["bias"], tuple(reader.groups(part["groups"], len(labels))), part["share"])
        for part in heading["parts"]
    )
    return ClassifierHead(labels, heading["temperature"], parts, tuple(heading.get("favour", ())))


class _Reader:
    """Takes the groups from a stream, one after the other."""

    def __init__(self, stream: bytes, at: int) -> None:
        self._stream, self._at = stream, at

    def groups(self, headings: Iterable[Mapping[str, Any]], labels: int) -> Iterator[FeatureGroup]:
        for heading in headings:
            text = self._take(heading["size"]).decode()
            names = text.split("\n") if text else []
            rarity = self._numbers(len(names) if heading["weighted"] else 0)
            weights = self._numbers(len(names) * labels)
            places = dict(zip(names, range(len(names)), strict=True))
            yield FeatureGroup(heading["name"], heading["scale"], heading["weighted"], places, rarity, weights)

    def _take(self, size: int) -> bytes:
        self._at += size
        return self._stream[self._at - size : self._at]

    def _numbers(self, count: int) -> array[int]:
        numbers = array("h")
        numbers.frombytes(self._take(2 * count))
        return _little(numbers)
