"""Functions that a fix changed, found again in the tree before it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_repository import TinyRepository

from bugloss.evaluate.subjects import RankedReport, Touched
from bugloss.localize.index.fact_store import FactStore
from bugloss.localize.index.file_corpus import FileCorpus, FileSelection, open_corpus
from bugloss.localize.repository.objects import Repository
from bugloss.localize.techniques.bm25 import Bm25
from bugloss.workflows.function_truth import true_functions
from bugloss.workflows.localization_trial import LocalizationCase, open_cases, predict_functions

SOURCE = """\
class Reader:
    def __init__(self):
        self.rows = []

class Writer:
    def __init__(self):
        self.rows = []

    def save(self):
        def inner():
            return 1
        return inner()
"""
Open = Callable[[], FileCorpus]


@pytest.fixture
def repository(tmp_path: Path) -> TinyRepository:
    made = TinyRepository.at(tmp_path / "library")
    made.commit({"io.py": SOURCE, "other.py": "def pick():\n    return 3\n"})
    return made


@pytest.fixture
def corpus(repository: TinyRepository) -> FileCorpus:
    found = Repository(repository.folder)
    return open_corpus(found, found.resolve("HEAD"), FactStore.open(None), FileSelection())


@pytest.mark.parametrize(
    ("touched", "meant"),
    [
        (Touched("io.py", "save"), ["io.py::Writer.save"]),
        (Touched("io.py", "Writer::save"), ["io.py::Writer.save"]),
        (Touched("io.py", "__init__", (7,)), ["io.py::Writer.__init__"]),
        (Touched("io.py", "__init__", (), 2), ["io.py::Reader.__init__"]),
        (Touched("io.py", "__init__"), []),
        (Touched("io.py", "inner", (11,)), ["io.py::Writer.save"]),
        (Touched("io.py", "added_by_the_fix"), []),
        (Touched("gone.py", "save"), []),
    ],
)
def test_a_function_is_known_by_its_name_and_its_changed_lines(
    corpus: FileCorpus, touched: Touched, meant: list[str]
) -> None:
    assert list(true_functions(corpus, [touched])) == meant


def case_of(repository: TinyRepository, commit: str) -> list[LocalizationCase]:
    subject = RankedReport(
        "1",
        "p",
        repository.folder,
        commit,
        "pick returns 3",
        "",
        10**9,
        10**10,
        ("other.py",),
        functions=(Touched("other.py", "pick"),),
    )
    return list(open_cases([subject], lambda project: FactStore.open(None)))


def test_functions_are_ranked_over_all_files(repository: TinyRepository) -> None:
    (case,) = case_of(repository, "HEAD")
    assert case.true_functions == ("other.py::pick",)
    assert predict_functions(case, Bm25()).ranking[0] == "other.py::pick"


def test_a_commit_can_be_named_by_a_moment(repository: TinyRepository) -> None:
    first, moment = repository.git("rev-parse", "HEAD"), repository.now
    repository.commit({"other.py": "x = 1\n"}, "the fix, at that very moment")
    (case,) = case_of(repository, f"before:{moment}")
    assert case.corpus.tree.commit == first
    assert case_of(repository, "before:5") == []
