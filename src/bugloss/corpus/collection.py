"""A folder of bugs as a mapping from id to entry. What reads bugs is loaded when one is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bugloss.core.errors import InvalidInput
from bugloss.core.failure_text import in_one_line
from bugloss.corpus.roots import default_root, shipped_root

if TYPE_CHECKING:
    from bugloss.core.bug import Twin
    from bugloss.corpus.entry import Entry
    from bugloss.corpus.register import Retirement, Verified


class Corpus(Mapping[str, "Entry"]):
    """Bugs by id, in order of id; each is read when it is asked for."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folders = {path.parent.name: path.parent for path in sorted(root.glob("*/*/bug.toml"))}
        self._read: dict[str, Entry] = {}

    @cached_property
    def _ledgers(self) -> tuple[dict[str, Retirement], dict[str, Verified]]:
        from bugloss.corpus.register import read_retirements, read_verified

        return read_retirements(self.root), read_verified(self.root)

    @property
    def shipped(self) -> bool:
        """Whether this is the corpus that came with bugloss; the programs of any other corpus are not trusted."""
        return self.root.resolve() == shipped_root().resolve()

    def __getitem__(self, bug_id: str) -> Entry:
        if bug_id not in self._folders:
            from bugloss.core.suggestion import did_you_mean

            hint = did_you_mean(bug_id, self._folders) or "All bugs: bugloss list"
            raise UnknownBug(f"there is no bug '{bug_id}' in {self.root}.", hint=hint)
        if bug_id not in self._read:
            from bugloss.corpus.bug_file import read_bug
            from bugloss.corpus.entry import Entry

            retirements, verified = self._ledgers
            bug = read_bug(self._folders[bug_id])
            self._read[bug_id] = Entry(bug, retirements.get(bug_id), verified.get(bug_id))
        return self._read[bug_id]

    def __contains__(self, bug_id: object) -> bool:
        """Whether there is such a bug, readable or not."""
        return bug_id in self._folders

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._folders))

    def __len__(self) -> int:
        return len(self._folders)

    def readable(self) -> tuple[list[Entry], dict[str, str]]:
        """Every entry that can be read, and what is wrong with each of the others."""
        entries, broken = [], {}
        _ = self._ledgers  # a broken ledger is not a fault of a bug
        for bug_id in self:
            try:
                entries.append(self[bug_id])
            except InvalidInput as error:
                broken[bug_id] = error.message
            except Exception as error:  # whatever one folder does to us, the other bugs are there
                broken[bug_id] = f"{self._folders[bug_id]} cannot be read: {in_one_line(error)}."
        return entries, broken

    def twin(self, name: str) -> tuple[Entry, Twin | None]:
        """Splits ``torch-0003b`` into the bug and the program that its suffix means."""
        from bugloss.core.bug import Twin

        for twin in Twin:
            if name.endswith(twin.letter) and name not in self._folders and name[:-1] in self._folders:
                return self[name[:-1]], twin
        return self[name], None

    def folder(self, bug_id: str) -> Path:
        """Where a bug lies, also when its ``bug.toml`` is broken."""
        if bug_id not in self._folders:
            self[bug_id]
        return self._folders[bug_id]


class UnknownBug(InvalidInput, KeyError):
    """No bug has that id; a KeyError too, because a corpus is a mapping."""

    kind = "unknown-bug"

    __str__ = InvalidInput.__str__


def load(root: Path | str | None = None) -> Corpus:
    """The corpus in that folder, or the one in force here."""
    chosen = Path(root) if root else default_root()
    if not (chosen / "corpus.toml").is_file():
        message = f"{chosen} is not a corpus: it has no corpus.toml."
        raise InvalidInput(message, hint="Set its folder: export BUGLOSS_BUGS=/path")
    return Corpus(chosen)
