"""The HTML of a post as Markdown: code in fences, headings and lists marked, everything else plain."""

from __future__ import annotations

import re

_LOOKS_LIKE_HTML = re.compile(r"^\s*<(?:!doctype|html|body|p|div|pre|ul|ol|h[1-6]|blockquote)\b[^>]{0,200}>", re.I)
_CLOSED = re.compile(r"</(?:p|div|pre|ul|ol|h[1-6]|blockquote|body)>", re.I)


def looks_like_html(text: str) -> bool:
    """Whether a body is HTML rather than Markdown with some HTML in it."""
    return bool(_LOOKS_LIKE_HTML.match(text) and _CLOSED.search(text))


def html_to_markdown(text: str) -> str:
    """Markdown that reads as the page does."""
    from bugloss.intake.html_writer import MarkdownWriter  # few reports are HTML, and its parser takes time to load

    writer = MarkdownWriter()
    writer.feed(text)
    writer.close()
    return writer.markdown()
