"""Writes a patch into the user's files, with a backup; uncommitted changes are kept unless the caller forces it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.named_file import read_named
from bugloss.core.patch import TriedPatch
from bugloss.core.written_file import write_inside, write_named
from bugloss.localize.repository.objects import Repository
from bugloss.source.text.source_file import LARGEST_BYTES, encoded_like


@dataclass(frozen=True, slots=True)
class WrittenPatch:
    """The files that were changed, and the folder with their old contents."""

    files: tuple[Path, ...]
    backup: Path


def apply_patch(tried: TriedPatch, root: Path, backup: Path, *, force: bool = False) -> WrittenPatch:
    """Changes every file of the patch, or none."""
    edit = tried.patch.edit
    texts: dict[Path, tuple[bytes, bytes]] = {}
    for name in edit.paths:
        file = (root / name).resolve()
        if not file.is_relative_to(root.resolve()):
            raise InvalidInput(f"{name} is outside {root} and is not changed.")
        old = read_named(file, LARGEST_BYTES)
        if not force:
            _refuse_read_only(file)
            _refuse_changed(file, old)
        texts[file] = (old, _patched(tried, name, file, old))
    return _write(texts, root.resolve(), backup)


def patch_for_git(diff: str, root: Path) -> str:
    """A diff with the line ends of the files that it changes: ``git apply`` compares them."""
    ends, lines = "\n", []
    for line in diff.splitlines():
        if line.startswith("--- a/"):
            ends = "\r\n" if _has_windows_ends(root / line.removeprefix("--- a/")) else "\n"
        is_content = line[:1] in {" ", "+", "-"} and not line.startswith(("--- a/", "+++ b/"))
        lines.append(f"{line}{ends if is_content else chr(10)}")
    return "".join(lines)


def _has_windows_ends(file: Path) -> bool:
    try:
        return b"\r\n" in read_named(file, LARGEST_BYTES)
    except InvalidInput:
        return False


def refuse_unwritable(file: Path) -> None:
    """Raises where a patch file could not be written, before hours are spent on the search."""
    if file.is_dir() or not file.absolute().parent.is_dir():
        raise InvalidInput(f"{file} cannot be written: its folder does not exist, or it is a folder.")


def refuse_uncommitted(file: Path) -> None:
    """Raises where a file would be left alone, before hours are spent on its repair."""
    if file.is_file():
        _refuse_read_only(file)
        _refuse_changed(file.resolve(), read_named(file, LARGEST_BYTES))


def _refuse_read_only(file: Path) -> None:
    """A file that nobody may write to is not replaced by one of the same name."""
    if not file.stat().st_mode & 0o222:
        raise InvalidInput(
            f"{file} is read-only.", hint="Allow writing first (chmod u+w), or write all the same: --force"
        )


def _refuse_changed(file: Path, content: bytes) -> None:
    if has_uncommitted_changes(file, content):
        hint = "Commit or stash them first, or write all the same: --force"
        raise InvalidInput(f"{file} has changes that are not committed.", hint=hint)


def has_uncommitted_changes(file: Path, content: bytes) -> bool:
    """Whether git tracks the file and its last commit has it otherwise; outside of a repository there are none."""
    try:
        return Repository(file.parent).holds_changes(file, content)
    except (InvalidInput, EnvironmentFailure):
        return False


def _patched(tried: TriedPatch, name: str, file: Path, old: bytes) -> bytes:
    text = old.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    if not tried.patch.edit.fits(name, text):
        raise InvalidInput(f"{file} has changed since the patch was made.", hint="Run bugloss repair again.")
    new = encoded_like(old, tried.patch.edit.apply(name, text))
    if new is None:
        raise InvalidInput(f"the patch of {file} cannot be written in the file's own encoding.")
    return new


def _write(texts: dict[Path, tuple[bytes, bytes]], root: Path, backup: Path) -> WrittenPatch:
    written: list[Path] = []
    try:
        backup.mkdir(parents=True, exist_ok=True)
        for file, (old, _) in texts.items():
            write_inside(backup, file.relative_to(root).as_posix(), old)
        for file, (_, new) in texts.items():
            write_named(file, new)
            written.append(file)
    except (OSError, KeyboardInterrupt) as error:
        for file in written:
            write_named(file, texts[file][0])
        if isinstance(error, KeyboardInterrupt):
            raise
        raise EnvironmentFailure(f"the patch cannot be written: {error.strerror}; nothing was changed.") from error
    return WrittenPatch(tuple(texts), backup)
