"""Codes that bugloss itself sends to a terminal or to a workflow's log, distinguished from the same codes in foreign
text.

Own codes carry a mark drawn at random for each process. Where text leaves the process (``cli/door.py``) the mark is
taken off and everything else that a terminal would obey is spelled out: a report cannot know the mark, so it cannot
send codes.
"""

from __future__ import annotations

import os
import re

from bugloss.core.visible import HIDDEN, spelled

_MARK = f"\x1b{os.urandom(12).hex()}"
_OWN_OR_HIDDEN = re.compile(f"{_MARK}(?P<own>.)|(?P<hidden>{HIDDEN})", re.DOTALL)


def own(code: str) -> str:
    """A code that may pass, such as a colour; never foreign text."""
    return "".join(f"{_MARK}{character}" for character in code)


def quoted(text: str) -> str:
    """The text as it may leave the process: own codes as they are, hidden characters spelled out."""
    if text.replace("\n", "").isprintable():  # there is neither in most texts, and this is quicker to ask
        return text
    return _OWN_OR_HIDDEN.sub(lambda found: found["own"] or spelled(found["hidden"]), text)


def styled(text: str, codes: str) -> str:
    """The text in a colour or weight of ours, by the numbers that terminals know it by."""
    start, end = own(f"\x1b[{codes}m"), own("\x1b[0m")
    return f"{start}{text}{end}"
