"""The published techniques against values worked out by hand, on two files of five words."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from tiny_repository import DAY, TinyRepository

from bugloss.core.errors import UnknownPlugin
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.raised import Frame
from bugloss.core.registry import find, load
from bugloss.localize.contract import Question, Technique
from bugloss.localize.index.fact_store import FactStore, Outline
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.index.history import History, PathHistory
from bugloss.localize.index.postings import packed_counts
from bugloss.localize.index.tree_index import build_index
from bugloss.localize.index.vector_space import normalised, revised_cosines
from bugloss.localize.question.earlier import EarlierReport, before, resemblance
from bugloss.localize.question.query import Query
from bugloss.localize.repository.objects import CommitTree, TreeFile
from bugloss.localize.techniques.blia import Blia, commit_scores, trace_scores
from bugloss.localize.techniques.bluir import Bluir, similarity
from bugloss.localize.techniques.bm25 import Bm25
from bugloss.localize.techniques.buglocator import BugLocator

NOW = 2_000_000_000
NOTHING: dict[str, int] = {}


def query(frames: tuple[Frame, ...] = (), **parts: dict[str, int]) -> Query:
    names: frozenset[str] = frozenset()
    title, prose = parts.get("title", {}), parts.get("prose", {})
    return Query(title, prose, {}, frames, (), (), (), names, names, names, names, (), frozenset(), frozenset())


def corpus(history: History = History()) -> FileCorpus:
    """a.py says "apple apple banana", b.py says "banana cherry" and imports nothing."""
    files = (TreeFile("a.py", "1" * 40, 9), TreeFile("b.py", "2" * 40, 9))
    words = ({"apple": 2, "banana": 1}, {"banana": 1, "cherry": 1})
    outlines = [
        (file.blob, Outline(packed_counts((NOTHING, NOTHING, found, NOTHING)), (0, 0, sum(found.values()), 0), (), ()))
        for file, found in zip(files, words, strict=True)
    ]
    return FileCorpus(CommitTree("c" * 40, NOW, files), build_index(files, outlines), history, FactStore.open(None))


def test_bm25_by_hand() -> None:
    # idf = ln(1 + 1.5 / 1.5) = ln 2; floor = 1.2 (0.25 + 0.75 * 3 / 2.5) = 1.38; 2 * 2.2 / (2 + 1.38) = 1.301775
    assert Bm25().score(corpus(), Question(query(title={"apple": 1}))) == pytest.approx(
        [math.log(2) * 1.301775, 0], abs=1e-5
    )


def test_rvsm_by_hand() -> None:
    # banana stands in both files, so its idf is 0 and a.py's vector is apple alone: cosine 1.
    # a.py is the longest: 1 / (1 + e^-1) = 0.731059.
    assert revised_cosines(corpus().index, {"apple": 1, "banana": 3}) == pytest.approx([0.731059, 0], abs=1e-6)


def test_buglocator_gives_similar_reports_a_fifth() -> None:
    past = [EarlierReport("7", {"apple": 1}, ("b.py",), NOW - DAY)]
    assert BugLocator().score(corpus(), Question(query(title={"apple": 1}), past)) == pytest.approx([0.8, 0.2])


def test_a_fix_of_many_files_speaks_less_for_each() -> None:
    past = [EarlierReport("7", {"apple": 1}, ("a.py", "b.py"), 0), EarlierReport("8", {"pear": 1}, ("b.py",), 0)]
    found = resemblance({"apple": 1}, past, ("a.py", "b.py"))
    assert found.total == pytest.approx([0.5, 0.5])
    assert found.best == pytest.approx([1, 1]) and found.which == {0: "7", 1: "7"}


def test_only_reports_fixed_before_the_question_count() -> None:
    past = [
        EarlierReport("old", {}, (), 99),
        EarlierReport("same moment", {}, (), 100),
        EarlierReport("later", {}, (), 101),
    ]
    assert [report.name for report in before(past, 100)] == ["old"]


def test_one_of_bluirs_eight_similarities_by_hand() -> None:
    # idf = ln(3 / 1.5) = ln 2, squared 0.480453; tf = 2 / (2 + 0.7 + 0.3 * 3 / 2.5) = 2 / 3.06 = 0.653595
    assert similarity(corpus().index, {"apple": 1}, 2) == pytest.approx([0.314022, 0], abs=1e-5)
    assert similarity(corpus().index, {"apple": 1}, 0) == [0, 0]


def test_bluir_adds_summary_and_description() -> None:
    both = Bluir().score(corpus(), Question(query(title={"apple": 1}, prose={"apple": 1})))
    assert both == pytest.approx([2 * 0.314022, 0], abs=1e-5)


def test_blias_commits_fade_within_120_days() -> None:
    # Today: 1 / (1 + e^0) = 0.5. 60 days ago: 1 / (1 + e^6). 121 days ago: nothing.
    times = (NOW, NOW - 60 * DAY, NOW - 121 * DAY)
    past = History(NOW, 3, {1: PathHistory(3, 3, 0.0, fix_times=times)})
    assert commit_scores(corpus(past)) == pytest.approx([0, 0.5 + 1 / (1 + math.exp(6))])


def test_blias_traces_count_from_the_innermost_frame(
    library: TinyRepository, open_library: Callable[[], FileCorpus]
) -> None:
    frames = (Frame("/x/pkg/trainer.py", 5, "f"), Frame("/x/torch/nn.py", 1, "g"), Frame("/x/pkg/data.py", 3, "h"))
    found = open_library()
    scores = dict(zip(found.index.paths, trace_scores(found, query(frames)), strict=True))
    assert scores == {"pkg/__init__.py": 0, "pkg/data.py": 1, "pkg/trainer.py": 0.5, "pkg/loss.py": 0.1}


def test_blia_mixes_words_reports_commits_and_traces() -> None:
    # structure: a.py 1, b.py 0; reports: b.py 1, so 0.6 and 0.4, which become 1 and 0 before commits get a fifth.
    past = [EarlierReport("7", {"apple": 1}, ("b.py",), 0)]
    history = History(NOW, 1, {1: PathHistory(1, 1, 0.0, fix_times=(NOW,))})
    scores = Blia().score(corpus(history), Question(query((Frame("b.py", 1, ""),), title={"apple": 1}), past))
    assert scores == pytest.approx([0.8, 0.2 + 1.0])


def test_equal_values_become_nothing() -> None:
    assert normalised([3.0, 3.0]) == [0, 0]
    assert normalised([1.0, 2.0, 3.0]) == [0, 0.5, 1]
    assert normalised([]) == []


@pytest.mark.parametrize("name", ["bugloss", "bm25", "buglocator", "bluir", "blia", "dnnloc"])
def test_every_technique_answers_an_empty_question(name: str) -> None:
    assert find(PluginGroup.TECHNIQUE, Technique, name).score(corpus(), Question(query())) is not None


@pytest.mark.parametrize("name", load(PluginGroup.TECHNIQUE, Technique))
def test_every_technique_is_known_by_its_own_name(name: str) -> None:
    found = find(PluginGroup.TECHNIQUE, Technique, name)
    assert found.name == name and found.title and callable(found.score)


def test_an_unknown_technique_suggests_the_nearest() -> None:
    with pytest.raises(UnknownPlugin) as raised:
        find(PluginGroup.TECHNIQUE, Technique, "buglocater")
    assert "buglocator" in raised.value.hint
