"""Which bugs a verification takes: named, queried, changed, or a sample that wanders."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from tiny_corpus import TinyCorpus

from bugloss.core.bug import Status
from bugloss.core.errors import InvalidInput
from bugloss.corpus.collection import Corpus
from bugloss.corpus.register import Verified, retire, write_verified
from bugloss.workflows.selection import choose, rotating_sample

DAY = date(2026, 3, 1)


@pytest.fixture
def corpus(tiny: TinyCorpus) -> Corpus:
    """Six bugs: 1 to 4 of torch, 5 and 6 of keras; torch-0004 is retired."""
    for number in range(1, 5):
        tiny.add(f"torch-000{number}", seconds=number)
    for number in (5, 6):
        tiny.add(f"keras-000{number}", framework="keras", stack="keras3")
    retire(tiny.root, "torch-0004", Status.FLAKY, "threads")
    return tiny.load()


def ids(corpus: Corpus, *named: str, where: str | None = None, changed: bool = False, sample: int = 0) -> list[str]:
    return [entry.id for entry in choose(corpus, named, where, changed=changed, sample=sample)]


def test_all_active_bugs_are_taken_by_default(corpus: Corpus) -> None:
    assert ids(corpus) == ["keras-0005", "keras-0006", "torch-0001", "torch-0002", "torch-0003"]


def test_named_bugs_are_taken_once_in_the_order_given_even_when_retired(corpus: Corpus) -> None:
    assert ids(corpus, "torch-0004", "torch-0001", "torch-0004") == ["torch-0004", "torch-0001"]
    assert ids(corpus, "torch-0002b") == ["torch-0002"]


def test_a_bug_named_by_both_of_its_twins_is_taken_once(corpus: Corpus) -> None:
    assert ids(corpus, "torch-0002b", "torch-0002f", "torch-0002") == ["torch-0002"]


def test_a_query_narrows_what_was_named_or_all(corpus: Corpus) -> None:
    assert ids(corpus, where="framework=keras") == ["keras-0005", "keras-0006"]
    assert ids(corpus, "torch-0001", "torch-0003", where="seconds>2") == ["torch-0003"]


def test_a_query_that_matches_nothing_is_an_error(corpus: Corpus) -> None:
    with pytest.raises(InvalidInput, match="no active bug matches"):
        ids(corpus, where="seconds>100")


def test_an_unknown_name_is_an_error(corpus: Corpus) -> None:
    with pytest.raises(InvalidInput, match="there is no bug 'torch-0009'"):
        ids(corpus, "torch-0009")


def remember(corpus: Corpus, *bugs: str) -> Corpus:
    facts = Verified("", "5/5 fail", "5/5 pass", "active", "2026-01-01", "Linux", "limits", "e", 1.0)
    write_verified(corpus.root, {bug: replace(facts, digest=corpus[bug].digest()) for bug in bugs})
    return Corpus(corpus.root)


def test_changed_bugs_are_those_that_differ_from_the_record(corpus: Corpus) -> None:
    corpus = remember(corpus, "torch-0001", "torch-0002", "keras-0005", "keras-0006")
    assert ids(corpus, changed=True) == ["torch-0003"]


def test_nothing_changed_is_nothing_to_do_and_no_error(corpus: Corpus) -> None:
    corpus = remember(corpus, *(bug for bug in corpus if bug != "torch-0004"))
    assert ids(corpus, changed=True) == []


def test_a_sample_adds_to_what_changed(corpus: Corpus) -> None:
    corpus = remember(corpus, "torch-0001", "torch-0002", "keras-0005", "keras-0006")
    chosen = ids(corpus, changed=True, sample=2)
    assert len(chosen) == 3
    assert "torch-0003" in chosen


def test_a_sample_larger_than_the_corpus_is_the_corpus(corpus: Corpus) -> None:
    assert ids(corpus, sample=100) == ids(corpus)


def test_the_sample_is_the_same_all_day_and_whatever_the_order(corpus: Corpus) -> None:
    entries = list(corpus.values())
    assert rotating_sample(entries, 2, DAY) == rotating_sample(entries[::-1], 2, DAY)


def test_the_sample_wanders_through_the_whole_corpus(corpus: Corpus) -> None:
    entries = list(corpus.values())
    days = [DAY + timedelta(days=number) for number in range(60)]
    samples = [frozenset(entry.id for entry in rotating_sample(entries, 2, day)) for day in days]
    assert len(set(samples)) > 5
    assert frozenset().union(*samples) == set(corpus)
    assert {len(sample) for sample in samples} == {2}
