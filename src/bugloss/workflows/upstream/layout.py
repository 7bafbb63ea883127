"""The files of the two programs of an upstream bug, read from the objects of a repository; nothing is checked out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from bugloss.core.bug import Twin, Upstream
from bugloss.core.errors import InvalidInput
from bugloss.localize.repository.objects import Repository

_MOST_FILES, _MOST_BYTES = 2_000, 20_000_000
_LICENCE = re.compile(r"(LICEN[CS]E|COPYING|NOTICE)[.\w-]*", re.IGNORECASE)
_TEST = re.compile(r"(^|/)(tests?/|test_[^/]*$|conftest\.py$|[^/]*_test\.py$)")

Programs = Mapping[Twin, Mapping[str, bytes]]


def read_programs(repository: Repository, upstream: Upstream) -> Programs:
    """The files of both programs by name. They differ only by the files of the fix."""
    before = _chosen(repository, upstream.before, upstream)
    after = _chosen(repository, upstream.fix, upstream)
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    patch = {name for name in changed if _is_of_fix(name, upstream)}
    if not patch:
        raise InvalidInput(f"{upstream.fix[:12]} changes no source file of the program.", hint="See upstream.patch.")
    fixed = {name: blob for name, blob in before.items() if name not in patch}
    fixed |= {name: after[name] for name in patch if name in after}
    contents = dict(repository.blobs(sorted({*before.values(), *fixed.values()})))
    return {
        Twin.BUGGY: _laid_out(before, contents, upstream),
        Twin.FIXED: _laid_out(fixed, contents, upstream),
    }


def _chosen(repository: Repository, commit: str, upstream: Upstream) -> dict[str, str]:
    """Paths of a commit with their blobs: the sources, and the terms under which they may be used."""
    files = [file for file in repository.tree(commit).files if _is_chosen(file.path, upstream)]
    if len(files) > _MOST_FILES or sum(file.size for file in files) > _MOST_BYTES:
        message = f"the sources at {commit[:12]} are more than {_MOST_FILES} files or {_MOST_BYTES // 1_000_000} MB."
        raise InvalidInput(message, hint="Name fewer folders in upstream.sources.")
    for source in upstream.sources:
        if commit == upstream.before and not any(_is_below(file.path, source) for file in files):
            raise InvalidInput(f"the repository has no '{source}' at {commit[:12]}.", hint="See upstream.sources.")
    return {file.path: file.blob for file in files}


def _is_chosen(path: str, upstream: Upstream) -> bool:
    if not path.isprintable():
        return False
    return bool(_LICENCE.fullmatch(path)) or any(_is_below(path, source) for source in upstream.sources)


def _is_below(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place.rstrip('/')}/")


def _is_of_fix(path: str, upstream: Upstream) -> bool:
    if upstream.patch:
        return any(_is_below(path, place) for place in upstream.patch)
    return path.endswith(".py") and not _TEST.search(path)


def _laid_out(files: Mapping[str, str], contents: Mapping[str, bytes], upstream: Upstream) -> dict[str, bytes]:
    """Files under the names that they have in the program; data that are not text stay behind."""
    found: dict[str, bytes] = {}
    for path, blob in files.items():
        if blob not in contents:
            raise InvalidInput(f"the repository lacks the content of {path}.", hint="Fetch it: git fetch --refetch")
        if _is_text(contents[blob]):
            found[_name_in_program(path, upstream.root)] = contents[blob]
    return found


def _name_in_program(path: str, root: str) -> str:
    return PurePosixPath(path).relative_to(root).as_posix() if root and _is_below(path, root) else path


def _is_text(content: bytes) -> bool:
    try:
        return "\0" not in content.decode("utf-8")
    except UnicodeDecodeError:
        return False
