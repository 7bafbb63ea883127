"""Reports whose true files are known: read from JSON lines, or imported from published data sets.

One JSON object a line::

    {"id": "ignite-512", "project": "pytorch+ignite", "repository": "ignite.git", "commit": "<parent of the fix>",
     "title": "…", "body": "…", "opened": "2019-04-01T10:00:00Z", "fixed": "2019-04-09T08:00:00Z", "truth": ["a.py"],
     "bug_type": "training", "origin": "intrinsic"}

``repository`` is a folder, taken from where the file lies; the last two are optional.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bugloss.core.errors import InvalidInput

_FORM = "See the head of bugloss/evaluate/subjects.py for the keys."


@dataclass(frozen=True, slots=True)
class Subject:
    """A report, the commit to search, and the files that its fix changed."""

    id: str
    project: str
    repository: Path
    commit: str
    title: str
    body: str
    opened: int
    fixed: int
    truth: tuple[str, ...]
    bug_type: str = ""
    origin: str = ""

    @property
    def names_a_file(self) -> bool:
        """Whether the report names a true file: the name of the file stands somewhere in it."""
        text = f"{self.title}\n{self.body}"
        return any(path.rsplit("/", 1)[-1] in text for path in self.truth)


def read_subjects(path: Path) -> tuple[Subject, ...]:
    """The subjects of a file of JSON lines, packed with gzip or not."""
    return tuple(_each(path, lambda data: _subject(data, path.parent)))


def _each(path: Path, make: Callable[[Mapping[str, Any]], Subject]) -> Iterator[Subject]:
    for number, line in enumerate(_lines(path), 1):
        if line.strip():
            try:
                yield make(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                reason = f"{type(error).__name__}: {error}"
                raise InvalidInput(f"line {number} of {path} is no subject: {reason}.", hint=_FORM) from None


def _lines(path: Path) -> list[str]:
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8", "replace").splitlines()
    except (OSError, EOFError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error


def _subject(data: Mapping[str, Any], folder: Path) -> Subject:
    return Subject(
        id=str(data["id"]),
        project=str(data["project"]),
        repository=folder / str(data["repository"]),
        commit=str(data["commit"]),
        title=str(data["title"]),
        body=str(data.get("body") or ""),
        opened=moment(str(data["opened"])),
        fixed=moment(str(data["fixed"])),
        truth=tuple(str(path) for path in data["truth"]),
        bug_type=str(data.get("bug_type") or ""),
        origin=str(data.get("origin") or ""),
    )


def moment(text: str) -> int:
    """Seconds since 1970; a time without a zone is taken as UTC."""
    found = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())


def import_denchmark(path: Path, repositories: Mapping[str, Path]) -> tuple[Subject, ...]:
    """Denchmark's reports as one JSON object a line; ``repositories`` names the folder of each project's history.

    Searched is the parent of the fix. A true file is a Python file that the fix changed, deleted or moved, under its
    old name; which of them are tests, and which exist in the parent, only the repository tells.
    """

    def make(data: Mapping[str, Any]) -> Subject:
        ends = [moment(data[key]) for key in ("fix_time", "closed") if data.get(key)]
        changed = (file["old_path"] for file in data["files"] if file["change"] in ("MODIFY", "DELETE", "RENAME"))
        truth = tuple(dict.fromkeys(path for path in changed if path and path.endswith(".py")))
        return Subject(
            id=f"{data['project']}#{data['bug_id']}",
            project=data["project"],
            repository=repositories.get(data["project"], Path()),
            commit=f"{data['fix_commit']}~1",
            title=data["title"],
            body=data["description"],
            opened=moment(data["opened"]),
            fixed=max(ends),
            truth=truth,
        )

    return tuple(subject for subject in _each(path, make) if subject.project in repositories and subject.truth)
