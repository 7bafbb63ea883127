"""Questions and issues by number, through the real APIs, each fetched once and kept."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bugloss.core.documents import parse_json
from bugloss.core.errors import EnvironmentFailure, InvalidInput, Offline
from bugloss.core.report import Report
from bugloss.intake import github_issue, stack_exchange
from bugloss.intake.text_limits import MOST_BYTES

_SECONDS = 20
_QUESTION = re.compile(r"so:(\d{1,12})")
_ISSUE = re.compile(r"gh:([\w.-]{1,100})/([\w.-]{1,100})#(\d{1,9})")
_TOKEN_VARIABLE = "BUGLOSS_GITHUB_TOKEN"
_BY_HAND = "Save the report as a Markdown file and pass that instead."


def is_reference(given: str) -> bool:
    """Whether a name is a number of ours rather than a file."""
    return given.startswith(("so:", "gh:"))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a report is to be had, and under which name it is kept."""

    url: str
    file: str
    headers: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)  # for that host alone, and only encrypted


@dataclass(frozen=True, slots=True)
class Library:
    """Fetches reports by number; what was fetched once is in ``cache``."""

    cache: Path | None = None
    offline: bool = False

    def fetch(self, reference: str) -> Report:
        """The report of ``so:NUMBER`` or ``gh:OWNER/REPO#NUMBER``."""
        place = _place(reference)
        kept = self._kept(place)
        if kept is None:
            if self.offline:
                raise Offline(f"{reference} is not in the cache, and --offline was given.", hint=_BY_HAND)
            kept = _download(place, reference)
            report = _parse(kept, reference)
            self._keep(place, kept)
            return report
        return _parse(kept, reference)

    def _kept(self, place: _Place) -> bytes | None:
        try:
            return (self.cache / place.file).read_bytes() if self.cache else None
        except OSError:
            return None

    def _keep(self, place: _Place, content: bytes) -> None:
        """Where the cache cannot be written, the next call fetches again."""
        if self.cache is None:
            return
        try:
            self.cache.mkdir(parents=True, exist_ok=True)
            draft = self.cache / f"{place.file}.{os.getpid()}"
            draft.write_bytes(content)
            draft.replace(self.cache / place.file)
        except OSError:
            return


def _place(reference: str) -> _Place:
    if question := _QUESTION.fullmatch(reference):
        base = os.environ.get(stack_exchange.BASE_VARIABLE) or stack_exchange.ADDRESS
        url = f"{base.rstrip('/')}/questions/{question[1]}?site=stackoverflow&filter=withbody"
        return _Place(url, f"so-{question[1]}.json")
    if issue := _ISSUE.fullmatch(reference):
        base = os.environ.get(github_issue.BASE_VARIABLE) or github_issue.ADDRESS
        token = os.environ.get(_TOKEN_VARIABLE)
        headers = {"Accept": "application/vnd.github+json"}
        secrets = {"Authorization": f"Bearer {token}"} if token else {}
        url = f"{base.rstrip('/')}/repos/{issue[1]}/{issue[2]}/issues/{issue[3]}"
        return _Place(url, f"gh-{issue[1]}+{issue[2]}-{issue[3]}.json".lower(), headers, secrets)
    raise InvalidInput(f"'{reference}' is not a report reference.", hint="Write so:NUMBER or gh:OWNER/REPO#NUMBER.")


def _download(place: _Place, reference: str) -> bytes:
    from bugloss.core.web import NoAnswer, WebQuery, fetch  # loaded where a report is fetched: it takes 30 ms

    try:
        query = WebQuery(place.url, {"Accept-Encoding": "gzip", **place.headers}, place.secrets)
        answer = fetch(query, _SECONDS, MOST_BYTES)
    except NoAnswer as error:
        raise Offline(f"{reference} cannot be fetched: {error}.", hint=f"Try again when online. {_BY_HAND}") from None
    if answer.status != 200:
        raise _refused(answer.status, reference)
    return _unpacked(answer.content, reference)


def _unpacked(content: bytes, reference: str) -> bytes:
    if not content.startswith(b"\x1f\x8b"):
        return content
    from bugloss.core.packed import TooLarge, unpack

    try:
        return unpack(content, MOST_BYTES)
    except TooLarge:
        raise EnvironmentFailure(
            f"the response for {reference} is longer than {MOST_BYTES / 1e6:.0f} MB.", hint=_BY_HAND
        ) from None
    except ValueError as error:
        raise EnvironmentFailure(f"the response for {reference} is damaged.", hint="Try again.") from error


def _refused(code: int, reference: str) -> InvalidInput | EnvironmentFailure:
    if code in {404, 410}:
        return InvalidInput(f"{reference} does not exist, or is not public.", hint="Check the number.")
    if code in {400, 401, 403, 429}:
        hint = f"Wait a few minutes, or (GitHub) set {_TOKEN_VARIABLE}. {_BY_HAND}"
        return EnvironmentFailure(f"the server refuses access to {reference} (status {code}).", hint=hint)
    return EnvironmentFailure(f"the server could not return {reference} (status {code}).", hint=_BY_HAND)


def _parse(content: bytes, reference: str) -> Report:
    try:
        data = parse_json(content)
    except (ValueError, RecursionError):
        raise EnvironmentFailure(f"the response for {reference} is not JSON.", hint=_BY_HAND) from None
    if reference.startswith("so:"):
        if not (isinstance(data, Mapping) and data.get("items")):
            raise InvalidInput(f"{reference} does not exist, or is not public.", hint="Check the number.")
        return stack_exchange.parse_question(data)
    if not github_issue.is_issue(data):
        raise EnvironmentFailure(f"the response for {reference} is not an issue.", hint=_BY_HAND)
    return github_issue.parse_issue(data)
