"""The classifier reads plain numbers and can say which features spoke."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from bugloss.triage.classifier import MODEL, load_heads, mix, read_heads
from bugloss.triage.features import Features

GROUP = {"group": "clues", "scale": 1.0, "names": "nan\nshape", "rarity": [], "weights": [0, 2000, 1000, 0]}
WORDS = {"group": "words", "scale": 2.0, "names": "loss\nsize", "rarity": [1000, 3000], "weights": [0, 1000, 500, 0]}
HEAD = {"labels": ["tensor", "training"], "temperature": 1.0, "parts": [{"bias": [0.5, 0.0], "groups": [GROUP]}]}


def seen(words: str = "", **clues: float) -> Features:
    return Features(Counter(words.split()), Counter(), Counter(), clues)


def test_probabilities_follow_bias_and_weights() -> None:
    head = read_heads({"heads": {"type": HEAD}})["type"]
    assert head.probabilities(seen())["tensor"] == pytest.approx(1 / (1 + math.exp(-0.5)))
    assert head.probabilities(seen(nan=1.0))["training"] == pytest.approx(1 / (1 + math.exp(-1.5)))


def test_words_are_weighted_by_rarity_and_brought_to_length_one() -> None:
    head = read_heads({"heads": {"type": HEAD | {"parts": [{"bias": [0.0, 0.0], "groups": [WORDS]}]}}})["type"]
    values = head.parts[0].groups[0].values(Counter({"loss": 1, "size": 1, "unknown": 9}))
    assert values == pytest.approx({"loss": 2 / math.sqrt(10), "size": 6 / math.sqrt(10)})


def test_a_higher_temperature_is_less_sure() -> None:
    sure = read_heads({"heads": {"type": HEAD}})["type"].probabilities(seen(nan=1.0))
    cool = read_heads({"heads": {"type": HEAD | {"temperature": 2.0}}})["type"].probabilities(seen(nan=1.0))
    assert 0.5 < cool["training"] < sure["training"]


def test_features_speak_for_a_label_and_against_the_others() -> None:
    head = read_heads({"heads": {"type": HEAD}})["type"]
    spoke = {item.feature: item.weight for item in head.speakers(seen(nan=1.0, shape=1.0), "training")}
    assert spoke == pytest.approx({"nan": 2.0, "shape": -1.0})


def test_answers_are_mixed_by_their_shares() -> None:
    assert mix([({"a": 1.0, "b": 0.0}, 3.0), ({"a": 0.0, "b": 1.0}, 1.0)]) == {"a": 0.75, "b": 0.25}


def test_the_shipped_model_is_small_and_has_its_heads() -> None:
    assert MODEL.stat().st_size < 1_000_000
    heads = load_heads()
    assert set(heads) == {"type:question", "type:issue", "origin:issue", "source"}
    assert heads["type:question"].labels == heads["type:issue"].labels
    for head in heads.values():
        assert sum(head.probabilities(seen("loss nan")).values()) == pytest.approx(1.0)
