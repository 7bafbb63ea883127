"""Questions as the Stack Exchange API gives them: https://api.stackexchange.com/docs/types/question."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from html import unescape
from typing import Any

from bugloss.core.errors import InvalidInput
from bugloss.core.report import Report, ReportSource
from bugloss.intake.html_text import html_to_markdown
from bugloss.intake.text_limits import shorten

ADDRESS = "https://api.stackexchange.com/2.3"
BASE_VARIABLE = "BUGLOSS_STACK_EXCHANGE_URL"


def is_question(data: object) -> bool:
    """Whether parsed JSON is an answer of the API, or one question out of it."""
    if not isinstance(data, Mapping):
        return False
    if isinstance(data.get("items"), list):
        return True
    return "title" in data and ("question_id" in data or "body_markdown" in data or "creation_date" in data)


def parse_question(data: Mapping[str, Any]) -> Report:
    """The question, with its HTML as Markdown."""
    items = data.get("items")
    question = items[0] if isinstance(items, list) and items else data
    if not isinstance(question, Mapping) or "title" not in question:
        raise InvalidInput(
            "the Stack Exchange response contains no question.", hint="Check the number of the question."
        )
    tags = question.get("tags")
    return Report(
        title=unescape(str(question["title"])),
        body=_body(question),
        tags=tuple(str(tag) for tag in tags) if isinstance(tags, list) else (),
        created_at=_day(question.get("creation_date")),
        url=str(question.get("link") or ""),
        source=ReportSource.STACK_OVERFLOW,
    )


def _body(question: Mapping[str, Any]) -> str:
    if isinstance(question.get("body_markdown"), str):
        return unescape(question["body_markdown"]).replace("\r\n", "\n")
    return html_to_markdown(shorten(str(question.get("body") or "")))


def _day(seconds: object) -> date | None:
    try:
        return datetime.fromtimestamp(float(str(seconds)), UTC).date()
    except (ValueError, OverflowError, OSError):
        return None
