"""Networks that a report describes in words: "Linear(32, 48), PReLU, Linear(48, 8)"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bugloss.core.python_text import parse_python
from bugloss.core.report import BlockKind, Reading
from bugloss.core.reproduction import Quote
from bugloss.reproduce.words import groups

_LAYER = r"(?:(?:torch\.)?nn\.|(?:tf\.)?(?:keras\.)?layers\.)?[A-Z][A-Za-z0-9]{1,40}+(?:\([^()\n]{0,300}+\))?"
_RUN = re.compile(rf"(?<![A-Z]){_LAYER}(?:\s*+(?:,|->|=>|→|\+|–|-|and|then|followed by)++\s*+(?:a |an )?{_LAYER})+")


@dataclass(frozen=True, slots=True)
class Described:
    """Layers as expressions without a module in front, and the words they come from."""

    layers: tuple[str, ...]
    quote: Quote


def described_network(reading: Reading, torch: bool) -> Described | None:
    """The longest run of layers that the prose lists; None where it lists none."""
    known = set(groups("usage")["torch-layers" if torch else "keras-layers"])
    best: Described | None = None
    for block in reading.of_kind(BlockKind.PROSE):
        for found in _RUN.finditer(reading.report.body, block.start, block.end):
            layers = [layer for part in re.findall(_LAYER, found[0]) if (layer := _layer(part, known)) is not None]
            if len(layers) > 1 and (best is None or len(layers) > len(best.layers)):
                best = Described(tuple(layers), Quote(found[0], found.start(), found.end()))
    return best


def _layer(text: str, known: set[str]) -> str | None:
    head, bracket, rest = text.partition("(")
    name = head.rsplit(".", 1)[-1]
    code = f"{name}({rest}" if bracket else f"{name}()"
    if name not in known:
        return None
    try:
        parse_python(code)
    except SyntaxError:
        return None
    return code
