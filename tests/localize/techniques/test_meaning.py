"""The look at meaning, with encoders that are easy to foresee."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from bugloss.core.report import Report
from bugloss.intake.reading import take_apart
from bugloss.localize.answer.ranking import rank
from bugloss.localize.contract import Question
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.question.query import read_query
from bugloss.localize.ranker.ranker import Bugloss
from bugloss.localize.techniques.meaning import WORTH, BuglossMeaning

REPORT = Report("Pictures are read twice", "See https://example.org/x for the log.")


class Encoder:
    """Texts mean the same if they have the marked word; it remembers what it was asked."""

    def __init__(self, *marked: str) -> None:
        self.marked, self.asked = marked, list[str]()

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += texts
        return [[1.0, 0.0] if any(word in text for word in self.marked) else [0.0, 1.0] for text in texts]


@pytest.fixture
def question() -> Question:
    return Question(read_query(take_apart(REPORT)), report=REPORT)


def score_of(corpus: FileCorpus, path: str, scores: Sequence[float]) -> float:
    return scores[corpus.index.paths.index(path)]


def test_a_file_that_means_what_the_report_says_moves_up(
    open_library: Callable[[], FileCorpus], question: Question
) -> None:
    for path, word in (("pkg/trainer.py", "Trainer"), ("pkg/loss.py", "focal loss")):
        corpus = open_library()  # a new one, as vectors are kept
        plain = Bugloss().score(corpus, question)
        corrected = BuglossMeaning(encoder=Encoder(word, "Pictures")).score(corpus, question)
        assert score_of(corpus, path, corrected) > score_of(corpus, path, plain)
        assert score_of(corpus, "pkg/data.py", corrected) < score_of(corpus, "pkg/data.py", plain)


def test_the_correction_is_of_known_size(open_library: Callable[[], FileCorpus], question: Question) -> None:
    # One of four files is alike: deviations of 1.732 for it and -0.577 for the others.
    corpus, technique = open_library(), BuglossMeaning(encoder=Encoder("focal", "Pictures"))
    features = technique.judge(corpus, question).features
    found = technique.reconsidered(corpus, question, features, [0.0] * len(features.files))
    by_path = {corpus.index.paths[file]: one for file, one in zip(features.files, found, strict=True)}
    assert by_path["pkg/data.py"] == pytest.approx(by_path["pkg/__init__.py"])
    assert by_path["pkg/loss.py"] == max(found) and sum(found) == pytest.approx(0)
    assert max(map(abs, found)) <= 1.7321 * WORTH


def test_the_encoder_reads_the_report_the_files_and_their_functions_once(
    open_library: Callable[[], FileCorpus], question: Question
) -> None:
    corpus, encoder = open_library(), Encoder("x")
    first = BuglossMeaning(encoder=encoder).score(corpus, question)
    assert REPORT.title in encoder.asked
    assert "Pictures are read twice. See for the log." in encoder.asked  # links say nothing
    assert any(text.startswith("Image Loader load images: def load_images(self, folder)") for text in encoder.asked)
    assert len(encoder.asked) == len(set(encoder.asked))
    count = len(encoder.asked)
    assert BuglossMeaning(encoder=encoder).score(corpus, question) == first and len(encoder.asked) == count


def test_without_the_reports_text_the_order_stays(open_library: Callable[[], FileCorpus], question: Question) -> None:
    corpus, silent = open_library(), replace(question, report=None)
    assert BuglossMeaning(encoder=Encoder("x")).score(corpus, silent) == Bugloss().score(corpus, silent)


def test_reasons_are_given_as_for_the_plain_ranker(open_library: Callable[[], FileCorpus], question: Question) -> None:
    found = rank(open_library(), question, BuglossMeaning(encoder=Encoder("x")), 3)
    assert found.method == "bugloss-meaning" and any(file.why for file in found.files)
