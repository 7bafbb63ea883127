"""The corpus as a mapping: bugs by id, broken ones beside the others and never in their way."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_corpus import TinyCorpus

import bugloss
from bugloss.core.bug import Status, Twin
from bugloss.core.errors import InvalidInput
from bugloss.corpus.collection import Corpus, UnknownBug, default_root, load


def test_bugs_come_in_order_of_their_ids(tiny: TinyCorpus) -> None:
    for bug, framework in (("torch-0002", "torch"), ("keras-0001", "keras"), ("torch-0001", "torch")):
        tiny.add(bug, framework=framework)
    corpus = tiny.load()
    assert list(corpus) == ["keras-0001", "torch-0001", "torch-0002"]
    assert len(corpus) == 3
    assert corpus["torch-0002"].bug.folder == tiny.root / "torch" / "torch-0002"


def test_one_bug_is_found_without_a_look_at_the_others(tiny: TinyCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    for bug in ("torch-0001", "torch-0002", "torch-0003"):
        tiny.add(bug)
    asked: list[str] = []
    real = Corpus._is_bug
    monkeypatch.setattr(Corpus, "_is_bug", lambda corpus, place: (asked.append(place), real(corpus, place))[1])
    corpus = tiny.load()
    assert corpus.id_of("torch-0002b") == "torch-0002"
    assert "torch-0002" in corpus
    assert set(asked) == {"torch/torch-0002"}


def test_the_public_door_is_one_line(tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    assert bugloss.corpus.load()["torch-0001"].id == "torch-0001"


def test_an_unknown_bug_is_answered_with_the_nearest_one(tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    with pytest.raises(UnknownBug) as unknown:
        tiny.load()["torch-001"]
    assert unknown.value.hint == "Did you mean 'torch-0001'?"
    assert str(unknown.value) == f"there is no bug 'torch-001' in {tiny.root}."


def test_an_empty_corpus_points_to_the_list(tiny: TinyCorpus) -> None:
    with pytest.raises(UnknownBug) as unknown:
        tiny.load()["torch-0001"]
    assert unknown.value.hint == "All bugs: bugloss list"


def test_a_broken_bug_does_not_stand_in_the_way_of_the_others(tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    tiny.add("torch-0002", files={"bug.toml": "id ="})
    tiny.add("torch-0003", stack="no-such-stack")
    corpus = tiny.load()
    entries, broken = corpus.readable()
    assert [entry.id for entry in entries] == ["torch-0001"]
    assert list(broken) == ["torch-0002", "torch-0003"]
    assert "torch-0002/bug.toml cannot be read" in broken["torch-0002"]
    with pytest.raises(InvalidInput, match=r"torch-0002/bug\.toml cannot be read"):
        corpus["torch-0002"]


def test_a_broken_bug_is_still_a_member_and_has_a_folder(tiny: TinyCorpus) -> None:
    folder = tiny.add("torch-0002", files={"bug.toml": "id ="})
    corpus = tiny.load()
    assert "torch-0002" in corpus
    assert "torch-0009" not in corpus
    assert corpus.folder("torch-0002") == folder
    with pytest.raises(UnknownBug):
        corpus.folder("torch-0009")


@pytest.mark.parametrize(
    ("name", "twin"), [("torch-0001", None), ("torch-0001b", Twin.BUGGY), ("torch-0001f", Twin.FIXED)]
)
def test_a_letter_after_the_id_means_a_twin(tiny: TinyCorpus, name: str, twin: Twin | None) -> None:
    tiny.add("torch-0001")
    entry, chosen = tiny.load().twin(name)
    assert (entry.id, chosen) == ("torch-0001", twin)


def test_a_bug_whose_own_name_ends_in_a_letter_is_meant_before_a_twin(tiny: TinyCorpus) -> None:
    tiny.add("draft")
    tiny.add("draftb")
    assert tiny.load().twin("draftb")[0].id == "draftb"


def test_a_twin_that_does_not_exist_is_an_unknown_bug(tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    with pytest.raises(UnknownBug, match="torch-0001x"):
        tiny.load().twin("torch-0001x")


def test_the_register_decides_whether_a_bug_counts(tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    tiny.add("torch-0002")
    (tiny.root / "register.toml").write_text(
        '[[retired]]\nbug = "torch-0002"\nstatus = "flaky"\nsince = "2026-01-01"\nwhy = "threads"\n'
    )
    corpus = tiny.load()
    assert corpus["torch-0001"].status is Status.ACTIVE
    assert corpus["torch-0002"].status is Status.FLAKY


def test_a_folder_without_a_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"is not a corpus: it has no corpus\.toml"):
        load(tmp_path)


def test_the_corpus_in_force_is_named_by_the_variable_then_found_above_then_the_shipped_one(
    tiny: TinyCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert default_root() == tiny.root
    with monkeypatch.context() as here:
        here.delenv("BUGLOSS_BUGS")
        deep = tmp_path / "deep" / "down"
        deep.mkdir(parents=True)
        here.chdir(deep)
        assert default_root() == tiny.root
        here.chdir("/")
        assert (default_root() / "corpus.toml").is_file()
        assert default_root() != tiny.root
