"""The index of all bugs: it answers as the folders would, sees every change at once, and is never in the way."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tiny_corpus import FACTS, TinyCorpus

from bugloss.core import foreign_file
from bugloss.corpus.collection import load
from bugloss.corpus.index import listed_bugs, search_bugs, similar_bugs, support_of
from bugloss.corpus.index import update as update_module
from bugloss.corpus.roots import shipped_root
from bugloss.corpus.similarity import Similarities
from bugloss.corpus.where import FIELDS, select, value_of

LABELS = FACTS["labels"]


@pytest.fixture
def three(tiny: TinyCorpus) -> TinyCorpus:
    tiny.add("torch-0001", title="Softmax over a single output unit")
    tiny.add("torch-0002", files={"report.md": "# Loss is NaN\n\nTags: x\n\nThe loss explodes; softmax too.\n"})
    training = {**LABELS, "category": "training", "bug_type": "suboptimal-learning-rate", "fix_pattern": "optimizer"}
    tiny.add("keras-0001", kind="value", framework="keras", stack="keras3", labels=training)
    return tiny


def found(tiny: TinyCorpus, text: str) -> list[str]:
    return [hit.bug for hit in search_bugs(tiny.load(), text)[0]]


def test_a_list_has_the_fields_that_the_folders_have(three: TinyCorpus) -> None:
    bugs, broken = listed_bugs(three.load())
    assert broken == {}
    expected = {bug: {field: value_of(entry, field) for field in FIELDS} for bug, entry in three.load().items()}
    assert {bug.id: dict(bug.fields) for bug in bugs} == expected
    assert [bug.id for bug in bugs] == sorted(expected)


def test_a_list_of_some_fields_has_these_only(three: TinyCorpus) -> None:
    everything, _ = listed_bugs(three.load())
    some, _ = listed_bugs(three.load(), "category", "aliases", "status")
    names = ("id", "category", "aliases", "status")
    assert [dict(bug.fields) for bug in some] == [{name: bug.fields[name] for name in names} for bug in everything]


def test_a_program_that_was_missing_is_noticed(three: TinyCorpus) -> None:
    folder = three.root / "torch" / "torch-0002"
    program = (folder / "buggy" / "program.py").read_text(encoding="utf-8")
    for file in (folder / "buggy").iterdir():
        file.unlink()
    (folder / "buggy").rmdir()
    assert found(three, "rattle") == []
    (folder / "buggy").mkdir()
    (folder / "buggy" / "program.py").write_text(f"{program}\nrattle = 1\n", encoding="utf-8")
    assert found(three, "rattle") == ["torch-0002"]


def test_queries_ask_indexed_bugs_as_they_ask_folders(three: TinyCorpus) -> None:
    bugs, _ = listed_bugs(three.load())
    query = "framework=torch and not (title ~ softmax) and seconds<=1"
    assert [bug.id for bug in select(bugs, query)] == [entry.id for entry in select(three.load().values(), query)]


def test_words_are_found_with_title_and_excerpt(three: TinyCorpus) -> None:
    assert found(three, "softmax") == ["torch-0001", "torch-0002"]
    (hit,), _ = search_bugs(three.load(), "explodes")
    assert "«explodes»" in hit.excerpt
    assert hit.title == FACTS["title"]


def test_nothing_of_a_bug_is_read_while_nothing_changed(three: TinyCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = three.load()
    before = (listed_bugs(corpus), search_bugs(corpus, "softmax"), similar_bugs(corpus, "torch-0001"))
    opened: list[Path] = []
    real = foreign_file.open_inside
    monkeypatch.setattr(
        foreign_file, "open_inside", lambda root, name: (opened.append(root / name), real(root, name))[1]
    )
    corpus = three.load()
    after = (listed_bugs(corpus), search_bugs(corpus, "softmax"), similar_bugs(corpus, "torch-0001"))
    assert after == before
    assert {path.name for path in opened} <= {"register.toml"}


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("report.md", "# Xylophone\n\nTags: x\n\nIt rattles.\n", "xylophone"),
        ("buggy/program.py", "def run():\n    rattle = 1\n    return [1, 2, 3][3]\n", "rattle"),
        ("buggy/more/deep.py", "marimba = 1\n", "marimba"),
    ],
)
def test_a_changed_file_is_seen_at_once(three: TinyCorpus, name: str, text: str, word: str) -> None:
    assert found(three, word) == []
    path = three.root / "torch" / "torch-0002" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    assert found(three, word) == ["torch-0002"]


def test_changed_facts_added_and_removed_bugs_are_seen_at_once(three: TinyCorpus) -> None:
    listed_bugs(three.load())
    three.add("torch-0002", title="Another title")
    three.add("torch-0003")
    for path in sorted((three.root / "keras" / "keras-0001").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    bugs, _ = listed_bugs(three.load())
    titles = {bug.id: bug.fields["title"] for bug in bugs}
    assert titles == {"torch-0001": "Softmax over a single output unit", "torch-0002": "Another title",
                      "torch-0003": FACTS["title"]}  # fmt: skip


def test_a_file_edited_within_one_tick_and_of_the_same_size_is_seen_by_its_time(three: TinyCorpus) -> None:
    assert found(three, "rattles") == []
    path = three.root / "torch" / "torch-0002" / "report.md"
    text = path.read_text().replace("explodes", "rattles!")
    path.write_text(text)
    assert found(three, "rattles") == ["torch-0002"]


def test_a_broken_bug_is_named_and_found_again_when_it_is_whole(three: TinyCorpus) -> None:
    path = three.root / "torch" / "torch-0001" / "bug.toml"
    whole = path.read_text()
    path.write_text("id =")
    bugs, broken = listed_bugs(three.load())
    assert [bug.id for bug in bugs] == ["keras-0001", "torch-0002"]
    assert "cannot be read" in broken["torch-0001"]
    path.write_text(whole)
    assert len(listed_bugs(three.load())[0]) == 3


def test_a_deprecated_bug_has_its_status_at_once(three: TinyCorpus) -> None:
    listed_bugs(three.load())
    register = three.root / "register.toml"
    register.write_text('[[retired]]\nbug = "torch-0001"\nstatus = "deprecated"\nsince = "2026-01-01"\nwhy = "x"\n')
    assert {bug.id: bug.fields["status"] for bug in listed_bugs(three.load())[0]}["torch-0001"] == "deprecated"


def test_a_changed_fix_changes_what_is_similar(three: TinyCorpus) -> None:
    before, _ = similar_bugs(three.load(), "torch-0001")
    fixed = three.root / "torch" / "torch-0002" / "fixed" / "program.py"
    fixed.write_text("def run():\n    return sorted([1, 2, 3], reverse=True)[0]\n")
    after, _ = similar_bugs(three.load(), "torch-0001")
    assert before[0].bug == after[0].bug == "torch-0002"
    assert after[0].score < before[0].score


def test_a_damaged_index_is_made_again(three: TinyCorpus) -> None:
    expected = found(three, "softmax")
    folder = Path(os.environ["BUGLOSS_CACHE"]) / "indexes"
    for path in folder.glob("words-*.sqlite"):
        path.write_bytes(b"no database" * 100)
    assert found(three, "softmax") == expected


def test_without_a_cache_the_folders_are_read(three: TinyCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folder: Path) -> Path:
        raise OSError("read-only")

    expected = (listed_bugs(three.load()), found(three, "softmax"), similar_bugs(three.load(), "torch-0001"))
    monkeypatch.setattr(update_module, "writable", refuse)
    assert (listed_bugs(three.load()), found(three, "softmax"), similar_bugs(three.load(), "torch-0001")) == expected


def test_the_index_compares_as_the_folders_are_compared() -> None:
    corpus = load(shipped_root())
    similarities = Similarities(list(corpus.values()))
    for bug in ("torch-0003", "keras-0011", "tf-0202", "torch-0201"):
        by_index = similar_bugs(corpus, bug, 20)[0]
        assert [(hit.bug, hit.score) for hit in by_index] == [
            (hit.bug, hit.score) for hit in similarities.similar(bug, 20)
        ]
        assert support_of(corpus, bug) == similarities.support(bug)


def test_the_nearest_bugs_of_a_shape_bug_are_shape_bugs() -> None:
    entries = list(load(shipped_root()).values())
    similarities = Similarities(entries)
    kinds = {entry.id: entry.bug.labels.general_type.value for entry in entries}
    shape_bugs = [bug for bug, kind in kinds.items() if kind == "shape-mismatch"]
    nearest = [hit.bug for bug in shape_bugs for hit in similarities.similar(bug, 3)]
    assert sum(kinds[bug] == "shape-mismatch" for bug in nearest) / len(nearest) > 0.85
