"""Provides the programs of upstream bugs: from the cache, else from a mirror, else from the public address."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from bugloss.core.bug import Upstream
from bugloss.core.cache import cache_errors, writable
from bugloss.core.errors import EnvironmentFailure, Offline, SourcesMissing
from bugloss.core.written_file import write_inside
from bugloss.corpus.entry import Entry
from bugloss.corpus.unified_diff import bug_files
from bugloss.corpus.upstream_program import OWN_FILES, program_place
from bugloss.localize.repository.objects import Repository
from bugloss.workflows.upstream.clone import clone, contains
from bugloss.workflows.upstream.layout import Programs, read_programs
from bugloss.workflows.upstream.mirror import copies_of, mirror_folder

Notify = Callable[[str], None]


def provide_sources(
    entry: Entry, *, mirror: Path | None = None, offline: bool = False, notify: Notify = lambda text: None
) -> None:
    """Lays out both programs of an upstream bug where they are not yet; of another bug they are there.

    Raises ``SourcesMissing`` where the repository can neither be found nor cloned.
    """
    upstream = entry.bug.upstream
    if upstream is None or entry.at_hand:
        return
    place = program_place(entry.bug, upstream)
    programs = read_programs(_repository(entry, upstream, mirror_folder(mirror), offline, notify), upstream)
    with cache_errors(place):
        _write(place, programs, entry)


def provide_all(
    entries: Iterable[Entry], *, mirror: Path | None = None, offline: bool = False, notify: Notify = lambda text: None
) -> dict[str, str]:
    """Does so for many; returns the bugs whose sources cannot be had, and why. An address is tried once."""
    refused: dict[str, str] = {}
    unreachable: dict[str, str] = {}
    for entry in entries:
        address = entry.bug.upstream.repository if entry.bug.upstream else ""
        try:
            provide_sources(entry, mirror=mirror, offline=offline or address in unreachable, notify=notify)
        except EnvironmentFailure as error:
            refused[entry.id] = unreachable.setdefault(address, f"{error.message} {error.hint}".strip())
    return refused


def fix_if_at_hand(entry: Entry, *, mirror: Path | None = None, offline: bool = False) -> tuple[str | None, str]:
    """The fix of a bug; None and why where the sources of its repository cannot be had."""
    try:
        provide_sources(entry, mirror=mirror, offline=offline)
    except SourcesMissing as error:
        return None, f"{error.message} {error.hint}"
    return entry.diff(), ""


def _repository(entry: Entry, upstream: Upstream, mirror: Path | None, offline: bool, notify: Notify) -> Repository:
    commits = (upstream.before, upstream.fix)
    for copy in copies_of(upstream.repository, mirror) if mirror is not None else ():
        if contains(copy, commits):
            return Repository(copy)
    if not offline:
        notify(f"{entry.id}: cloning {upstream.repository}")
    try:
        return clone(upstream.repository, commits, offline=offline)
    except Offline as error:
        looked = f", and {mirror} has no copy of it" if mirror is not None else ""
        hint = "Name a folder with a copy of the repository: --mirror DIR, or export BUGLOSS_MIRROR=/path"
        raise SourcesMissing(f"{error.message.rstrip('.')}{looked}.", hint=hint) from error


def _write(place: Path, programs: Programs, entry: Entry) -> None:
    """Written beside its place and moved there whole, so that nobody finds half a program."""
    own = {file.name: file.read_bytes() for file, _ in bug_files(entry.bug.folder / OWN_FILES).files}
    draft = Path(tempfile.mkdtemp(prefix=".", dir=writable(place.parent)))
    try:
        draft.chmod(0o755)
        for twin, files in programs.items():
            (draft / twin.value).mkdir()
            for name, content in {**files, **own}.items():
                write_inside(draft / twin.value, name, content)
        with suppress(FileExistsError):
            os.rename(draft, place)  # noqa: PTH104 - rename() would return a path that nobody needs
    except OSError:
        if not place.is_dir():
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
