"""An append-only file of trials: kill it anywhere, and what was written before stays good."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

from bugloss.core.codec import decode, encode
from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.trial import Trial

FILE_NAME = "trials.jsonl"


class TrialArchive:
    """A folder with one JSON line per trial, safe to append to from several threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()

    @property
    def path(self) -> Path:
        return self.folder / FILE_NAME

    def append(self, trial: Trial) -> None:
        line = json.dumps(encode(trial), ensure_ascii=False)
        try:
            with self._lock, self.path.open("a", encoding="utf-8") as lines:
                lines.write(line + "\n")
        except OSError as error:
            raise EnvironmentFailure(
                f"{self.path} cannot be written: {error.strerror}.", hint="Make room, or choose another folder with -o."
            ) from error

    def __iter__(self) -> Iterator[Trial]:
        """The trials so far; a last line that a kill cut short is passed over."""
        if not self.path.is_file():
            return
        for line in self.path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                data = json.loads(line)
            except ValueError:
                continue
            yield decode(Trial, data)


def open_archive(folder: Path) -> TrialArchive:
    """The archive in a folder that must have one."""
    archive = TrialArchive(folder)
    if not archive.path.is_file():
        raise InvalidInput(
            f"{folder} holds no recorded runs.", hint=f"bugloss verify -o DIR leaves a {FILE_NAME} there."
        )
    return archive
