"""Comments on an issue of GitHub: one of ours, found again by its marker and updated instead of repeated.

Only a comment that the same account wrote is updated: anybody can write our marker into a comment of theirs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from http import HTTPStatus
from urllib.parse import urlsplit

from bugloss.core.documents import parse_json
from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.web import NoAnswer, WebQuery, fetch

API = "https://api.github.com"
ACTIONS_ACCOUNT = "github-actions[bot]"  # who writes with the token that a workflow gets
LONGEST_COMMENT = 60_000  # characters; GitHub refuses more than 65,536
_REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]{0,99}/[\w.-]{1,100}")
_SECONDS, _MOST_BYTES, _A_PAGE, _MOST_PAGES = 20.0, 20_000_000, 100, 30


class Written(Enum):
    """What was done with a comment."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class IssueThread:
    """The comments of one issue, and the account and token that write there."""

    repository: str
    number: int
    token: str
    api: str = API
    account: str = ACTIONS_ACCOUNT

    def __post_init__(self) -> None:
        if not _REPOSITORY.fullmatch(self.repository) or self.number <= 0:
            raise InvalidInput(f"'{self.repository}#{self.number}' is not an issue of GitHub.")
        if urlsplit(self.api).scheme not in {"http", "https"}:
            raise InvalidInput(f"'{self.api}' is not the address of GitHub's API.", hint="GITHUB_API_URL sets it.")

    def write(self, marker: str, text: str) -> Written:
        """Writes the comment with that marker, or brings it up to date."""
        body = f"{marker}\n{text[:LONGEST_COMMENT]}"
        known = self.find(marker)
        if known is None:
            self._ask("POST", f"issues/{self.number}/comments", body)
            return Written.CREATED
        number, before = known
        if before.replace("\r\n", "\n").strip() == body.strip():
            return Written.UNCHANGED
        self._ask("PATCH", f"issues/comments/{number}", body)
        return Written.UPDATED

    def find(self, marker: str) -> tuple[int, str] | None:
        """Number and text of our comment."""
        for comment in self._comments():
            user, body = comment.get("user"), comment.get("body")
            login = user.get("login") if isinstance(user, dict) else None
            number = comment.get("id")
            if login == self.account and isinstance(body, str) and body.startswith(marker) and isinstance(number, int):
                return number, body
        return None

    def _comments(self) -> Iterator[dict[str, object]]:
        for page in range(1, _MOST_PAGES + 1):
            found = self._ask("GET", f"issues/{self.number}/comments?per_page={_A_PAGE}&page={page}")
            comments = found if isinstance(found, list) else []
            yield from (comment for comment in comments if isinstance(comment, dict))
            if len(comments) < _A_PAGE:
                return

    def _ask(self, method: str, path: str, body: str | None = None) -> object:
        url = f"{self.api.rstrip('/')}/repos/{self.repository}/{path}"
        headers = {"Accept": "application/vnd.github+json", "Content-Type": "application/json"}
        content = None if body is None else json.dumps({"body": body}).encode()
        query = WebQuery(url, headers, {"Authorization": f"Bearer {self.token}"}, method, content)
        try:
            answer = fetch(query, _SECONDS, _MOST_BYTES)
            if answer.status in {HTTPStatus.OK, HTTPStatus.CREATED}:
                return parse_json(answer.content.decode("utf-8", "replace"))
        except (NoAnswer, ValueError) as error:
            raise EnvironmentFailure(f"GitHub did not respond to {method} {url}: {error}.") from error
        raise EnvironmentFailure(
            f"GitHub answers {method} {url} with status {answer.status}.", hint=_hint(answer.status)
        )


def _hint(status: int) -> str:
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}:
        return "The workflow needs 'permissions: issues: write', and GITHUB_TOKEN its token."
    return ""
