"""Markdown and plain text: the file is the body, a heading gives the title, a few lines give the rest."""

from __future__ import annotations

import re
from datetime import date

from bugloss.core.report import Report, ReportSource

_HEADING = re.compile(r"^#{1,3}[ \t]+(.+)$")
_UNDERLINE = re.compile(r"^(?:=+|-{3,})\s*$")
_ENTRY = re.compile(
    r"^\W{0,4}(tags?|labels?|url|link|date|created|asked|created_at)\W{0,4}:\W{0,4}(.+)$", re.IGNORECASE
)
_HEAD_LINES = 12  # where tags and dates stand, if they do: at the top or at the very end
_LONGEST_TITLE = 160


def parse_markdown(text: str) -> Report:
    """A report of a text; what it lacks stays empty."""
    lines = [line for line in text.split("\n") if line.strip()]
    entries = _entries(lines)
    url = entries.get("url", "")
    return Report(
        title=_title(lines),
        body=text,
        tags=split_tags(entries.get("tags", "")),
        created_at=parse_date(entries.get("created", "")),
        url=url,
        source=source_of(url),
    )


def _title(lines: list[str]) -> str:
    if not lines:
        return ""
    heading = _HEADING.match(lines[0])
    if heading:
        return heading[1].rstrip("#").strip() or "#"
    first = lines[0].strip()
    underlined = len(lines) > 1 and _UNDERLINE.match(lines[1])
    return first if underlined or len(first) <= _LONGEST_TITLE else f"{first[: _LONGEST_TITLE - 1].rstrip()}…"


def _entries(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in [*lines[:_HEAD_LINES], *lines[-2:]]:
        match = _ENTRY.match(line)
        if match and len(line) < 500:
            found.setdefault(_ENTRIES[match[1].lower()], match[2].strip().strip("*_"))
    return found


_ENTRIES = {"tag": "tags", "tags": "tags", "label": "tags", "labels": "tags", "url": "url", "link": "url"}
_ENTRIES |= dict.fromkeys(("date", "created", "asked", "created_at"), "created")


def split_tags(text: str) -> tuple[str, ...]:
    """Tags as people write them: with commas, semicolons, angle brackets, hashes or just blanks between."""
    parts = re.split(r"[,;|]+" if re.search(r"[,;|]", text) else r"[<>\s]+", text)
    return tuple(dict.fromkeys(tag for part in parts if (tag := part.strip(" \t<>#`[]\"'*").lower())))


def parse_date(text: str) -> date | None:
    """The day that a text begins with, in the order year, month, day."""
    match = re.match(r"\s*(\d{4})-(\d{2})-(\d{2})", text)
    if match is None:
        return None
    try:
        return date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None


def source_of(url: str) -> ReportSource:
    """The source of a report, from its address."""
    if re.search(r"//(?:www\.)?github\.com/|//api\.github\.com/", url):
        return ReportSource.GITHUB
    if re.search(r"//(?:www\.)?(?:stackoverflow\.com|[\w.]*stackexchange\.com)/", url):
        return ReportSource.STACK_OVERFLOW
    return ReportSource.TEXT
