"""From the event of a GitHub workflow to one comment on its issue: read the issue, triage it, write or update."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bugloss.adapters.github import API, IssueThread, Written
from bugloss.core.documents import parse_json
from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.named_file import read_named_text
from bugloss.intake.github_issue import is_issue, parse_issue
from bugloss.intake.reading import take_apart
from bugloss.workflows.triage import Triaged, triage_reading

MARKER = "<!-- bugloss: triage of this issue; this comment is updated when the issue changes -->"
_LARGEST_EVENT = 50_000_000  # bytes; GitHub's own limit is 25 MB
_API, _TOKEN, _EVENT = "GITHUB_API_URL", "GITHUB_TOKEN", "GITHUB_EVENT_PATH"


@dataclass(frozen=True, slots=True)
class IssueEvent:
    """What a workflow's event says: a repository, and an issue of it."""

    repository: str
    number: int
    issue: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CommentOutcome:
    """What became of an event; ``written`` is None where nothing had to be written or was not to be."""

    event: IssueEvent
    triaged: Triaged
    text: str
    written: Written | None = None
    why: str = ""


def read_event(path: Path | None) -> IssueEvent:
    """The event of a file, or of the workflow that runs."""
    if path is None:
        named = os.environ.get(_EVENT)
        if not named:
            raise InvalidInput("no event was given.", hint=f"Pass its file; in a workflow {_EVENT} names it.")
        path = Path(named)
    try:
        document = parse_json(read_named_text(path, _LARGEST_EVENT))
    except ValueError as error:
        raise InvalidInput(f"{path} is not JSON: {error}.") from error
    return _event(document, path)


def _event(document: object, path: Path) -> IssueEvent:
    top = document if isinstance(document, Mapping) else {}
    issue, repository = top.get("issue"), top.get("repository")
    name = repository.get("full_name") if isinstance(repository, Mapping) else None
    if not isinstance(issue, Mapping) or not is_issue(issue) or not isinstance(name, str):
        raise InvalidInput(
            f"{path} is not the event of an issue.", hint="Run this on: issues: types: [opened, edited]."
        )
    number = issue.get("number")
    if not isinstance(number, int) or isinstance(number, bool):
        raise InvalidInput(f"{path} names no number of an issue.")
    return IssueEvent(name, number, issue)


def comment_on(
    event: IssueEvent, render: Callable[[Triaged], str], *, account: str, everything: bool, send: bool
) -> CommentOutcome:
    """Triages the issue and writes the comment; about issues that are not about deep learning only on request."""
    triaged = triage_reading(take_apart(parse_issue(event.issue)))
    outcome = CommentOutcome(event, triaged, render(triaged))
    if "pull_request" in event.issue:
        return _left(outcome, "it is a pull request")
    if not send:
        return outcome
    thread = _thread(event, account)
    if not triaged.result.deep_learning and not everything and thread.find(MARKER) is None:
        return _left(outcome, "it is not about deep learning")
    return CommentOutcome(event, triaged, outcome.text, thread.write(MARKER, outcome.text))


def _left(outcome: CommentOutcome, why: str) -> CommentOutcome:
    return CommentOutcome(outcome.event, outcome.triaged, outcome.text, None, why)


def _thread(event: IssueEvent, account: str) -> IssueThread:
    token = os.environ.get(_TOKEN, "")
    if not token:
        raise EnvironmentFailure(f"{_TOKEN} is not set.", hint="Pass the token of the workflow: ${{ github.token }}.")
    return IssueThread(event.repository, event.number, token, os.environ.get(_API) or API, account)
