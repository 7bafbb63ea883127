"""Shapes as messages write them, and as people read them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

Shape = tuple[int | None, ...]

_ITEM = re.compile(r"None|\?|-?\d+")


def read_shape(text: str) -> Shape:
    """``[?, 4]``, ``(None, 4)``, ``10x256`` and ``torch.Size([10])`` as a tuple; an unknown axis is None."""
    return tuple(None if item in {"None", "?"} else int(item) for item in _ITEM.findall(text))


def show_shape(shape: Sequence[int | None]) -> str:
    """``10×256``; an unknown axis is a question mark, a single number has no shape."""
    return "×".join("?" if size is None else str(size) for size in shape) if shape else "scalar"


def elements(shape: Sequence[int | None]) -> int | None:
    """How many values a tensor of that shape holds, None where an axis is unknown."""
    known = [size for size in shape if size is not None]
    return math.prod(known) if len(known) == len(shape) else None


def side_of(features: int, channels: int) -> int | None:
    """The side of the square images that make so many features with so many channels, where it is whole."""
    if channels <= 0 or features % channels:
        return None
    side = math.isqrt(features // channels)
    return side if side * side * channels == features and side > 0 else None
