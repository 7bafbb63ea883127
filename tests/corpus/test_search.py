"""Search and similarity: the index is derived, disposable, and never in the way."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiny_corpus import FACTS, TinyCorpus

from bugloss.corpus.entry import Entry
from bugloss.corpus.search import search
from bugloss.corpus.similarity import similar, support_level

LABELS = FACTS["labels"]


@pytest.fixture
def entries(tiny: TinyCorpus) -> list[Entry]:
    tiny.add("torch-0001", title="Softmax over a single output unit")
    tiny.add("torch-0002", files={"report.md": "# Loss is NaN\n\nTags: x\n\nThe loss explodes; softmax too.\n"})
    training = {**LABELS, "category": "training", "bug_type": "suboptimal-learning-rate", "fix_pattern": "optimizer"}
    tiny.add("keras-0001", kind="value", framework="keras", stack="keras3", labels=training)
    return list(tiny.load().values())


def found(entries: list[Entry], text: str, limit: int = 10) -> list[str]:
    return [hit.bug for hit in search(entries, text, limit)]


def test_the_title_counts_more_than_the_report(entries: list[Entry]) -> None:
    assert found(entries, "softmax") == ["torch-0001", "torch-0002"]


def test_the_excerpt_shows_the_word_that_was_found(entries: list[Entry]) -> None:
    (hit,) = search(entries, "explodes")
    assert hit.bug == "torch-0002"
    assert "«explodes»" in hit.excerpt
    assert hit.score > 0


def test_labels_exceptions_and_code_are_found_too(entries: list[Entry]) -> None:
    assert found(entries, "learning rate") == ["keras-0001"]
    assert set(found(entries, "IndexError")) >= {"torch-0001"}
    assert found(entries, "measure") == ["keras-0001"]


def test_any_of_the_words_is_enough_and_the_limit_holds(entries: list[Entry]) -> None:
    assert set(found(entries, "softmax measure")) == {"torch-0001", "torch-0002", "keras-0001"}
    assert len(found(entries, "softmax measure", 2)) == 2
    assert len(found(entries, "softmax", 10**30)) == 2


@pytest.mark.parametrize("text", ["", "   ", "?!", "zzzzqqq"])
def test_nothing_to_look_for_and_nothing_found_are_both_empty(entries: list[Entry], text: str) -> None:
    assert search(entries, text) == []


def test_an_empty_corpus_finds_nothing() -> None:
    assert search([], "softmax") == []


def test_a_changed_bug_is_found_by_its_new_words(tiny: TinyCorpus, entries: list[Entry]) -> None:
    assert found(entries, "gradient") == []
    (entries[0].bug.folder / "report.md").write_text("# The gradient vanishes\n")
    assert found(list(tiny.load().values()), "gradient") == [entries[0].id]


def index_files(cache: Path) -> list[Path]:
    return sorted((cache / "indexes").iterdir())


def test_the_index_is_made_once(entries: list[Entry], own_cache: Path) -> None:
    search(entries, "softmax")
    (index,) = index_files(own_cache)
    made = index.stat().st_mtime_ns
    search(entries, "loss")
    assert [path.stat().st_mtime_ns for path in index_files(own_cache)] == [made]


DAMAGE = {
    "emptied": lambda content: b"",
    "another file": lambda content: b"this is no database" * 100,
    "head only": lambda content: content[:100],
    "half": lambda content: content[: len(content) // 2],
    "tail zeroed": lambda content: content[:8192] + bytes(len(content) - 8192),
    "middle scrambled": lambda content: content[:4096] + b"\xa5" * 4096 + content[8192:],
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_index_is_made_anew(entries: list[Entry], own_cache: Path, damage: object) -> None:
    expected = search(entries, "softmax")
    (index,) = index_files(own_cache)
    index.write_bytes(damage(index.read_bytes()))  # type: ignore[operator]
    assert search(entries, "softmax") == expected
    assert search(entries, "softmax") == expected
    with sqlite3.connect(index_files(own_cache)[0]) as whole:
        assert whole.execute("SELECT count(*) FROM bugs").fetchone() == (3,)
    whole.close()


def test_an_index_of_another_shape_is_made_anew(entries: list[Entry], own_cache: Path) -> None:
    expected = search(entries, "softmax")
    (index,) = index_files(own_cache)
    index.unlink()
    with sqlite3.connect(index) as other:
        other.execute("CREATE TABLE bugs (id TEXT)")
    other.close()
    assert search(entries, "softmax") == expected


def test_a_folder_in_the_place_of_the_index_is_done_without(entries: list[Entry], own_cache: Path) -> None:
    expected = search(entries, "softmax")
    (index,) = index_files(own_cache)
    index.unlink()
    index.mkdir()
    assert search(entries, "softmax") == expected


def test_a_draft_that_a_killed_process_left_is_no_hindrance(entries: list[Entry], own_cache: Path) -> None:
    expected = search(entries, "softmax")
    (index,) = index_files(own_cache)
    index.rename(index.with_suffix(f".{os.getpid()}"))
    assert search(entries, "softmax") == expected
    assert index.is_file()


@pytest.mark.parametrize("place", ["cache", "cache/indexes"])
def test_without_a_writable_cache_the_index_lives_in_memory(entries: list[Entry], tmp_path: Path, place: str) -> None:
    blocked = tmp_path / place
    blocked.parent.mkdir(exist_ok=True)
    blocked.write_text("a file where a folder should be")
    assert found(entries, "softmax") == ["torch-0001", "torch-0002"]
    assert blocked.read_text() == "a file where a folder should be"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_cache_without_permission_is_done_without(entries: list[Entry], own_cache: Path) -> None:
    own_cache.mkdir()
    own_cache.chmod(0o500)
    assert found(entries, "softmax") == ["torch-0001", "torch-0002"]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=30))
def test_any_words_can_be_looked_for(entries: list[Entry], text: str) -> None:
    assert len(search(entries, text, 2)) <= 2


def test_a_bug_without_report_or_with_a_binary_file_does_not_hide_the_others(tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    spoilt = tiny.add("torch-0002", title="Softmax is spoilt")
    (spoilt / "report.md").unlink()
    (spoilt / "buggy" / "weights.bin").write_bytes(b"\xff\x00\xfe")
    entries = list(tiny.load().values())
    assert found(entries, "softmax") == ["torch-0002"]
    assert [hit.bug for hit in similar(entries[0], entries)] == ["torch-0002"]


def test_the_most_similar_bug_comes_first_with_the_labels_they_share(entries: list[Entry]) -> None:
    by_id = {entry.id: entry for entry in entries}
    first, second = similar(by_id["torch-0001"], entries)
    assert (first.bug, second.bug) == ("torch-0002", "keras-0001")
    assert first.score > second.score > 0
    assert first.excerpt == "shape-mismatch, layer-dimension, tensor, tensor-shape-mismatch, crash, torch"
    assert second.excerpt == "shape-mismatch, crash"


def test_a_bug_is_not_similar_to_itself_and_the_limit_holds(entries: list[Entry]) -> None:
    assert entries[0].id not in [hit.bug for hit in similar(entries[0], entries)]
    assert len(similar(entries[0], entries, 1)) == 1
    assert similar(entries[0], [entries[0]]) == []


def test_similarity_is_symmetric_and_highest_for_a_copy(tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    tiny.add("torch-0002")
    one, two = tiny.load().values()
    assert similar(one, [two])[0].score == similar(two, [one])[0].score == 1.0


def test_bugs_of_one_cause_and_fix_support_each_other(tiny: TinyCorpus) -> None:
    for bug in ("torch-0001", "torch-0002", "torch-0003"):
        tiny.add(bug)
    other = {**LABELS, "category": "training", "bug_type": "suboptimal-learning-rate", "fix_pattern": "optimizer"}
    tiny.add("keras-0001", framework="keras", stack="keras3", labels={**other, "general_type": "numeric-error"})
    by_id = tiny.load()
    assert support_level(by_id["torch-0001"], list(by_id.values())) == 3
    assert support_level(by_id["keras-0001"], list(by_id.values())) == 1


def test_similarity_is_the_same_with_a_damaged_cache_and_without_one(
    entries: list[Entry], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUGLOSS_CACHE", str(tmp_path / "cache"))
    first = similar(entries[0], entries)
    for kept in (tmp_path / "cache").rglob("*-shapes-*.json"):
        kept.write_text('{"torch-0001": 3}')
    assert similar(entries[0], entries) == first
    monkeypatch.setenv("BUGLOSS_CACHE", "/proc/nothing")
    assert similar(entries[0], entries) == first
