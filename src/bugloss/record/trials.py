"""An append-only file of trials: kill it anywhere, and what was written before stays good."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from os import SEEK_END
from pathlib import Path
from typing import BinaryIO

from bugloss.core.codec import decode, encode
from bugloss.core.documents import parse_json
from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.foreign_file import read_bytes
from bugloss.core.trial import Trial
from bugloss.core.written_file import without_links

FILE_NAME = "trials.jsonl"
_LARGEST_ARCHIVE = 4_000_000_000  # bytes


class TrialArchive:
    """A folder with one JSON line per trial, safe to append to from several threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()

    @property
    def path(self) -> Path:
        return self.folder / FILE_NAME

    def append(self, trial: Trial) -> None:
        line = json.dumps(encode(trial)) + "\n"  # pure ASCII: no character of a program's output ends a line
        try:
            with self._lock, open(self.path, "ab+", opener=without_links) as lines:
                torn = lines.tell() > 0 and not _ends_a_line(lines)
                lines.write(b"\n" * torn + line.encode())
        except OSError as error:
            message = f"{self.path} cannot be written: {error.strerror}."
            raise EnvironmentFailure(message, hint="Free some space, or choose another folder with -o.") from error

    def __iter__(self) -> Iterator[Trial]:
        """The trials so far; a last line that a kill cut short is passed over."""
        if not self.path.is_file():
            return
        content = read_bytes(self.folder, FILE_NAME, _LARGEST_ARCHIVE)
        for number, line in enumerate(content.split(b"\n"), start=1):
            try:
                data = parse_json(line)
            except ValueError:
                continue
            yield self._decode(data, number)

    def _decode(self, data: object, number: int) -> Trial:
        try:
            return decode(Trial, data)
        except InvalidInput as error:
            raise InvalidInput(f"{self.path}, line {number}: {error.message}", hint=error.hint) from error


def _ends_a_line(file: BinaryIO) -> bool:
    """Whether the file stops where a line does: a kill may have cut the last one short."""
    file.seek(-1, SEEK_END)
    return file.read(1) == b"\n"


def open_archive(folder: Path) -> TrialArchive:
    """The archive in a folder that must have one."""
    archive = TrialArchive(folder)
    if not archive.path.is_file():
        raise InvalidInput(
            f"{folder} contains no recorded runs.", hint=f"bugloss verify -o DIR writes {FILE_NAME} there."
        )
    return archive
