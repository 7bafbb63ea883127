"""JSON reports: questions and issues as their APIs give them, notebooks, or plain title and body."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from bugloss.core import documents
from bugloss.core.errors import InvalidInput
from bugloss.core.report import Report
from bugloss.intake.github_issue import is_issue, parse_issue
from bugloss.intake.html_text import html_to_markdown, looks_like_html
from bugloss.intake.markdown import parse_date, source_of, split_tags
from bugloss.intake.notebook import is_notebook, parse_notebook
from bugloss.intake.stack_exchange import is_question, parse_question
from bugloss.intake.text_limits import shorten

_KEYS = 'A JSON report is a response of the Stack Exchange or GitHub API, or {"title": "…", "body": "…", "tags": […]}.'


def parse_json(text: str, name: str) -> Report:
    """The report that a JSON document holds; says what is wrong with one that holds none."""
    try:
        data = documents.parse_json(text)
    except json.JSONDecodeError as error:
        reason = f"{error.msg} in line {error.lineno}, column {error.colno}"
        raise InvalidInput(f"{name} is not valid JSON: {reason}.", hint=_KEYS) from None
    except ValueError:
        raise InvalidInput(f"{name} is JSON that is nested too deeply or has too large numbers.", hint=_KEYS) from None
    return from_data(data, name)


def from_data(data: object, name: str) -> Report:
    """The report in parsed JSON."""
    if isinstance(data, list) and len(data) == 1:
        data = data[0]
    if is_notebook(data) and isinstance(data, Mapping):
        return parse_notebook(data)
    if is_question(data) and isinstance(data, Mapping):
        return parse_question(data)
    if is_issue(data) and isinstance(data, Mapping):
        return parse_issue(data)
    if isinstance(data, Mapping) and isinstance(data.get("title") or data.get("body") or data.get("text"), str):
        return _plain(data)
    raise InvalidInput(f"{name} is JSON, but not a report: it has neither a title nor a body.", hint=_KEYS)


def _plain(data: Mapping[str, Any]) -> Report:
    body = data.get("body") or data.get("text") or ""
    body = body if isinstance(body, str) else ""
    tags, url = data.get("tags"), str(data.get("url") or "")
    return Report(
        title=str(data.get("title") or ""),
        body=html_to_markdown(shorten(body)) if looks_like_html(body) else body.replace("\r\n", "\n"),
        tags=split_tags(tags) if isinstance(tags, str) else _listed(tags),
        created_at=_day(data.get("created_at")),
        url=url,
        source=source_of(url),
    )


def _listed(tags: object) -> tuple[str, ...]:
    return tuple(str(tag) for tag in tags) if isinstance(tags, list) else ()


def _day(value: object) -> date | None:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            return datetime.fromtimestamp(value, UTC).date()
        except (ValueError, OverflowError, OSError):
            return None
    return parse_date(str(value or ""))
