"""A commit as mining sees it: its message, and the files that it changed, before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class ChangedText:
    """One file of a commit; a text is empty where the file did not exist."""

    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class CommitChange:
    """A commit with one parent; ``others`` counts changed files whose text was not read."""

    commit: str
    parent: str
    day: date
    message: str
    files: tuple[ChangedText, ...]
    tests: tuple[str, ...] = ()
    others: int = 0

    @property
    def subject(self) -> str:
        return self.message.partition("\n")[0].strip()

    @property
    def before(self) -> Mapping[str, str]:
        return {file.path: file.before for file in self.files}

    @property
    def after(self) -> Mapping[str, str]:
        return {file.path: file.after for file in self.files}
