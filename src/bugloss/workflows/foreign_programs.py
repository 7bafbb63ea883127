"""The files of a foreign bug's programs: from a folder of its benchmark, or from the objects of a clone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bugloss.core.applied_patch import apply_patch, patched_paths
from bugloss.core.bug import Twin
from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.foreign_bug import ForeignBug, ForeignSource, ProgramPlace
from bugloss.core.foreign_file import read_bytes
from bugloss.core.foreign_folder import content_of
from bugloss.core.text_diff import text_diff
from bugloss.corpus.foreign.clones import clone_of
from bugloss.localize.repository.objects import Repository

MOST_FILES, MOST_BYTES = 20_000, 200_000_000
_SKIPPED = {".git", "__pycache__", "node_modules"}


class ForeignBugCannotRun(EnvironmentFailure):
    """A foreign bug that lacks something: a test, its sources, an interpreter."""

    kind = "foreign-bug"


def program_files(source: ForeignSource, bug: ForeignBug, twin: Twin) -> dict[str, bytes]:
    """Every file of one program, by its path."""
    place = bug.buggy if twin is Twin.BUGGY else bug.fixed
    if place.path:
        return _of_folder(Path(source.path), place.path)
    folder = clone_of(source, bug.project)
    if not place.commit or folder is None:
        reasons = bug.obstacles or ("its files name no program",)
        raise ForeignBugCannotRun(f"{bug.id} has no {twin.value} program here: {reasons[-1]}.")
    return _of_clone(Repository(folder), bug, place)


def program_diff(source: ForeignSource, bug: ForeignBug) -> str:
    """The fix, from the buggy to the fixed program; files that are not text are only named."""
    buggy, fixed = (program_files(source, bug, twin) for twin in Twin)
    return "".join(_difference(buggy, fixed, name) for name in sorted({*buggy, *fixed}))


def paths_of_tests(bug: ForeignBug) -> tuple[str, ...]:
    """The files that belong to the tests, where the benchmark says so."""
    patches = bug.buggy.patches
    return (*bug.buggy.test_paths, *(path for patch in patches for path in patched_paths(patch)))


def _of_folder(root: Path, path: str) -> dict[str, bytes]:
    if path.endswith(".py"):
        return {"program.py": read_bytes(root, path)}
    found = content_of(root / path, skip=lambda entry: entry.name in _SKIPPED, most_files=MOST_FILES)
    return {file.name: file.read_bytes() for file, _ in found.files}


def _of_clone(repository: Repository, bug: ForeignBug, place: ProgramPlace) -> dict[str, bytes]:
    files = _of_commit(repository, place.commit)
    if place.test_commit:
        tests = _of_commit(repository, place.test_commit, place.test_paths)
        missing = sorted(set(place.test_paths) - tests.keys())
        if missing:
            raise ForeignBugCannotRun(f"{bug.id} names the test {missing[0]}, which {place.test_commit} does not have.")
        files |= tests
    for patch in place.patches:
        try:
            named = set(patched_paths(patch))
            texts = {name: content.decode("utf-8") for name, content in files.items() if name in named or name in patch}
        except UnicodeDecodeError:
            texts = {name: files[name].decode("utf-8", "replace") for name in patched_paths(patch) if name in files}
        try:
            changed = apply_patch(texts, patch)
        except ValueError as error:
            raise ForeignBugCannotRun(f"a patch of {bug.id} cannot be applied: {error}.") from error
        for name, text in changed.items():
            files.pop(name, None) if text is None else files.update({name: text.encode("utf-8")})
    return files


def _of_commit(repository: Repository, revision: str, names: tuple[str, ...] | None = None) -> dict[str, bytes]:
    tree = repository.tree(repository.resolve(revision))
    chosen = [file for file in tree.files if names is None or file.path in names]
    if len(chosen) > MOST_FILES or sum(file.size for file in chosen) > MOST_BYTES:
        words = f"{len(chosen)} files and {sum(file.size for file in chosen) // 1_000_000} MB"
        raise InvalidInput(f"the commit {revision} of {repository.folder} has {words}, which is too much to run.")
    contents = dict(repository.blobs({file.blob for file in chosen}))
    return {file.path: contents[file.blob] for file in chosen if file.blob in contents}


def _difference(buggy: Mapping[str, bytes], fixed: Mapping[str, bytes], name: str) -> str:
    before, after = buggy.get(name), fixed.get(name)
    if before == after:
        return ""
    old, new = (f"a/{name}" if before is not None else "/dev/null"), (f"b/{name}" if after is not None else "/dev/null")
    try:
        texts = [(content or b"").decode("utf-8") for content in (before, after)]
    except UnicodeDecodeError:
        return f"Binary files {old} and {new} differ\n"
    return f"diff --git a/{name} b/{name}\n{text_diff(texts[0], texts[1], old, new)}"
