"""Where else a bug shows, in words."""

from __future__ import annotations

from tiny_corpus import TinyCorpus

from bugloss.show.bug_conditions import conditions_of


def test_a_bug_without_conditions_has_no_words(tiny: TinyCorpus) -> None:
    tiny.add()
    assert conditions_of(tiny.load()["torch-0001"].bug) == {}


def test_counterparts_boundary_and_settings_are_named(tiny: TinyCorpus) -> None:
    releases = {"fails": "torch>=2", "works": "torch<2"}
    tiny.add(counterparts=["keras-0001"], settings=["mixed-precision", "devices"], releases=releases)
    assert conditions_of(tiny.load()["torch-0001"].bug) == {
        "the same fault as": "keras-0001",
        "releases": "fails with torch>=2, works with torch<2",
        "only with": "mixed precision, devices",
    }
