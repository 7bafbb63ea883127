"""Statements that only Python 2 had, written for Python 3."""

from __future__ import annotations

import re
import tokenize
from io import StringIO

_PRINT = re.compile(r"^(\s*+(?:.*?:\s*+)?)print(?:\s+(?![=(])(.+?)|\s*)$")
_PRINT_TUPLE = re.compile(r"^(\s*)print\s*(\(.*\)\s*[%,].*)$")
_PYTHON2 = re.compile(
    r"^[^\S\n]*+(?:(?:.*:\s*+)?print(?:\s+[\"'\w%]|\s*\([^\n]*\)\s*%)|except\s++[\w.]++\s*+,\s*+\w++\s*+:"
    r"|raise\s++\w++\s*+,|exec\s+[\"'\w])|\b\d++L\b",
    re.MULTILINE,
)


def as_python3(text: str) -> str:
    """A text with statements that only Python 2 had written for Python 3."""
    return "\n".join(map(_python3_line, text.split("\n"))) if _PYTHON2.search(text) else text


def _python3_line(line: str) -> str:
    line = re.sub(r"^(\s*except\s+[\w.]+|\s*except\s*\(.*?\))\s*,\s*(\w+)\s*:", r"\1 as \2:", line)
    line = re.sub(r"^(\s*raise\s+[\w.]+)\s*,\s*(.+)$", r"\1(\2)", line)
    line = re.sub(r"^(\s*)exec\s+([\"'\w].*)$", r"\1exec(\2)", line)
    line = re.sub(r"\b(\d+)L\b", r"\1", line)
    code, comment = _split_comment(line)
    if not code.strip():
        return line
    if found := _PRINT_TUPLE.match(code):
        code = f"{found[1]}print({found[2].rstrip()})"
    elif (found := _PRINT.match(code)) and not re.match(r"\s*print\s*\(", code):
        inner = (found[2] or "").strip()
        redirected = re.match(r">>\s*([\w.]+)\s*,?\s*(.*)", inner)
        if redirected:
            inner = ", ".join(filter(None, (redirected[2], f"file={redirected[1]}")))
        trailing = ', end=" "' if inner.endswith(",") else ""
        code = f"{found[1]}print({inner.rstrip(',')}{trailing})"
    return code + comment


def _split_comment(line: str) -> tuple[str, str]:
    if "#" not in line:
        return line, ""
    try:
        for token in tokenize.generate_tokens(StringIO(line).readline):
            if token.type == tokenize.COMMENT:
                return line[: token.start[1]].rstrip(), f"  {line[token.start[1] :]}"
    except (tokenize.TokenError, IndentationError, SyntaxError):
        pass
    return line, ""
