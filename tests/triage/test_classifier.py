"""The classifier uses plain numbers, can say which features count, and its heads survive being written."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.triage.classifier import ClassifierHead, FeatureGroup, LinearModel, mix
from bugloss.triage.features import ReportFeatures
from bugloss.triage.head_file import FOLDER, SUFFIX, load_head, pack, unpack

CLUES = FeatureGroup("clues", 1.0, False, {"nan": 0, "shape": 1}, (), (0, 2000, 1000, 0))
WORDS = FeatureGroup("words", 2.0, True, {"loss": 0, "size": 1}, (1000, 3000), (0, 1000, 500, 0))
HEAD = ClassifierHead(("tensor", "training"), 1.0, (LinearModel((0.5, 0.0), (CLUES,)),))
BY_WORDS = LinearModel((0.0, 0.0), (WORDS,))


def seen(words: str = "", **clues: float) -> ReportFeatures:
    return ReportFeatures(Counter(words.split()), Counter(), Counter(), clues)


def test_probabilities_follow_bias_and_weights() -> None:
    assert HEAD.probabilities(seen())["tensor"] == pytest.approx(1 / (1 + math.exp(-0.5)))
    assert HEAD.probabilities(seen(nan=1.0))["training"] == pytest.approx(1 / (1 + math.exp(-1.5)))


def test_words_are_weighted_by_rarity_and_brought_to_length_one() -> None:
    values = WORDS.values(Counter({"loss": 1, "size": 1, "unknown": 9}))
    assert values == pytest.approx({"loss": 2 / math.sqrt(10), "size": 6 / math.sqrt(10)})


def test_parts_count_by_their_share() -> None:
    one, other = replace(HEAD.parts[0], share=3.0), replace(BY_WORDS, share=1.0)
    text = seen("loss", nan=1.0)
    alone = [replace(HEAD, parts=(part,)).probabilities(text)["training"] for part in (one, other)]
    together = replace(HEAD, parts=(one, other)).probabilities(text)["training"]
    assert together == pytest.approx((3 * alone[0] + alone[1]) / 4)


def test_a_favoured_label_gets_likelier() -> None:
    plain = HEAD.probabilities(seen())
    favoured = replace(HEAD, favour=(1.0, 3.0)).probabilities(seen())
    assert favoured["training"] / favoured["tensor"] == pytest.approx(3 * plain["training"] / plain["tensor"])


def test_a_higher_temperature_is_less_sure() -> None:
    sure = HEAD.probabilities(seen(nan=1.0))
    cool = replace(HEAD, temperature=2.0).probabilities(seen(nan=1.0))
    assert 0.5 < cool["training"] < sure["training"]


def test_features_speak_for_a_label_and_against_the_others() -> None:
    found = {item.feature: item.weight for item in HEAD.contributions(seen(nan=1.0, shape=1.0), "training")}
    assert found == pytest.approx({"nan": 2.0, "shape": -1.0})


def test_answers_are_mixed_by_their_shares() -> None:
    assert mix([({"a": 1.0, "b": 0.0}, 3.0), ({"a": 0.0, "b": 1.0}, 1.0)]) == {"a": 0.75, "b": 0.25}


names = st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), min_size=1), unique=True)


@given(names, st.integers(-32_768, 32_767))
def test_a_head_survives_being_written(words: list[str], number: int) -> None:
    places = {word: at for at, word in enumerate(words)}
    group = FeatureGroup("words", 0.7, True, places, [number] * len(words), [number, 0] * len(words))
    head = ClassifierHead(("a", "b"), 1.3, (LinearModel((0.25, -1.0), (group, CLUES), 2.0),), (1.0, 0.5))
    read = unpack(pack(head))
    assert (read.labels, read.temperature, read.favour) == (head.labels, head.temperature, head.favour)
    assert [(list(part.bias), part.share) for part in read.parts] == [([0.25, -1.0], 2.0)]
    first, second = read.parts[0].groups
    assert (first.name, first.scale, first.weighted, first.places) == ("words", 0.7, True, places)
    assert (list(first.rarity), list(first.weights)) == ([number] * len(words), [number, 0] * len(words))
    assert (second.places, list(second.rarity), list(second.weights)) == (CLUES.places, [], list(CLUES.weights))


def test_the_shipped_heads_are_small_and_answer() -> None:
    files = list(FOLDER.glob(f"*{SUFFIX}"))
    assert {path.stem for path in files} == {"type-question", "type-issue", "origin-issue", "source"}
    assert sum(path.stat().st_size for path in files) < 1_000_000
    assert load_head("type-question").labels == load_head("type-issue").labels
    for path in files:
        assert sum(load_head(path.stem).probabilities(seen("loss nan")).values()) == pytest.approx(1.0)
