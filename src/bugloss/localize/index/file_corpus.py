"""The files of a commit that can be ranked, and everything known about them."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bugloss.core.failure_text import in_one_line
from bugloss.core.garbage import pause_garbage_collection
from bugloss.localize.index.fact_store import FactStore
from bugloss.localize.index.history import History, read_changes, summarise
from bugloss.localize.index.source_facts import SourceFacts, read_source
from bugloss.localize.index.tree_index import TreeIndex, build_index
from bugloss.localize.repository.objects import LARGEST_FILE, CommitTree, Repository, TreeFile

logger = logging.getLogger(__name__)

PYTHON = (".py",)
_TEST = re.compile(
    r"(?:^|/)(?:tests?|unittests?|testing)/|(?:^|/)(?:test_[^/]*|[^/]*_tests?|tests?|conftest)\.\w+$", re.I
)


def is_test(path: str) -> bool:
    """Whether a path is a test's: by its folder or by its name."""
    return bool(_TEST.search(path))


@dataclass(frozen=True, slots=True)
class FileSelection:
    """Which files of a tree are candidates."""

    suffixes: tuple[str, ...] = PYTHON
    tests: bool = False

    def of(self, tree: CommitTree) -> tuple[TreeFile, ...]:
        return tuple(
            file
            for file in tree.files
            if file.path.endswith(self.suffixes)
            and file.size <= LARGEST_FILE
            and (self.tests or not is_test(file.path))
        )

    @property
    def key(self) -> str:
        return f"{','.join(self.suffixes)}:{self.tests}"


@dataclass(frozen=True, slots=True)
class FileCorpus:
    """A commit's candidates with their index and their past."""

    tree: CommitTree
    index: TreeIndex
    history: History
    store: FactStore
    repository: Repository | None = None  # for techniques that read more than the kept facts


@pause_garbage_collection()
def index_tree(repository: Repository, tree: CommitTree, store: FactStore, selection: FileSelection) -> TreeIndex:
    """The index of a tree's candidates, kept by what it was made of."""
    key = f"tree:{tree.commit}:{selection.key}"
    if (kept := store.made(key)) is not None:
        return TreeIndex.from_bytes(kept)
    files = selection.of(tree)
    read_blobs(repository, files, store)
    index = build_index(files, store.outlines(sorted({file.blob for file in files})))
    store.keep(key, index.to_bytes())
    return index


def read_blobs(repository: Repository, files: Iterable[TreeFile], store: FactStore) -> None:
    """Works out the facts of blobs that are not in the store yet."""
    paths = {file.blob: file.path for file in files}
    missing = sorted(set(paths) - store.known("blob", paths))
    batch: list[tuple[str, SourceFacts]] = []
    for blob, facts in _facts(repository, missing, paths):
        batch.append((blob, facts))
        if len(batch) == 500:
            store.add(batch)
            batch = []
    store.add(batch)


def _facts(repository: Repository, blobs: list[str], paths: dict[str, str]) -> Iterator[tuple[str, SourceFacts]]:
    for blob, text in repository.contents(blobs):
        try:
            yield blob, read_source(text, paths[blob])
        except Exception as error:  # ours: the other files are ranked all the same, this one by its name and past
            logger.warning("%s could not be read: %s", paths[blob], in_one_line(error))
            yield blob, read_source("", paths[blob])


def read_history(
    repository: Repository,
    tree: CommitTree,
    index: TreeIndex,
    store: FactStore,
    selection: FileSelection,
    until: int | None = None,
) -> History:
    """The past of a tree's candidates, kept by commit; ``until`` leaves out what came later."""
    key = f"history:{tree.commit}:{selection.key}:{until}"
    if (kept := store.made(key)) is not None:
        return History.from_bytes(kept)
    now = tree.time if until is None else min(until, tree.time)
    history = summarise(read_changes(repository, tree.commit, store), index.paths, now, until)
    store.keep(key, history.to_bytes())
    return history


def read_tree(repository: Repository, commit: str, store: FactStore) -> CommitTree:
    """What a commit holds; kept, because starting git costs more than reading a list."""
    key = f"listing:{commit}"
    if (kept := store.made(key)) is not None:
        time, files, submodules = json.loads(kept)
        return CommitTree(commit, time, tuple(TreeFile(*file) for file in files), tuple(submodules))
    tree = repository.tree(commit)
    files = [[file.path, file.blob, file.size] for file in tree.files]
    store.keep(key, json.dumps([tree.time, files, tree.submodules]).encode())
    return tree


def open_corpus(repository: Repository, commit: str, store: FactStore, selection: FileSelection) -> FileCorpus:
    """Everything about a commit that ranking needs."""
    tree = read_tree(repository, commit, store)
    index = index_tree(repository, tree, store, selection)
    history = read_history(repository, tree, index, store, selection)
    return FileCorpus(tree, index, history, store, repository)
