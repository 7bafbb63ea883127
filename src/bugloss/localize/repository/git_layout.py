"""Where the parts of a repository lie. A repository may have come from anywhere: what it says about itself is checked.

Git follows what a repository names: ``.git`` files, ``commondir``, ``core.worktree``, alternates, links. Here a pointer
out of the repository is followed only where the other side points back, as for linked work trees and submodules.
Nothing but plain files and folders counts as a part, so that no FIFO keeps git waiting.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.errors import InvalidInput

_LARGEST_POINTER = 1_000_000  # bytes of HEAD, config and the like: no real one comes near
_HEADER = re.compile(r'\s*\[\s*([\w.-]+)(?:\s+"[^"]*")?\s*\]')
_SETTING = re.compile(r"\s*([A-Za-z][\w-]*)\s*=\s*([^#;]*)")
_GIVE = "Pass a work tree or a bare repository."


@dataclass(frozen=True, slots=True)
class Layout:
    """The folder with HEAD and the index, the one with objects and refs (the same, but for linked work trees)."""

    git_folder: Path
    common: Path
    work_tree: Path | None
    object_format: str = "sha1"

    @property
    def objects(self) -> Path:
        return self.common / "objects"


def find_layout(folder: Path) -> Layout:
    """The repository that a folder is, or is part of."""
    if not folder.is_dir():
        message = f"{folder} is not a folder." if folder.exists() else f"there is no folder {folder}."
        raise InvalidInput(message, hint="Pass the folder of a git repository.")
    start = folder.resolve()
    for place in (start, *start.parents):
        found = _git_folder_of(place)
        if found is not None:
            return _layout(found, place)
        if _is_git_folder(place):
            return _layout(place, None)
    raise InvalidInput(f"{folder} is not a git repository.", hint=_GIVE)


def read_pointer(path: Path) -> str | None:
    """The text of a small plain file; None where there is none."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        return file.read(_LARGEST_POINTER).decode(errors="replace")


def is_plain_file(path: Path) -> bool:
    """Whether this is a file itself, not a link, a FIFO or a device."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _is_plain_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def _is_git_folder(folder: Path) -> bool:
    has_store = _is_plain_folder(folder / "objects") and _is_plain_folder(folder / "refs")
    return (has_store or is_plain_file(folder / "commondir")) and read_head(folder) is not None


def read_head(git_folder: Path) -> str | None:
    """What HEAD says, a ref or a commit; None where it says neither."""
    path = git_folder / "HEAD"
    text = f"ref: {path.readlink()}" if path.is_symlink() else read_pointer(path) or ""
    is_head = re.fullmatch(r"ref:\s*refs/[^\s\0]+|[0-9a-f]{40}|[0-9a-f]{64}", text.strip())
    return is_head[0] if is_head else None


def _git_folder_of(work_tree: Path) -> Path | None:
    """The git folder behind ``.git``: itself, or what it points to if that points back."""
    named = work_tree / ".git"
    if _is_plain_folder(named):
        return named if _is_git_folder(named) else None
    if named.is_symlink():
        target = named.resolve()
    elif (text := read_pointer(named)) and text.startswith("gitdir:"):
        target = (work_tree / text.removeprefix("gitdir:").strip()).resolve()
    else:
        return None
    if not _is_git_folder(target):
        raise InvalidInput(f"{named} points to {target}, which is not a git folder.", hint=_GIVE)
    if work_tree not in set(_named_by(target)):
        raise InvalidInput(
            f"{named} points to {target}, which does not point back.", hint=f"To read that repository: --repo {target}"
        )
    return target


def _named_by(git_folder: Path) -> Iterator[Path]:
    """The work trees that a git folder says it belongs to."""
    back = read_pointer(git_folder / "gitdir")
    if back:
        yield (git_folder / back.strip()).resolve().parent
    for name in ("config", "config.worktree"):
        place = read_settings(git_folder / name).get("core.worktree")
        if place:
            yield (git_folder / place).resolve()


def read_settings(path: Path) -> dict[str, str]:
    """The plain settings of a configuration file, ``core.bare`` and so on; nothing that it includes."""
    settings: dict[str, str] = {}
    section = ""
    for line in (read_pointer(path) or "").splitlines():
        header = _HEADER.match(line)
        if header:
            section = header[1].lower()
        setting = _SETTING.match(line[header.end() :] if header else line)
        if setting:
            settings[f"{section}.{setting[1].lower()}"] = setting[2].strip().strip('"')
    return settings


def _layout(git_folder: Path, work_tree: Path | None) -> Layout:
    common = _common_folder(git_folder)
    settings = read_settings(common / "config")
    if settings.get("extensions.refstorage", "files") != "files":
        hint = "Convert it: git refs migrate --ref-format=files"
        raise InvalidInput(f"{common} keeps its refs in a format that bugloss does not read.", hint=hint)
    _require_plain(common)
    _refuse_borrowed_objects(common / "objects")
    object_format = "sha256" if settings.get("extensions.objectformat", "").lower() == "sha256" else "sha1"
    return Layout(git_folder, common, work_tree, object_format)


def _common_folder(git_folder: Path) -> Path:
    """Linked work trees are in ``worktrees/NAME`` of the folder that they share; no other may name one."""
    named = read_pointer(git_folder / "commondir")
    if named is None:
        return git_folder
    common = (git_folder / named.strip()).resolve()
    if git_folder.resolve().parent != common / "worktrees" or not _is_git_folder(common):
        raise InvalidInput(f"{git_folder} names {common} as its repository, but is not a work tree of it.", hint=_GIVE)
    return common


def _require_plain(common: Path) -> None:
    """Objects and refs are plain files in plain folders: a link leads elsewhere, and a FIFO never answers."""
    for odd in (*_odd_entries(common / "objects"), *_odd_entries(common / "refs")):
        raise InvalidInput(f"{odd} is neither a file nor a folder, so it is not a git object or ref.")


def _odd_entries(folder: Path | str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _odd_entries(entry.path)
            elif not entry.is_file(follow_symlinks=False):
                yield entry.path


def _refuse_borrowed_objects(objects: Path) -> None:
    """Alternates are other object stores of this machine: read only where the user has named them to git."""
    listed = (read_pointer(objects / "info" / "alternates") or "").splitlines()
    named = {Path(place).resolve() for place in borrowed_by_the_user()}
    for line in listed:
        place = (objects / line).resolve()
        if line and not line.startswith("#") and place not in named:
            hint = f"Copy them: git repack -a -d. Or allow it: export GIT_ALTERNATE_OBJECT_DIRECTORIES={place}"
            raise InvalidInput(f"{objects.parent} borrows objects from {place}.", hint=hint)


def borrowed_by_the_user() -> list[str]:
    """The object stores in git's own variable."""
    named = os.environ.get("GIT_ALTERNATE_OBJECT_DIRECTORIES", "")
    return [place for place in named.split(os.pathsep) if place]
