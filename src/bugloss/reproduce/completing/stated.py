"""Definitions that a report gives in passing: "the loss is simply loss = nn.MSELoss()", "nr_feats set to 2"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bugloss.core.report import BlockKind
from bugloss.core.reproduction import Quote
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.program.draft import parsed
from bugloss.reproduce.words import wording

_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Stated:
    """What a name stands for, as code, and the words that say so."""

    code: str
    quote: Quote


def stated(name: str, evidence: EditEvidence) -> Stated | None:
    """The value that the prose gives to a name; None where it gives none that can be evaluated."""
    body = evidence.body
    for block in evidence.reading.of_kind(BlockKind.PROSE):
        text = body[block.start : block.end]
        for pattern in (
            rf"(?<![\w.]){re.escape(name)}\s*=\s*(?!=)",
            rf"(?<![\w.])`?{re.escape(name)}{wording('is-set-to').pattern}",
        ):
            for found in re.finditer(pattern, text):
                code = _expression(text[found.end() : found.end() + _LONGEST])
                if code:
                    start = block.start + found.start()
                    return Stated(code, evidence.quote(start, block.start + found.end() + len(code)))
    return None


_SHOWN = r"(?P<code>(?:tensor|array)\([^\n]{1,300}\))[ \t]*$"
_NOT_CODE = re.compile(r",\s*(?:device='[^']*'|grad_fn=<[^>]*>|requires_grad=True)")


def shown(name: str, evidence: EditEvidence) -> Stated | None:
    """The value that an interactive session shows for a name: ``>>> loss`` and below it ``tensor(0.0870)``."""
    asked = rf"^[ \t]*(?:>>> |In \[\d*\]: |# ?)(?:print\()?{re.escape(name)}\)?[ \t]*\n[ \t]*(?:Out\[\d*\]: ?)?"
    found = re.search(asked + _SHOWN, evidence.body, re.MULTILINE)
    if found is None or "..." in found["code"]:
        return None
    code = re.sub(r"^tensor", "torch.tensor", re.sub(r"^array", "np.array", _NOT_CODE.sub("", found["code"])))
    return Stated(code, evidence.quote(found.start("code"), found.end("code"))) if parsed(code) is not None else None


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
