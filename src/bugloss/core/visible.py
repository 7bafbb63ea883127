"""Foreign text made visible: characters that move a cursor, write a clipboard, reorder or hide text are spelled out.

Terminals obey control characters, and what reorders or hides text makes a reader see something else than a program does
("Trojan Source"). Reports, programs' output, file names and messages may hold any of them. Newline and tab stay.
"""

from __future__ import annotations

import json
import re

# Control characters (C0 but tab and newline, DEL, C1), a carriage return that ends no line, format characters of
# Unicode (soft hyphen, zero-width characters, bidirectional marks, overrides and isolates, tags), line and paragraph
# separators, halves of surrogate pairs, and the two codes that are not characters.
HIDDEN = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
    "|\r(?!\n)"
)
_HIDDEN = re.compile(HIDDEN)


def visible(text: str) -> str:
    """The text with every hidden character spelled out, such as ``\\x1b`` or ``\\u202e``."""
    return _HIDDEN.sub(lambda found: spelled(found[0]), text)


def is_hidden(text: str) -> bool:
    """Whether a text holds a character that ``visible`` would spell out."""
    return _HIDDEN.search(text) is not None


def spelled(character: str) -> str:
    """One character as an escape sequence of Python."""
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def json_text(data: object, indent: int | None = None, ascii_only: bool = False) -> str:
    """A document as JSON in which hidden characters stand as ``\\uXXXX``: another spelling, the same value."""
    text = json.dumps(data, ensure_ascii=ascii_only, indent=indent)
    return _HIDDEN.sub(lambda found: json.dumps(found[0])[1:-1] if found[0] != "\x7f" else "\\u007f", text)
