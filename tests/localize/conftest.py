"""A small library with a history, read into a corpus."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_repository import TinyRepository

from bugloss.core.report import Report
from bugloss.intake.reading import take_apart
from bugloss.localize.index.fact_store import FactStore
from bugloss.localize.index.file_corpus import FileCorpus, FileSelection, open_corpus
from bugloss.localize.question.query import Query, read_query
from bugloss.localize.repository.objects import Repository

FILES = {
    "pkg/__init__.py": "",
    "pkg/trainer.py": "from pkg.loss import focal_loss\n\n\nclass Trainer:\n    def fit_model(self, batches):\n        return focal_loss(batches)\n",
    "pkg/loss.py": 'def focal_loss(predictions):\n    if predictions is None:\n        raise ValueError("predictions must not be empty here")\n    return predictions\n',
    "pkg/data.py": "class ImageLoader:\n    # reads pictures from disk\n    def load_images(self, folder):\n        return folder\n",
    "tests/test_loss.py": "def test_focal_loss():\n    pass\n",
    "README.md": "focal loss",
}


def query_of(title: str, body: str = "") -> Query:
    return read_query(take_apart(Report(title, body)))


@pytest.fixture
def library(tmp_path: Path) -> TinyRepository:
    made = TinyRepository.at(tmp_path / "library")
    made.commit(FILES, "first")
    return made


@pytest.fixture
def open_library(library: TinyRepository) -> Callable[[], FileCorpus]:
    def read() -> FileCorpus:
        repository = Repository(library.folder)
        return open_corpus(repository, repository.resolve("HEAD"), FactStore.open(None), FileSelection())

    return read
