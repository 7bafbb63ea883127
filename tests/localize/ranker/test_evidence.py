"""What the first look at all files finds."""

from __future__ import annotations

from collections.abc import Callable

from tiny_repository import TinyRepository

from bugloss.core.report import Report
from bugloss.intake.reading import take_apart
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.question.query import read_query
from bugloss.localize.ranker.evidence import first_look


def test_messages_speak_for_the_files_of_their_commit_alone(
    library: TinyRepository, open_library: Callable[[], FileCorpus]
) -> None:
    """Of a library most of whose files no message with words ever changed: their lengths are not known."""
    library.commit({"pkg/trainer.py": "class Trainer:\n    pass\n"}, "Repair the gradient accumulation of the trainer")
    corpus = open_library()
    found = first_look(corpus, read_query(take_apart(Report("gradient accumulation is wrong", ""))))
    told = dict(zip(corpus.index.paths, found.columns["messages:all"], strict=True))
    assert told["pkg/trainer.py"] > 0
    assert told["pkg/data.py"] == 0
