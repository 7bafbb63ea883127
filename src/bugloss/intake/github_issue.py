"""Issues as the GitHub API gives them: https://docs.github.com/rest/issues/issues#get-an-issue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bugloss.core.report import Report, ReportSource
from bugloss.intake.markdown import parse_date

ADDRESS = "https://api.github.com"
BASE_VARIABLE = "BUGLOSS_GITHUB_URL"


def is_issue(data: object) -> bool:
    """Whether parsed JSON is an issue or a pull request."""
    if not isinstance(data, Mapping) or "title" not in data:
        return False
    return "number" in data or "html_url" in data or "repository_url" in data


def parse_issue(data: Mapping[str, Any]) -> Report:
    """The issue; its labels are its tags."""
    labels = data.get("labels")
    names = (item.get("name") if isinstance(item, Mapping) else item for item in labels or ())
    return Report(
        title=str(data["title"]),
        body=str(data.get("body") or "").replace("\r\n", "\n"),
        tags=tuple(str(name) for name in names if name) if isinstance(labels, list) else (),
        created_at=parse_date(str(data.get("created_at") or "")),
        url=str(data.get("html_url") or data.get("url") or ""),
        source=ReportSource.GITHUB,
    )
