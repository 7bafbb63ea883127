"""Writes Markdown while the tags of a page come by."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_BLOCKS = frozenset({"p", "div", "ul", "ol", "table", "blockquote", "section", "details", "summary", "hr"})
_SILENT = frozenset({"script", "style", "head", "svg"})


class MarkdownWriter(HTMLParser):
    """Writes as the tags come: no tree, so that nesting costs nothing."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._parts: list[str] = []
        self._code: list[str] | None = None  # inside <pre>
        self._silent = 0

    def markdown(self) -> str:
        self._end_code()
        text = "".join(self._parts)
        return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent += 1
        elif tag == "pre":
            self._end_code()
            self._code = []
        elif self._code is not None:
            if tag == "br":
                self._code.append("\n")
        else:
            self._open(tag)

    def _open(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._parts.append("\n\n")
        elif tag == "br":
            self._parts.append("\n")
        elif tag == "li":
            self._parts.append("\n- ")
        elif tag == "tr":
            self._parts.append("\n")
        elif tag in {"td", "th"}:
            self._parts.append(" ")
        elif tag == "code":
            self._parts.append("`")
        elif len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self._parts.append(f"\n\n{'#' * int(tag[1])} ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self._silent = max(self._silent - 1, 0)
        elif tag == "pre":
            self._end_code()
        elif self._code is None:
            if tag == "code":
                self._parts.append("`")
            elif tag in _BLOCKS or (len(tag) == 2 and tag[0] == "h" and tag[1].isdigit()):
                self._parts.append("\n\n")

    def _end_code(self) -> None:
        if self._code is not None:
            code = "".join(self._code).strip("\n")
            fence = "````" if "```" in code else "```"
            self._parts.append(f"\n\n{fence}\n{code}\n{fence}\n\n")
            self._code = None

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        if self._code is not None:
            self._code.append(data)
        else:
            self._parts.append(re.sub(r"[ \t\n]+", " ", data) if data.strip() else (" " if data else ""))
