"""The corpus counted, and its two labellings compared."""

from __future__ import annotations

import pytest
from tiny_corpus import FACTS, TinyCorpus

from bugloss.core.errors import InvalidInput
from bugloss.corpus.collection import load
from bugloss.corpus.roots import shipped_root
from bugloss.corpus.second_labels import read_second_labels
from bugloss.study.corpus import CountedBug, study_corpus
from bugloss.workflows.corpus_study import both_labellings, corpus_agreement, count_corpus

HEADER = "bug,category,symptom,bug_type,fix_pattern\n"
SAME = "tensor,crash,tensor-shape-mismatch,layer-dimension"


def second(tiny: TinyCorpus, *rows: str) -> None:
    (tiny.root / "second-labels.csv").write_text(HEADER + "".join(f"{row}\n" for row in rows))


def test_equal_and_different_labels_are_counted(tiny: TinyCorpus) -> None:
    for bug in ("torch-0001", "torch-0002", "torch-0003"):
        tiny.add(bug)
    second(tiny, f"torch-0001,{SAME}", "torch-0002,model,crash,wrong-layer-type,layer-dimension")
    table, differing = corpus_agreement().tables
    assert {row[0]: (row[1], row[2]) for row in table.rows} == {
        "category": (2, 1), "symptom": (2, 2), "bug_type": (2, 1), "fix_pattern": (2, 2),
    }  # fmt: skip
    assert differing.rows == (
        ("category", "torch-0002", "tensor", "model"),
        ("bug_type", "torch-0002", "tensor-shape-mismatch", "wrong-layer-type"),
    )


def test_a_corpus_without_a_second_labelling_says_so(tiny: TinyCorpus) -> None:
    tiny.add()
    assert corpus_agreement().source == "The corpus has no second labelling"
    assert "agreement" not in [table.name for table in count_corpus().tables]


def test_a_label_that_does_not_exist_is_named(tiny: TinyCorpus) -> None:
    second(tiny, "torch-0001,sadness,crash,tensor-shape-mismatch,layer-dimension")
    with pytest.raises(InvalidInput, match="torch-0001 has the category 'sadness'"):
        read_second_labels(tiny.root)


def test_pairs_boundaries_settings_and_sizes_are_counted(tiny: TinyCorpus) -> None:
    tiny.add("torch-0001", counterparts=["keras-0001"], settings=["distributed", "devices"])
    releases = {"fails": "keras>=3", "works": "keras<3"}
    tiny.add("keras-0001", framework="keras", stack="keras3", counterparts=["torch-0001"], releases=releases)
    tables = {table.name: table for table in count_corpus().tables}
    assert tables["corpus_pairs"].rows == (("keras-0001", "torch-0001"),)
    assert tables["corpus_setting"].rows == (("distributed", 1, 0.5), ("devices", 1, 0.5))
    assert tables["corpus_boundary"].rows == (("keras", 1, 0.5),)
    assert tables["corpus_sizes"].rows[0] == ("files of a program", 1, 1, 1, 2)
    assert tables["corpus_sizes"].rows[2] == ("lines that a fix changes", 2, 2, 2, 4)
    assert tables["corpus_stack"].drawn == ("share",)


def test_an_empty_corpus_has_empty_tables() -> None:
    assert [table.rows for table in study_corpus([], None).tables if table.name == "corpus_pairs"] == [()]


def test_a_pair_with_a_bug_that_does_not_count_is_left_out() -> None:
    bug = CountedBug("torch-0001", {"stack": ("torch",)}, 1, 1, 1, ("keras-0009",))
    tables = {table.name: table for table in study_corpus([bug], None).tables}
    assert tables["corpus_pairs"].rows == ()


def test_the_shipped_corpus_meets_its_quotas_and_most_bugs_are_labelled_twice() -> None:
    entries = list(load(shipped_root()).values())
    labelled = read_second_labels(shipped_root())
    assert len(labelled) >= 217
    pairs = {frozenset((entry.id, other)) for entry in entries for other in entry.bug.counterparts}
    assert len(pairs) >= 20
    assert sum(entry.bug.releases is not None for entry in entries) >= 12
    assert sum(bool(entry.bug.settings) for entry in entries) >= 12


def test_both_labellings_are_of_active_bugs_only(tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    tiny.add("torch-0002")
    second(tiny, f"torch-0001,{SAME}", f"torch-0002,{SAME}")
    retired = '[[retired]]\nbug = "torch-0002"\nstatus = "deprecated"\nsince = "2026-01-01"\nwhy = "x"\n'
    (tiny.root / "register.toml").write_text(retired)
    assert {label.bug for label in both_labellings()} == {"torch-0001"}
    assert FACTS["labels"]["category"] in {label.first for label in both_labellings()}
