"""A folder of bugs as a mapping from id to entry. What reads bugs is loaded when one is asked for."""

from __future__ import annotations

import os
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
        self._read: dict[str, Entry] = {}

    @cached_property
    def _folders(self) -> dict[str, Path]:
        return {
            bug: self.root / place for bug, places in self._places.items() for place in places if self._is_bug(place)
        }

    @cached_property
    def _places(self) -> dict[str, list[str]]:
        places: dict[str, list[str]] = {}
        for place in self.places():
            places.setdefault(place.rpartition("/")[2], []).append(place)
        return places

    def _is_bug(self, place: str) -> bool:
        return os.path.exists(f"{self.root}/{place}/bug.toml")  # noqa: PTH110 - of thousands

    def _folder_of(self, bug_id: str) -> Path | None:
        """Where one bug lies, if there is such a bug; the others are not looked at."""
        places = [place for place in self._places.get(bug_id, ()) if self._is_bug(place)]
        return self.root / places[-1] if places else None

    def places(self) -> list[str]:
        """Every folder that may be a bug's, such as ``torch/torch-0003``, in order; nothing in them is looked at."""
        frameworks = [entry.name for entry in _folders_in(str(self.root))]
        return sorted(f"{name}/{bug.name}" for name in frameworks for bug in _folders_in(f"{self.root}/{name}"))

    @cached_property
    def _ledgers(self) -> tuple[dict[str, Retirement], dict[str, Verified]]:
        from bugloss.corpus.register import read_retirements, read_verified

        return read_retirements(self.root), read_verified(self.root)

    @property
    def shipped(self) -> bool:
        """Whether this is the corpus that came with bugloss; the programs of any other corpus are not trusted."""
        return self.root.resolve() == shipped_root().resolve()

    def __getitem__(self, bug_id: str) -> Entry:
        folder = self.folder(bug_id)
        if bug_id not in self._read:
            from bugloss.corpus.bug_file import read_bug
            from bugloss.corpus.entry import Entry

            retirements, verified = self._ledgers
            bug = read_bug(folder)
            self._read[bug_id] = Entry(bug, retirements.get(bug_id), verified.get(bug_id))
        return self._read[bug_id]

    def __contains__(self, bug_id: object) -> bool:
        """Whether there is such a bug, readable or not."""
        return isinstance(bug_id, str) and self._folder_of(bug_id) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._folders))

    def __len__(self) -> int:
        return len(self._folders)

    def readable(self) -> tuple[list[Entry], dict[str, str]]:
        """Every entry that can be read, and what is wrong with each of the others."""
        entries, broken = [], {}
        for bug_id in self:
            entry, problem = (self._read[bug_id], "") if bug_id in self._read else self.read_again(bug_id)
            if entry is None:
                broken[bug_id] = problem
            else:
                entries.append(entry)
        return entries, broken

    def read_again(self, bug_id: str) -> tuple[Entry | None, str]:
        """A bug as it is now, or None and what is wrong with it."""
        self._read.pop(bug_id, None)
        _ = self._ledgers  # a broken ledger is not a fault of a bug
        try:
            return self[bug_id], ""
        except InvalidInput as error:
            return None, error.message
        except Exception as error:  # whatever one folder does to us, the other bugs are there
            return None, f"{self._folders[bug_id]} cannot be read: {in_one_line(error)}."

    def twin(self, name: str) -> tuple[Entry, Twin | None]:
        """Splits ``torch-0003b`` into the bug and the program that its suffix means."""
        from bugloss.core.bug import Twin

        for twin in Twin:
            if name.endswith(twin.letter) and name not in self and name[:-1] in self:
                return self[name[:-1]], twin
        return self[name], None

    def id_of(self, name: str) -> str:
        """The bug that a name means, with or without the letter of a program; nothing is read."""
        if name not in self and name[-1:] in {"b", "f"} and name[:-1] in self:
            return name[:-1]
        self.folder(name)
        return name

    def folder(self, bug_id: str) -> Path:
        """Where a bug lies, also when its ``bug.toml`` is broken."""
        folder = self._folder_of(bug_id)
        if folder is None:
            from bugloss.core.suggestion import did_you_mean

            hint = did_you_mean(bug_id, self._folders) or "All bugs: bugloss list"
            raise UnknownBug(f"there is no bug '{bug_id}' in {self.root}.", hint=hint)
        return folder


def _folders_in(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [entry for entry in entries if entry.is_dir()]
    except OSError:
        return []


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
