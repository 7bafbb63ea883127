"""BuGL's published layout: a JSON file a repository, with the issues that pull requests closed.

Muvva, Rao and Chimalakonda, BuGL: A Cross-Language Dataset for Bug Localization (2020). Each file has ``open_issues``
and ``closed_issues``, both objects of numbered issues; of the closed ones those count that a merged pull request fixed.
Only the moment of the merge is known and no commit, so the newest commit on the main line before it is searched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bugloss.core.documents import parse_json
from bugloss.core.errors import InvalidInput
from bugloss.core.foreign_file import read_text
from bugloss.core.json_lines import parse_time
from bugloss.core.named_file import LARGEST_DATA
from bugloss.evaluate.subjects import BEFORE, TRADITIONAL, RankedReport

_ADDRESS = re.compile(r"github\.com/([\w.-]+)/([\w.-]+)/issues/(\d+)")
_ARROW = "→"  # between the two names of a renamed file
Finder = Callable[[str], Path | None]


def is_bugl(folder: Path) -> bool:
    """Whether a folder has files of this layout, judged by a file's first key."""
    return any('"closed_issues"' in _text(path) for path in sorted(folder.glob("*.json"))[:3])


def import_bugl(folder: Path, find: Finder) -> tuple[RankedReport, ...]:
    """The reports of the repositories whose history is there: ``find`` returns where that of ``owner+name`` lies."""
    return tuple(subject for path in sorted(folder.glob("*.json")) for subject in _file(path, find))


def _text(path: Path) -> str:
    return read_text(path.parent, path.name, LARGEST_DATA, errors="replace")


def _file(path: Path, find: Finder) -> Iterator[RankedReport]:
    try:
        issues = parse_json(_text(path)).get("closed_issues") or {}
        for issue in issues.values():
            subject = _subject(issue, find)
            if subject is not None and subject.truth:
                yield subject
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise InvalidInput(f"{path} does not have the layout of BuGL: {reason}.") from None


def _subject(issue: Mapping[str, Any], find: Finder) -> RankedReport | None:
    """None where no merged pull request closed the issue, or its repository has no history here."""
    address = _ADDRESS.search(issue["issue_url"])
    if address is None or not issue.get("files_changed") or not issue.get("issue_fixed_time"):
        return None
    project = f"{address[1]}+{address[2]}"
    repository = find(project)
    if repository is None:
        return None
    fixed = parse_time(issue["issue_fixed_time"])
    paths = dict.fromkeys(_path(words) for words in issue["files_changed"])
    return RankedReport(
        id=f"{project}#{address[3]}",
        project=project,
        repository=repository,
        commit=f"{BEFORE}{fixed}",
        title=issue["issue_summary"],
        body=issue.get("issue_description") or "",
        opened=parse_time(issue["issue_reporting_time"]),
        fixed=fixed,
        truth=tuple(path for path in paths if path.endswith(".py")),
        system=TRADITIONAL,
    )


def _path(words: Sequence[str]) -> str:
    """Words as the page of a pull request shows them: how many lines changed, then the path, or the old one first."""
    named = [word for word in words if word and not word.isdigit() and word not in ("+", "−", "-", "BIN")]
    return named[named.index(_ARROW) - 1] if _ARROW in named[1:] else named[-1] if named else ""
