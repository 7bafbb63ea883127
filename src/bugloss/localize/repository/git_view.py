"""The one place that starts git. It reads the objects and refs of a repository, never its configuration.

A repository's own configuration names programs: filters, hooks, monitors, pagers, diff drivers, commands that fetch.
Git is therefore started on a git folder of ours, with a configuration of ours, that borrows objects and refs from the
repository; only commands that read, and with variables of ours alone. Nothing is fetched: the folder has no remotes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.errors import EnvironmentFailure
from bugloss.localize.repository.git_layout import Layout, borrowed_by_the_user, find_layout, is_plain_file, read_head

READING = frozenset(["cat-file", "diff-tree", "ls-files", "ls-tree", "rev-list", "rev-parse"])

# Data that git keeps to be quicker (commit graphs, indexes over packs) are left alone: they may lie.
_CONFIGURATION = """\
[core]
\trepositoryformatversion = {version}
\tbare = true
\tquotePath = false
\tcommitGraph = false
\tmultiPackIndex = false
\tfsmonitor = false
\thooksPath = /dev/null
\tattributesFile = /dev/null
\tpager = cat
[protocol]
\tallow = never
[extensions]
\tobjectFormat = {object_format}
"""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class GitView:
    """A repository as git is shown it."""

    layout: Layout
    folder: Path

    def start(self, arguments: tuple[str, ...], given: str | None) -> subprocess.CompletedProcess[bytes]:
        """Runs one of the commands that read."""
        if arguments[0] not in READING:
            raise ValueError(f"git {arguments[0]} does more than read objects")
        try:
            return subprocess.run(
                ("git", *arguments),
                cwd=self.folder,
                env=self._variables(),
                input=given.encode() if given is not None else b"",
                capture_output=True,
                check=False,
            )
        except FileNotFoundError as error:
            raise EnvironmentFailure("git is not installed.", hint="Install git, then try again.") from error

    def _variables(self) -> Mapping[str, str]:
        """All that git gets to see of this process's variables is where programs lie."""
        nowhere = str(self.folder)
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "LC_ALL": "C",
            "HOME": nowhere,
            "XDG_CONFIG_HOME": nowhere,
            "GIT_DIR": nowhere,
            "GIT_OBJECT_DIRECTORY": str(self.layout.objects),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.pathsep.join(borrowed_by_the_user()),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
        }


def open_view(folder: Path) -> GitView:
    """The view of the repository in a folder; its scratch folder goes with it."""
    layout = find_layout(folder)
    try:
        scratch = Path(tempfile.mkdtemp(prefix="bugloss-git-"))
        view = GitView(layout, scratch)
        weakref.finalize(view, _remove, scratch, os.getpid())
        _fill_view(scratch, layout)
    except OSError as error:
        raise EnvironmentFailure(
            f"no temporary folder can be created in {tempfile.gettempdir()}: {error.strerror}.",
            hint="Free some space there, or set another folder: export TMPDIR=/path",
        ) from error
    return view


def _fill_view(scratch: Path, layout: Layout) -> None:
    version = 0 if layout.object_format == "sha1" else 1
    text = _CONFIGURATION.format(version=version, object_format=layout.object_format)
    (scratch / "config").write_text(text if version else text.partition("[extensions]")[0])
    (scratch / "HEAD").write_text(f"{read_head(layout.git_folder)}\n")
    (scratch / "refs").symlink_to(layout.common / "refs")
    for name in ("packed-refs", "shallow"):
        _borrow(scratch / name, layout.common / name)
    for name in os.listdir(layout.git_folder):
        # ORIG_HEAD and its like, which revisions may name; the index, and the part that a split one shares
        if name.endswith("_HEAD") or name.startswith("sharedindex.") or name == "index":
            _borrow(scratch / name, layout.git_folder / name)
    if (layout.common / "logs").is_dir():  # for revisions like HEAD@{1}
        (scratch / "logs").mkdir()
        _borrow(scratch / "logs" / "HEAD", layout.git_folder / "logs" / "HEAD")
        (scratch / "logs" / "refs").symlink_to(layout.common / "logs" / "refs")


def _borrow(link: Path, file: Path) -> None:
    if is_plain_file(file):
        link.symlink_to(file)


def _remove(scratch: Path, owner: int) -> None:
    """Only the process that made the folder removes it: a child that was forked shares it."""
    if os.getpid() == owner:
        shutil.rmtree(scratch, ignore_errors=True)
