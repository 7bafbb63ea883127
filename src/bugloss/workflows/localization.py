"""From a report and a repository to the files and functions to open."""

from __future__ import annotations

import logging
import sqlite3
import struct
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from bugloss.core.cache import cache_folder
from bugloss.core.errors import CacheUnusable, InvalidInput
from bugloss.core.failure_text import in_one_line
from bugloss.core.garbage import pause_garbage_collection
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.ranking import RankedFile, RankedFunction, Ranking
from bugloss.core.registry import find
from bugloss.localize.answer.extrinsic import rank_settings
from bugloss.localize.answer.ranking import rank
from bugloss.localize.contract import Question, Technique, leanings
from bugloss.localize.index.fact_store import FactStore
from bugloss.localize.index.file_corpus import PYTHON, FileCorpus, FileSelection, open_corpus
from bugloss.localize.question.earlier import EarlierReport
from bugloss.localize.question.query import read_query
from bugloss.localize.repository.objects import Repository
from bugloss.triage.judgement import triage
from bugloss.workflows.triage import Triaged, read

logger = logging.getLogger(__name__)

_SETTINGS = 5
_MANY_FILES = 20_000
OTHER_SOURCES = (".ipynb", ".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".hpp", ".pyx", ".js", ".ts", ".go", ".java")


@dataclass(frozen=True, slots=True)
class LocalizationRequest:
    """Where to look, and how."""

    repository: Path
    revision: str = "HEAD"
    method: str = "bugloss"
    limit: int = 10
    functions: bool = False
    tests: bool = False
    all_sources: bool = False

    @property
    def selection(self) -> FileSelection:
        """The files that are candidates."""
        return FileSelection(PYTHON + OTHER_SOURCES if self.all_sources else PYTHON, self.tests)


def localize_report(
    given: str,
    search: LocalizationRequest,
    earlier: tuple[EarlierReport, ...] = (),
    *,
    offline: bool = False,
    notify: Callable[[str], None] = lambda text: None,
) -> Ranking:
    """Reads the report that ``given`` names and ranks the repository's files for it."""
    start = time.monotonic()
    reading = read(given, offline=offline)
    ranking = localize_triaged(Triaged(reading, triage(reading)), search, earlier, notify)
    return replace(ranking, seconds=round(time.monotonic() - start, 3))


def check_search(search: LocalizationRequest) -> None:
    """Says at once what is wrong with a repository, a revision or a method, before anything that takes long."""
    find(PluginGroup.TECHNIQUE, Technique, search.method)
    Repository(search.repository).resolve(search.revision)


@pause_garbage_collection()
def localize_triaged(
    triaged: Triaged,
    search: LocalizationRequest,
    earlier: tuple[EarlierReport, ...] = (),
    notify: Callable[[str], None] = lambda text: None,
) -> Ranking:
    """Ranks the repository's files for a report that was triaged."""
    try:
        return _localize(triaged, search, earlier, notify, FactStore.open(facts_folder()))
    except (sqlite3.Error, zlib.error, struct.error, ValueError) as error:
        logger.warning("the stored index cannot be used (%s); this ranking is made without it", in_one_line(error))
        return _localize(triaged, search, earlier, notify, FactStore.open(None))


def _localize(
    triaged: Triaged,
    search: LocalizationRequest,
    earlier: tuple[EarlierReport, ...],
    notify: Callable[[str], None],
    store: FactStore,
) -> Ranking:
    start = time.monotonic()
    chosen = find(PluginGroup.TECHNIQUE, Technique, search.method)
    repository = Repository(search.repository)
    commit = repository.resolve(search.revision)
    notify(f"reading {search.repository} at {commit[:10]}")
    corpus = open_corpus(repository, commit, store, search.selection)
    if not corpus.index.size:
        raise InvalidInput(_nothing_to_rank(search, corpus), hint=_wider(search))
    reading, judged = triaged.reading, triaged.result
    question = Question(read_query(reading), earlier, leanings(judged), reading.report)
    ranking = rank(corpus, question, chosen, search.limit, functions=search.functions)
    outside = judged.origin if judged.origin.extrinsic else None
    settings = rank_settings(repository, corpus.tree, question.query.words, _SETTINGS) if outside else ()
    remarks = tuple(_remarks(repository, search, corpus))
    seconds = round(time.monotonic() - start, 3)
    return replace(ranking, outside=outside, settings=settings, remarks=remarks, seconds=seconds)


def facts_folder() -> Path | None:
    """Below the cache folder; None where this user has none."""
    try:
        return cache_folder() / "localize"
    except CacheUnusable:
        return None


def _nothing_to_rank(search: LocalizationRequest, corpus: FileCorpus) -> str:
    if not corpus.tree.files:
        return f"commit {corpus.tree.commit[:10]} of {search.repository} has no files."
    kind = "source file" if search.all_sources else "Python file"
    which = "" if search.tests else " except tests"
    return f"commit {corpus.tree.commit[:10]} of {search.repository} has no {kind}{which}."


def _wider(search: LocalizationRequest) -> str:
    return "" if search.all_sources else "--all-sources ranks notebooks, C++, CUDA and others too; --tests ranks tests."


def _remarks(repository: Repository, search: LocalizationRequest, corpus: FileCorpus) -> Iterator[str]:
    if repository.is_shallow():
        yield "The clone is shallow: only its part of the history was used (git fetch --unshallow fetches the rest)."
    elif not corpus.history.commits and repository.is_partial():
        yield "The clone is partial and lacks the trees of older commits: files are ranked by their content only."
    elif not corpus.history.commits:
        yield "There is no history before this commit: files are ranked by their content only."
    if search.revision == "HEAD" and repository.is_dirty(corpus.tree):
        yield "The work tree has uncommitted changes, which were not read."
    if corpus.tree.submodules:
        names = ", ".join(corpus.tree.submodules[:3]) + (", …" if len(corpus.tree.submodules) > 3 else "")
        yield f"Submodules were not searched: {names}."
    if corpus.index.size > _MANY_FILES:
        yield f"{corpus.index.size} files: the first ranking takes minutes, later ones seconds."


def document(ranking: Ranking) -> dict[str, object]:
    """The document ``bugloss.ranking/1``."""
    outside = ranking.outside
    return {
        "method": ranking.method,
        "commit": ranking.commit,
        "seconds": ranking.seconds,
        "candidates": ranking.candidates,
        "ranking": [_file(file) for file in ranking.files],
        "functions": [{"path": one.path, **_function(one)} for one in ranking.functions],
        "extrinsic": outside
        and {"kind": outside.kind, "probability": outside.probability, "evidence": outside.evidence},
        "settings": [{"path": file.path, "score": file.score, "why": file.why} for file in ranking.settings],
        "remarks": ranking.remarks,
    }


def _file(file: RankedFile) -> dict[str, object]:
    functions = [_function(one) for one in file.functions]
    return {"path": file.path, "score": file.score, "why": file.why, "functions": functions}


def _function(one: RankedFunction) -> dict[str, object]:
    return {"name": one.name, "line": one.line, "end_line": one.end_line, "score": one.score}
