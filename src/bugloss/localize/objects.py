"""A repository's object store: what a commit's tree holds, and the content of blobs; nothing is checked out.

Work trees and bare repositories are alike here. Git's own plumbing does the reading; what it complains about becomes an
error of ours in one sentence.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.errors import EnvironmentFailure, InvalidInput

LARGEST_FILE = 1_000_000  # bytes; what is larger is data or generated
_SUBMODULE, _LINK = "160000", "120000"
_HARMLESS = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "-c", "log.showSignature=false")


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A file of a commit."""

    path: str
    blob: str
    size: int


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of one commit; submodules are named, their files lie in repositories of their own."""

    commit: str
    time: int
    files: tuple[TreeFile, ...]
    submodules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Repository:
    """A work tree or a bare repository on this machine."""

    folder: Path

    def run(self, *arguments: str, given: str | None = None) -> str:
        """What a git command prints."""
        done = self._start(arguments, given)
        if done.returncode:
            raise _failure(self.folder, done.stderr.decode(errors="replace"))
        return done.stdout.decode(errors="replace")

    def _start(self, arguments: Sequence[str], given: str | None) -> subprocess.CompletedProcess[bytes]:
        command = ("git", *_HARMLESS, *arguments)
        try:
            return subprocess.run(
                command,
                cwd=self.folder,
                env=_environment(),
                input=given.encode() if given is not None else b"",
                capture_output=True,
                check=False,
            )
        except NotADirectoryError:
            raise InvalidInput(f"{self.folder} is no folder.", hint="Give the folder of a git repository.") from None
        except FileNotFoundError as error:
            if self.folder.is_dir():
                raise EnvironmentFailure("git is not installed.", hint="Install git, then try again.") from error
            raise InvalidInput(
                f"there is no folder {self.folder}.", hint="Give the folder of a git repository."
            ) from None

    def resolve(self, revision: str) -> str:
        """The commit that a branch, tag, number or ``HEAD~3`` names."""
        done = self._start(("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"), None)
        if not done.returncode:
            return done.stdout.decode().strip()
        self.run("rev-parse", "--git-dir")  # says so where this is no repository at all
        if revision == "HEAD":
            raise InvalidInput(f"{self.folder} has no commit yet.", hint="Commit something, or name a commit.")
        hint = "A shallow clone lacks older commits: git fetch --unshallow." if self.is_shallow() else ""
        raise InvalidInput(f"{self.folder} has no commit '{revision}'.", hint=hint)

    def last_before(self, moment: int) -> str:
        """The newest commit on the main line that is older than a moment (seconds since 1970)."""
        found = self.run("rev-list", "--first-parent", "--max-count=1", f"--min-age={moment - 1}", "HEAD").strip()
        if not found:
            raise InvalidInput(f"{self.folder} has no commit that is so old.")
        return found

    def is_shallow(self) -> bool:
        """Whether the clone was cut off at some depth."""
        return self.run("rev-parse", "--is-shallow-repository").strip() == "true"

    def is_dirty(self) -> bool:
        """Whether the work tree has changes that no commit has; a bare repository has none."""
        if self.run("rev-parse", "--is-bare-repository").strip() == "true":
            return False
        return bool(self.run("--no-optional-locks", "status", "--porcelain", "--untracked-files=no").strip())

    def tree(self, commit: str) -> Tree:
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
        time = int(self.run("log", "-1", "--format=%ct", commit).strip())
        return Tree(commit, time, tuple(files), tuple(submodules))

    def contents(self, blobs: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Blob by blob its id and its text; blobs that the store lacks, as in a partial clone, are passed over."""
        wanted = list(blobs)
        for start in range(0, len(wanted), 500):
            yield from self._batch(wanted[start : start + 500])

    def _batch(self, blobs: Sequence[str]) -> Iterator[tuple[str, str]]:
        done = self._start(("cat-file", "--batch"), "\n".join(blobs) + "\n")
        output, at = done.stdout, 0
        while at < len(output):
            end = output.index(b"\n", at)
            head = output[at:end].split()
            at = end + 1
            if len(head) == 3:
                size = int(head[2])
                yield head[0].decode(), output[at : at + size].decode(errors="replace")
                at += size + 1


def _environment() -> dict[str, str]:
    """Git as it is everywhere: English, no questions, no locks, nothing fetched on the way."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or "CONFIG" in name}
    quiet = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}
    return kept | quiet


def _failure(folder: Path, complaint: str) -> InvalidInput:
    if "not a git repository" in complaint:
        return InvalidInput(f"{folder} is no git repository.", hint="Give a work tree or a bare repository.")
    if "dubious ownership" in complaint:
        hint = f"git config --global --add safe.directory {folder.absolute()}"
        return InvalidInput(f"{folder} belongs to another user, and git does not read it.", hint=hint)
    first = next((line for line in complaint.splitlines() if line.strip()), "no reason given")
    return InvalidInput(f"git could not read {folder}: {first.removeprefix('fatal: ')}.")
