"""Definitions that a report gives in passing: "the loss is simply loss = nn.MSELoss()", "nr_feats set to 2"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bugloss.core.report import BlockKind
from bugloss.core.reproduction import Quote
from bugloss.reproduce.contract import Evidence
from bugloss.reproduce.draft import parsed

_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Stated:
    """What a name stands for, as code, and the words that say so."""

    code: str
    quote: Quote


def stated(name: str, evidence: Evidence) -> Stated | None:
    """The value that the prose gives to a name; None where it gives none that can be evaluated."""
    body = evidence.body
    for block in evidence.reading.of_kind(BlockKind.PROSE):
        text = body[block.start : block.end]
        for pattern in (
            rf"(?<![\w.]){re.escape(name)}\s*=\s*(?!=)",
            rf"(?<![\w.])`?{re.escape(name)}`?\s+(?:is|are|was|set|equals?|being)\s+(?:set\s+)?(?:to\s+)?(?=`?[-\d\[(])",
        ):
            for found in re.finditer(pattern, text):
                code = _expression(text[found.end() : found.end() + _LONGEST])
                if code:
                    start = block.start + found.start()
                    return Stated(code, evidence.quote(start, block.start + found.end() + len(code)))
    return None


def _expression(text: str) -> str:
    """The longest beginning of a text that is an expression; a name alone or words do not count."""
    line = text.split("\n", 1)[0].lstrip("`")
    for end in range(len(line), 0, -1):
        candidate = line[:end].rstrip(" .,;`'\"")
        tree = parsed(f"({candidate})") if candidate.strip() else None
        if (
            tree is not None
            and re.search(r"[\d(\['\"]", candidate)
            and not re.search(r"\b(?:and|or|is|in|not|if)\b", candidate)
        ):
            return candidate
    return ""
