"""DNNLOC's parts against values worked out by hand."""

from __future__ import annotations

import math

import pytest

from bugloss.localize.contract import Question
from bugloss.localize.index.fact_store import FactStore, Outline
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.index.history import History, PathHistory
from bugloss.localize.index.postings import packed_counts
from bugloss.localize.index.tree_index import build_index
from bugloss.localize.neural.association import WordAssociation
from bugloss.localize.neural.perceptron import Perceptron
from bugloss.localize.question.earlier import EarlierReport, collaborative
from bugloss.localize.question.query import Query
from bugloss.localize.repository.objects import CommitTree, TreeFile
from bugloss.localize.techniques.dnnloc import DnnLoc, Weights, features, load_weights, named_class, recency

NOW = 2_000_000_000
MONTH = 30 * 86_400
NOTHING: dict[str, int] = {}


def query(names: frozenset[str] = frozenset(), **title: int) -> Query:
    empty: frozenset[str] = frozenset()
    return Query(title, {}, {}, (), (), (), (), names, empty, empty, empty, (), frozenset(), frozenset())


def corpus(history: History = History()) -> FileCorpus:
    """a.py's code says "gpu" twice, and its comment "disk"; b.py's code says "disk" and defines the class DiskReader."""
    files = (TreeFile("a.py", "1" * 40, 9), TreeFile("b.py", "2" * 40, 9))
    fields = (
        (NOTHING, NOTHING, {"gpu": 2}, {"disk": 1}),
        (NOTHING, NOTHING, {"disk": 1}, NOTHING),
    )
    names: tuple[tuple[tuple[str, bool], ...], ...] = ((), (("DiskReader", True), ("read", False)))
    outlines = [
        (file.blob, Outline(packed_counts(found), (0, 0, sum(found[2].values()), sum(found[3].values())), defined, ()))
        for file, found, defined in zip(files, fields, names, strict=True)
    ]
    return FileCorpus(CommitTree("c" * 40, NOW, files), build_index(files, outlines), history, FactStore.open(None))


# Of the two dimensions one is "cuda and gpu", the other "disk"; a unit is a hundredth.
SPACE = WordAssociation(
    {"cuda": 0, "gpu": 1, "disk": 2}, [2.0, 1.0, 1.0], 2, [100, 0, 50, 0, 0, 100], 0.01, [[1, 0], [0, 1]], [0, 0]
)


def test_a_report_goes_through_the_hidden_layer() -> None:
    # One word has length 1 whatever its rarity: (1, 0), then tanh.
    assert SPACE.hidden({"cuda": 7, "unknown": 1}) == pytest.approx([math.tanh(1), 0])
    # cuda weighs 2 and disk 1: (2, 1) / sqrt 5.
    assert SPACE.hidden({"cuda": 1, "disk": 1}) == pytest.approx([math.tanh(2 / 5**0.5), math.tanh(1 / 5**0.5)])
    assert SPACE.hidden({}) == [0, 0]


def test_a_file_is_relevant_that_shares_no_word_with_the_report() -> None:
    code, comments = SPACE.relevance(corpus().index, {"cuda": 1})
    # a.py's code is gpu alone, so its vector is gpu's own (0.5, 0); b.py is about disks, and so is a.py's comment.
    assert code == pytest.approx([0.5 * math.tanh(1), 0])
    assert comments == pytest.approx([0, 0])


def test_two_words_of_a_file_share_its_length() -> None:
    index = corpus().index
    both = WordAssociation({"gpu": 0, "disk": 1}, [1.0, 1.0], 1, [100, 100], 0.01, [[1]], [0])
    # a.py: gpu twice weighs 1 + ln 2 in the code, disk 1 in the comment: each part is of length 1.
    assert both.relevance(index, {"disk": 1}) == (
        pytest.approx([math.tanh(1), math.tanh(1)]),
        pytest.approx([math.tanh(1), 0]),
    )


def test_the_network_by_hand() -> None:
    # (3 - 1) / 2 = 1 and (90 - 0) / 1, which counts as 4: 2 tanh(0.5 * 1 + 0.25 * 4 - 1) = 2 tanh 0.5
    network = Perceptron([1, 0], [2, 1], [[0.5, 0.25]], [-1], [2])
    assert network.value((3.0, 90.0)) == pytest.approx(2 * math.tanh(0.5))


def test_collaborative_filtering_joins_the_reports_of_a_file() -> None:
    past = [EarlierReport("1", {"gpu": 1}, ("a.py",), 0), EarlierReport("2", {"disk": 1}, ("a.py", "gone.py"), 0)]
    # Both words are equally rare, a.py's reports say both: the cosine of (1, 0) and (1, 1).
    assert collaborative({"gpu": 1}, past, ("a.py", "b.py")) == pytest.approx([1 / math.sqrt(2), 0])
    assert collaborative({"gpu": 1}, [], ("a.py", "b.py")) == [0, 0]


def test_the_longest_class_that_the_report_names_counts() -> None:
    index = corpus().index
    assert named_class(index, query(frozenset(("DiskReader", "b", "read")))) == pytest.approx([0, 10 / 20])
    assert named_class(index, query(frozenset(("a",)))) == pytest.approx([1 / 20, 0])


def test_a_fix_counts_less_with_every_month() -> None:
    past = History(NOW, 2, {1: PathHistory(2, 2, fix_times=(NOW - 5 * MONTH, NOW - 2 * MONTH))})
    assert recency(corpus(past)) == pytest.approx([0, 1 / 3])
    assert features(corpus(past), Question(query()))[4] == [0, 1]


def test_both_networks_together() -> None:
    passing = Perceptron([0] * 7, [1] * 7, [[0, 0, 0, 0, 0, 1, 0]], [0], [1])  # looks at the code's relevance alone
    scores = DnnLoc(Weights(SPACE, passing)).score(corpus(), Question(query(cuda=1)))
    assert scores == pytest.approx([1 + math.tanh(0.5 * math.tanh(1)), 1])  # whatever the network saw stands above 1


def test_what_ships_is_whole() -> None:
    weights = load_weights()
    space = weights.association
    assert len(space.vectors) == len(space.words) * space.size == len(space.rarity) * space.size
    assert len(weights.joining.means) == 7
