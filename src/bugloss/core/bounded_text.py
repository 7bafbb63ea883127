"""Foreign text with what no pattern should search cut down to a bounded size.

A hex dump, an image in base64 or a thousand blanks are data, not words. A pattern that begins a match at every
character of them needs time that grows with the square of their length, so that each door through which foreign text
comes in (a report, a log, a message) cuts them first. What stays of each is more than any name, path, indentation or
sentence has. Texts without them, which is nearly every text, come back unchanged.
"""

from __future__ import annotations

import re

LONGEST_TOKEN = 400  # a path on Linux may have 4,096 characters; those that people paste have less than 300
LONGEST_BLANK = 200
LONGEST_LINE = 4_000  # code with its data written out is longer than prose

# Each begins only where the run begins, so that nothing is looked at twice.
_TOKEN = re.compile(rf"(?<![\w.+/=~-])[\w.+/=~-]{{{LONGEST_TOKEN + 1},}}")
_BLANK = re.compile(rf"(?<!\s)\s{{{LONGEST_BLANK + 1},}}")
_LINE = re.compile(rf"^[^\n]{{{LONGEST_LINE + 1},}}", re.MULTILINE)


def bounded(text: str) -> str:
    """The text with long tokens, long blanks and long lines cut; beginning and end of each are kept."""
    if len(text) <= LONGEST_BLANK:
        return text
    text = _BLANK.sub(lambda found: _ends(found[0], LONGEST_BLANK, ""), text)
    text = _TOKEN.sub(lambda found: _ends(found[0], LONGEST_TOKEN), text)
    return _LINE.sub(lambda found: _ends(found[0], LONGEST_LINE), text)


def middle_cut(text: str, longest: int) -> str:
    """The text, or its beginning and its end where it is longer than ``longest``."""
    return text if len(text) <= longest else _ends(text, longest)


def _ends(run: str, longest: int, between: str = "…") -> str:
    half = (longest - len(between)) // 2
    return f"{run[:half]}{between}{run[-half:]}"
