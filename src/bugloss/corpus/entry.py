"""One bug of the corpus with everything in its folder."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from bugloss.core.bug import Bug, Oracle, Status, Twin
from bugloss.core.errors import FileRefused, InvalidInput
from bugloss.core.foreign_file import ForeignFile, read_text
from bugloss.core.python_text import imported_modules
from bugloss.corpus.oracle_call import parse, read_measurement
from bugloss.corpus.register import Retirement, Verified
from bugloss.corpus.roots import shipped_root
from bugloss.corpus.unified_diff import bug_files, unified_diff
from bugloss.corpus.upstream_program import OWN_FILES, identity_of, program_of, program_place
from bugloss.stacks.stack import Stack, load_stack


@dataclass(frozen=True, slots=True)
class Entry:
    """A bug, what the ledgers say about it, and the doors to its report, programs and test."""

    bug: Bug
    retirement: Retirement | None = None
    verified: Verified | None = None

    @property
    def id(self) -> str:
        return self.bug.id

    @property
    def status(self) -> Status:
        return self.retirement.status if self.retirement else Status.ACTIVE

    @property
    def report(self) -> str:
        """What the reporter saw."""
        return self._read("report.md")

    @property
    def shipped(self) -> bool:
        """Whether its programs came with bugloss; those of another corpus or of a repository are not trusted."""
        return self.bug.upstream is None and self.bug.folder.resolve().is_relative_to(shipped_root().resolve())

    @property
    def stack(self) -> Stack:
        """The bug's stack with the bug's own pins."""
        return load_stack(self.bug.stack).with_pins(self.bug.pins, self.bug.from_source)

    @property
    def test_text(self) -> str:
        """The bug's own test."""
        return self._read("test.py")

    @property
    def test_file(self) -> ForeignFile:
        return ForeignFile(self.bug.folder, "test.py")

    @property
    def oracle(self) -> Oracle:
        """What counts as failing, with the bound that the bug's own test states."""
        text, stated = self.test_text, self.bug.oracle
        try:
            return replace(stated, measurement=read_measurement(text, stated.kind))
        except InvalidInput as error:
            hint = f"bugloss lint {self.bug.id}"
            raise InvalidInput(f"the test.py of {self.bug.id} {error.message}.", hint=hint) from error

    @property
    def installed_modules(self) -> tuple[str, ...]:
        """What the bug's test imports and the bug's own programs do not contain: no other program can replace it."""
        names = (file.name for twin in Twin for file, _ in bug_files(self.program(twin)).files)
        own = {name.split("/")[0].removesuffix(".py") for name in names}
        return tuple(sorted(imported_modules(parse(self.test_text)) - own - {"oracle"}))

    def program(self, twin: Twin | str) -> Path:
        """The folder of one program. Raises ``SourcesMissing`` where the sources of a repository are not here yet."""
        if self.bug.upstream is not None:
            return program_of(self.bug, self.bug.upstream, as_twin(twin))
        return self.own_program(twin)

    def own_program(self, twin: Twin | str) -> Path:
        """What the bug's own folder contains of a program: all, or what is added to the sources of a repository."""
        return self.bug.folder / (OWN_FILES if self.bug.upstream is not None else as_twin(twin).value)

    @property
    def at_hand(self) -> bool:
        """Whether both programs can be read now."""
        return self.bug.upstream is None or program_place(self.bug, self.bug.upstream).is_dir()

    def diff(self, root: str = "") -> str:
        """The fix; of files below ``root``, which ends with a slash, where the program is part of a repository."""
        try:
            labels = (f"a/{root}".rstrip("/"), f"b/{root}".rstrip("/"))
            return unified_diff(self.program(Twin.BUGGY), self.program(Twin.FIXED), labels)
        except UnicodeDecodeError as error:
            hint = f"bugloss lint {self.bug.id}"
            raise InvalidInput(f"{self.bug.id} has a program that is not UTF-8 text.", hint=hint) from error

    def digest(self) -> str:
        """The content of everything that can change the outcome of the test."""
        content = hashlib.sha256(repr((sorted(self.stack.packages), self.bug.oracle)).encode())
        parts = {"test.py": self.test_text.encode()}
        if self.bug.upstream is not None:  # commits are digests of what they contain
            parts |= {f"{OWN_FILES}/{identity_of(self.bug, self.bug.upstream)}": b""}
        for twin in Twin if self.bug.upstream is None else ():
            found = bug_files(self.program(twin)).files
            parts |= {f"{twin.value}/{file.name}": file.read_bytes() for file, _ in found}
        for name, part in sorted(parts.items()):
            content.update(f"{name}\0{len(part)}\0".encode() + part)
        return content.hexdigest()[:16]

    def _read(self, name: str) -> str:
        try:
            return read_text(self.bug.folder, name)
        except FileRefused as error:
            raise InvalidInput(f"{self.bug.id} has no readable {name}.", hint=f"bugloss lint {self.bug.id}") from error


def as_twin(twin: Twin | str) -> Twin:
    """A program by name (``buggy``) or by letter (``b``)."""
    if isinstance(twin, Twin):
        return twin
    for known in Twin:
        if twin in {known.value, known.letter}:
            return known
    raise InvalidInput(f"a bug has no program '{twin}'.", hint="Known: buggy (b), fixed (f).")
