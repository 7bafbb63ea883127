"""Repairs on disk: one folder each below ``.bugloss/repairs``, named for the content of the program.

<id>/tried.jsonl    every patch with its verdict, as soon as it has one: an interrupted repair goes on from there
<id>/repair.json    the outcome, once there is one
<id>/best.patch     the best patch, for git apply
<id>/backup/        files as they were before a patch was written to them
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from bugloss.core.codec import decode, encode
from bugloss.core.documents import parse_json
from bugloss.core.errors import EnvironmentFailure, FileRefused, InvalidInput
from bugloss.core.foreign_file import read_text
from bugloss.core.patch import TriedPatch
from bugloss.core.visible import json_text
from bugloss.core.written_file import write_inside

REPAIRS = Path(".bugloss", "repairs")
PATCH_FILE = "best.patch"
_TRIED, _DONE = "tried.jsonl", "repair.json"
_LARGEST = 50_000_000


def content_name(stem: str, parts: Mapping[str, str]) -> str:
    """A name that stands for the program and for everything that its repair depends on."""
    digest = hashlib.sha256(json.dumps(sorted(parts.items())).encode()).hexdigest()
    return f"{stem}-{digest[:12]}"


class RepairFolder:
    """The folder of one repair. ``sign`` proves that a verdict is the user's own: the folder may come from anybody."""

    def __init__(self, name: str, sign: Callable[[str], str], root: Path | None = None) -> None:
        self.path = (root or Path.cwd()) / REPAIRS / name
        self._sign = sign
        self._known: dict[str, TriedPatch] = {} if self.outcome() is not None else self._read()

    def recall(self, key: str) -> TriedPatch | None:
        """What became of a patch before the repair was interrupted."""
        return self._known.get(key)

    def keep(self, key: str, tried: TriedPatch) -> None:
        """Remembers a verdict."""
        self._known[key] = tried
        self.write(_TRIED, "".join(map(self._line, self._known)))

    def finish(self, document: Mapping[str, object]) -> None:
        """Writes the outcome; the next repair of the same program starts again."""
        self.write(_DONE, json_text(encode(document), indent=1) + "\n")

    def outcome(self) -> object:
        """The outcome, where the repair came to its end."""
        try:
            return parse_json(read_text(self.path, _DONE, _LARGEST))
        except (FileRefused, ValueError):
            return None

    def write(self, name: str, text: str) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            write_inside(self.path, name, text)
        except OSError as error:
            hint = "Change to a folder that you may write to."
            raise EnvironmentFailure(f"{self.path / name} cannot be written: {error.strerror}.", hint=hint) from error

    def _line(self, key: str) -> str:
        entry = json.dumps([key, encode(self._known[key])])
        return f"{self._sign(entry)} {entry}\n"

    def _read(self) -> dict[str, TriedPatch]:
        try:
            lines = read_text(self.path, _TRIED, _LARGEST).splitlines()
        except FileRefused:
            return {}
        found: dict[str, TriedPatch] = {}
        for line in lines:
            seal, _, entry = line.partition(" ")
            signed = self._sign(entry)
            if not signed or not hmac.compare_digest(seal.encode(), signed.encode()):
                continue  # somebody else's, or torn
            try:
                key, tried = parse_json(entry)
                found[str(key)] = decode(TriedPatch, tried)
            except (ValueError, TypeError, InvalidInput):
                continue  # of another release
        return found
