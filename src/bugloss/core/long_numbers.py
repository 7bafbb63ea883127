"""Numbers in foreign text that are too long to compute with: more digits than any size, step or version has.

Python refuses to convert thousands of digits, and a few hundred are too large for a float. Whoever reads a report, a
traceback or a message cuts such numbers once, at the door; whoever picks a number out of the text later need not care.
"""

from __future__ import annotations

import re

MOST_DIGITS = 60  # the product of five such numbers still fits a float
_LONG = re.compile(rf"(\d{{{MOST_DIGITS}}})\d+")


def cut_long_numbers(text: str) -> str:
    """The text with every number cut to its first digits."""
    return _LONG.sub(r"\1", text)
