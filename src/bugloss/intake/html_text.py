"""The HTML of a post as Markdown: code in fences, headings and lists marked, everything else plain."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_BLOCKS = frozenset({"p", "div", "ul", "ol", "table", "blockquote", "section", "details", "summary", "hr"})
_SILENT = frozenset({"script", "style", "head", "svg"})
_LOOKS_LIKE_HTML = re.compile(r"^\s*<(?:!doctype|html|body|p|div|pre|ul|ol|h[1-6]|blockquote)\b[^>]{0,200}>", re.I)
_CLOSED = re.compile(r"</(?:p|div|pre|ul|ol|h[1-6]|blockquote|body)>", re.I)


def looks_like_html(text: str) -> bool:
    """Whether a body is HTML rather than Markdown with some HTML in it."""
    return bool(_LOOKS_LIKE_HTML.match(text) and _CLOSED.search(text))


def html_to_markdown(text: str) -> str:
    """Markdown that reads as the page does."""
    writer = _Writer()
    writer.feed(text)
    writer.close()
    return writer.markdown()


class _Writer(HTMLParser):
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
