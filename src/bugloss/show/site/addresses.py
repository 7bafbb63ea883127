"""Where an address of the application is in a static site, and the links of a page changed to that."""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qsl, urlsplit

from bugloss.core.errors import InvalidInput

_LINK = re.compile(r'\b(href|src|action)="(/[^"]*)"')  # escaped text has no quotes, so only markup matches
_PAGE = re.compile(r"/(explore|studies|health)$")
_INNER = re.compile(r"/((?:bugs|studies)/[A-Za-z0-9_.-]+)$")
_TABLE = re.compile(r"/(studies/[a-z-]+/[A-Za-z0-9_.-]+\.csv)$")
_STATIC = re.compile(r"/(static/[a-z_.]+)$")
_UNSAFE = re.compile(r"[^a-z0-9]+")


def file_of(address: str) -> str:
    """The file of a page, without query and fragment that the file itself reads."""
    parts = urlsplit(address)
    asked = dict(parse_qsl(parts.query))
    if parts.path == "/":
        return "index.html"
    if found := _PAGE.match(parts.path):
        names = ("kind", "scope") if found[1] == "studies" else ()  # the others read their query themselves
        chosen = "-".join(_UNSAFE.sub("-", asked[name].lower()) for name in names if name in asked)
        return f"{found[1]}-{chosen}.html" if chosen else f"{found[1]}.html"
    if found := _TABLE.match(parts.path) or _STATIC.match(parts.path):
        return found[1]
    if found := _INNER.match(parts.path):
        return f"{found[1]}-whole.html" if asked.get("code") == "whole" else f"{found[1]}.html"
    raise InvalidInput(f"a static site has no page for the address '{address}'.")


def with_relative_links(page: str, file: str) -> str:
    """A page whose links work from its place in the site, wherever the site is."""
    up = "../" * file.count("/")

    def relative(link: re.Match[str]) -> str:
        address = html.unescape(link[2])
        parts = urlsplit(address)
        target = up + file_of(address)
        if parts.path == "/explore" and parts.query:  # its script reads the query
            target += f"?{parts.query}"
        if parts.fragment:
            target += f"#{parts.fragment}"
        return f'{link[1]}="{html.escape(target)}"'

    return _LINK.sub(relative, page)
