"""A repository's object store: what a commit's tree holds, and the content of blobs; nothing is checked out.

Work trees and bare repositories are handled the same way. Git's own plumbing does the reading (``git_view``); its
errors become errors of ours in one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.localize.repository.git_layout import is_plain_file, read_pointer
from bugloss.localize.repository.git_view import GitView, open_view
from bugloss.localize.repository.work_tree import blob_names, is_changed, read_index

LARGEST_FILE = 1_000_000  # bytes; what is larger is data or generated
_SUBMODULE, _LINK = "160000", "120000"


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A file of a commit."""

    path: str
    blob: str
    size: int


@dataclass(frozen=True, slots=True)
class CommitTree:
    """The files of one commit; submodules are named, their files are in repositories of their own."""

    commit: str
    time: int
    files: tuple[TreeFile, ...]
    submodules: tuple[str, ...] = ()


class Repository:
    """A work tree or a bare repository on this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def _view(self) -> GitView:
        return open_view(self.folder)

    def run(self, *arguments: str, given: str | None = None) -> str:
        """What a git command that reads prints."""
        done = self._view.start(arguments, given)
        if done.returncode:
            raise _failure(self.folder, done.stderr.decode(errors="replace"))
        return done.stdout.decode(errors="replace")

    def resolve(self, revision: str) -> str:
        """The commit that a branch, tag, number or ``HEAD~3`` names."""
        named = f"{revision}^{{commit}}"
        done = self._view.start(("rev-parse", "--verify", "--quiet", "--end-of-options", named), None)
        if not done.returncode:
            return done.stdout.decode().strip()
        if revision == "HEAD":
            raise InvalidInput(f"{self.folder} has no commit yet.", hint="Commit something, or pass a commit.")
        hint = "A shallow clone lacks older commits: git fetch --unshallow." if self.is_shallow() else ""
        raise InvalidInput(f"{self.folder} has no commit '{revision}'.", hint=hint)

    def last_before(self, moment: int) -> str:
        """The newest commit on the main line that is older than a moment (seconds since 1970)."""
        found = self.run("rev-list", "--first-parent", "--max-count=1", f"--min-age={moment - 1}", "HEAD").strip()
        if not found:
            raise InvalidInput(f"{self.folder} has no commit that old.")
        return found

    def is_shallow(self) -> bool:
        """Whether the clone was cut off at some depth."""
        return bool(read_pointer(self._view.layout.common / "shallow"))

    def is_partial(self) -> bool:
        """Whether the clone leaves objects on its server until they are asked for."""
        return any((self._view.layout.objects / "pack").glob("*.promisor"))

    def is_dirty(self, tree: CommitTree) -> bool:
        """Whether index or work tree hold other files than a commit; a bare repository has neither."""
        layout = self._view.layout
        if layout.work_tree is None:
            return False
        index = layout.git_folder / "index"
        if not is_plain_file(index):
            return bool(tree.files)
        indexed = index.stat().st_mtime_ns
        listing = self._view.start(("ls-files", "--stage", "--debug", "-z"), None)
        if listing.returncode:
            raise _failure(self.folder, listing.stderr.decode(errors="replace"))
        entries = list(read_index(listing.stdout))
        staged = {(entry.path.decode(errors="replace"), entry.blob, entry.stage) for entry in entries}
        if staged != {(file.path, file.blob, 0) for file in tree.files}:
            return True
        return any(entry.looked_at and is_changed(entry, layout.work_tree, indexed) for entry in entries)

    def holds_changes(self, file: Path, content: bytes) -> bool:
        """Whether a tracked file of the work tree reads otherwise than the last commit has it."""
        top = self._view.layout.work_tree
        if top is None or not file.is_relative_to(top):
            return False
        name = file.relative_to(top).as_posix()
        entry = self.run("ls-tree", "-z", "--full-tree", self.resolve("HEAD"), "--", name).split("\0")[0]
        blob = entry.partition("\t")[0].split()[-1] if entry else ""
        return bool(blob) and blob not in blob_names(content, blob)

    def tree(self, commit: str) -> CommitTree:
        """All files of a commit, read from its tree; links are left out."""
        files, submodules = [], []
        for entry in self.run("ls-tree", "-r", "-l", "-z", "--full-tree", commit).split("\0"):
            facts, _, path = entry.partition("\t")
            if not path:
                continue
            mode, _, blob, size = facts.split()
            if mode == _SUBMODULE:
                submodules.append(path)
            elif mode != _LINK:
                files.append(TreeFile(path, blob, int(size) if size.isdigit() else 0))
        time = int(self.run("rev-list", "--max-count=1", "--timestamp", commit).split()[0])
        return CommitTree(commit, time, tuple(files), tuple(submodules))

    def contents(self, blobs: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Blob by blob its id and its text; blobs that the store lacks, as in a partial clone, are passed over."""
        for blob, content in self.raw_contents(blobs):
            yield blob, content.decode(errors="replace")

    def raw_contents(self, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """The same with the bytes as they are stored."""
        wanted = list(blobs)
        for start in range(0, len(wanted), 500):
            yield from self._batch(wanted[start : start + 500])

    def _batch(self, blobs: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        done = self._view.start(("cat-file", "--batch"), "\n".join(blobs) + "\n")
        output, at = done.stdout, 0
        while at < len(output):
            end = output.index(b"\n", at)
            head = output[at:end].split()
            at = end + 1
            if len(head) == 3:
                size = int(head[2])
                yield head[0].decode(), output[at : at + size]
                at += size + 1


def _failure(folder: Path, error_text: str) -> InvalidInput:
    first = next((line for line in error_text.splitlines() if line.strip()), "no reason given")
    return InvalidInput(f"git could not read {folder}: {first.removeprefix('fatal: ')}.")
