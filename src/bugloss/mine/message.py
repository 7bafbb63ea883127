"""What a commit message says: whether it fixes a bug, which issues it names, and what failed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bugloss.mine.words import expression

_CLOSES = re.compile(r"\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)\s*:?\s+(?:[\w.-]+/[\w.-]+)?#(\d+)", re.I)
_NAMES = re.compile(r"(?<![\w/])#(\d+)\b")
_REVERT = re.compile(r"^revert\b", re.I)


@dataclass(frozen=True, slots=True)
class MessageVerdict:
    """Whether a message tells of a bug fix, with the words that say so."""

    fixes: bool
    words: tuple[str, ...] = ()
    symptom: str = ""
    closes: tuple[int, ...] = ()
    mentions: tuple[int, ...] = ()


def judge_message(message: str) -> MessageVerdict:
    """A fix says that it fixes or what was wrong, in its first line, and is not about text, style or machinery."""
    subject = message.partition("\n")[0]
    closes = tuple(dict.fromkeys(int(number) for number in _CLOSES.findall(message)))
    mentions = tuple(dict.fromkeys(int(number) for number in _NAMES.findall(message) if int(number) not in closes))
    fix, wrong, elsewhere = (expression(kind).search(subject) for kind in ("fixes", "wrong", "elsewhere"))
    symptom = wrong.group().lower() if wrong else ""
    words = tuple(match.group().lower() for match in (fix, wrong) if match)
    fixes = bool(fix or (wrong and closes)) and not elsewhere and not _REVERT.match(subject)
    return MessageVerdict(fixes, words, symptom, closes, mentions)
