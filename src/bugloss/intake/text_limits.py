"""How much of a report is read, and how bytes become text: whatever comes in, it stays quick."""

from __future__ import annotations

import codecs

from bugloss.core.errors import InvalidInput

MOST_BYTES = 32_000_000
LONGEST_BODY = 120_000  # characters: an issue on GitHub has 65,536 at the most
_TAIL = 40_000  # of a long one the end is kept too: logs end with what went wrong

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def decode(content: bytes, name: str) -> str:
    """The text that bytes encode; bytes that are not text are refused, single broken ones are not."""
    encoding = next((encoding for mark, encoding in _MARKS if content.startswith(mark)), "utf-8")
    if encoding != "utf-16" and b"\0" in content:
        raise _no_text(name)
    text = content.decode(encoding, errors="replace")
    if text.count("\ufffd") > len(text) // 10:
        raise _no_text(name)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _no_text(name: str) -> InvalidInput:
    return InvalidInput(f"{name} is not text.", hint="Pass the report as Markdown, text, JSON or a notebook.")


def shorten(body: str) -> str:
    """A body that is not too long: the beginning and the end, with a line between that says how much is missing."""
    if len(body) <= LONGEST_BODY:
        return body
    missing = len(body) - LONGEST_BODY
    return f"{body[: LONGEST_BODY - _TAIL]}\n[… {missing} characters left out …]\n{body[-_TAIL:]}"
