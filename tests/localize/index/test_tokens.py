"""Words and identifiers as terms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.localize.index.tokens import STOP_WORDS, count_terms, stem, terms_of


@pytest.mark.parametrize(
    ("identifier", "terms"),
    [
        ("loadImages", ("load", "imag", "loadimages")),
        ("HTTPServer", ("server", "httpserver")),  # http is a stop word
        ("batch_size", ("batch", "siz", "batch_size")),
        ("__init__", ("init",)),
        ("Conv2d", ("conv", "conv2d")),
        ("the", ()),
        ("x" * 80, ()),
    ],
)
def test_identifiers_are_split_and_kept_whole(identifier: str, terms: tuple[str, ...]) -> None:
    assert terms_of(identifier) == terms


@pytest.mark.parametrize(
    "alike",
    [("train", "training", "trained", "trains"), ("saving", "save", "saved", "saves"), ("batch", "batches"), ("copies", "copy"),
     ("predict", "prediction", "predictions"), ("running", "run"), ("class", "classes")],
)  # fmt: skip
def test_forms_of_a_word_share_a_stem(alike: tuple[str, ...]) -> None:
    assert len({stem(word) for word in alike}) == 1


def test_short_and_different_words_stay_apart() -> None:
    assert len({stem(word) for word in ("loss", "loader", "load", "bus", "axis", "need")}) == 6


def test_terms_are_counted() -> None:
    assert count_terms("load the image, then loadImage") == {"load": 2, "imag": 2, "loadimage": 1}


@given(st.text(max_size=200))
def test_any_text_gives_terms_without_stop_words(text: str) -> None:
    counts = count_terms(text)
    assert all(count > 0 for count in counts.values())
    assert not STOP_WORDS & {term for term in counts if stem(term) == term and term in {"the", "self", "import"}}
