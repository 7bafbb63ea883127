"""What a query costs grows with the number of files and not faster; bars stand well above what is measured."""

from __future__ import annotations

from pathlib import Path

from pace import within
from tiny_repository import TinyRepository

from bugloss.core.report import Report
from bugloss.intake.reading import take_apart
from bugloss.localize.answer.ranking import rank
from bugloss.localize.contract import Question
from bugloss.localize.index.fact_store import FactStore
from bugloss.localize.index.file_corpus import FileSelection, open_corpus
from bugloss.localize.question.query import read_query
from bugloss.localize.ranker.ranker import Bugloss
from bugloss.localize.repository.objects import Repository

FILES = 400
BODY = '    """Reads one batch of rows and checks them."""\n    total = len(rows) + offset\n    return [row for row in rows if row]\n'


def made_up(folder: Path) -> Repository:
    repository = TinyRepository.at(folder)
    texts = {
        f"pkg/part{n % 20}/module{n}.py": "".join(f"def load{n}_{m}(rows, offset):\n{BODY}\n\n" for m in range(20))
        for n in range(FILES)
    }
    repository.commit(texts)
    return Repository(repository.folder)


def test_reading_and_asking_stay_cheap(tmp_path: Path) -> None:
    """The bars are several times what both cost on a busy machine."""
    repository = made_up(tmp_path / "library")
    question = Question(read_query(take_apart(Report("load7_3 loses rows", "See pkg/part7/module7.py"))))

    def ask() -> str:
        corpus = open_corpus(
            repository, repository.resolve("HEAD"), FactStore.open(tmp_path / "facts"), FileSelection()
        )
        return rank(corpus, question, Bugloss(), 5).files[0].path

    with within(15):
        assert ask() == "pkg/part7/module7.py"
    with within(4):
        assert ask() == "pkg/part7/module7.py"
