"""The codec: what is encoded comes back equal, and what does not fit is refused by the name of its key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bugloss.core.bug import Bug, DataRecipe, Framework, Labels, Oracle, OracleKind, OriginKind, Provenance, Twin
from bugloss.core.codec import decode, encode
from bugloss.core.errors import InvalidInput
from bugloss.core.judgement import Grade, Judgement
from bugloss.core.run import Frame, Isolation, Limits, Outcome, RaisedException, Run, Settings, Stream
from bugloss.core.taxonomy import BugType, Category, EditAction, FixPattern, GeneralType, Origin, Property, SymptomType
from bugloss.core.trial import Trial

numbers = st.floats(allow_nan=False)
words = st.text(max_size=20)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | numbers | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
tables = st.dictionaries(words, json_values, max_size=3)

frames = st.builds(Frame, words, st.integers(), words, words)
exceptions = st.builds(
    RaisedException,
    words,
    words,
    words,
    st.lists(words, max_size=3).map(tuple),
    st.lists(frames, max_size=3).map(tuple),
)
runs = st.builds(
    Run,
    command=st.lists(words, max_size=3).map(tuple),
    outcome=st.sampled_from(Outcome),
    exit_code=st.none() | st.integers(),
    seconds=numbers,
    peak_megabytes=st.none() | numbers,
    exception=st.none() | exceptions,
    evidence=st.lists(tables, max_size=2).map(tuple),
    stdout=st.builds(Stream, words, st.integers()),
    stderr=st.builds(Stream, words, st.integers()),
    settings=st.builds(Settings, st.integers(), st.integers(), st.integers(), words, words),
    limits=st.builds(Limits, numbers, st.integers(), st.integers(), st.integers()),
    isolation=st.builds(Isolation, words, st.lists(words, max_size=2).map(tuple)),
    environment=words,
    python=words,
    started_at=words,
    subject=tables,
)
oracles = st.builds(Oracle, st.sampled_from(OracleKind), words, words, words)
trials = st.builds(
    Trial,
    words,
    st.sampled_from(Twin),
    oracles,
    runs,
    st.builds(Judgement, st.sampled_from(Grade), words, tables),
    st.none() | runs,
)
bugs = st.builds(
    Bug,
    id=words,
    title=words,
    framework=st.sampled_from(Framework),
    stack=words,
    entry=words,
    seconds=numbers,
    origin=st.builds(Provenance, st.sampled_from(OriginKind), words, st.lists(words, max_size=2).map(tuple), words),
    labels=st.builds(
        Labels,
        st.sampled_from(Category),
        st.sampled_from(BugType),
        st.sampled_from(GeneralType),
        st.sampled_from(SymptomType),
        st.sampled_from(Property),
        st.sampled_from(FixPattern),
        st.sampled_from(Origin),
        st.lists(st.sampled_from(EditAction), max_size=3).map(tuple),
    ),
    oracle=oracles,
    data=st.builds(DataRecipe, words, words),
    notes=words,
    pins=st.lists(words, max_size=2).map(tuple),
    folder=st.just(Path("bugs/torch/torch-0003")),
)


@settings(max_examples=25)
@given(trials)
def test_a_trial_survives_the_way_through_json(trial: Trial) -> None:
    assert decode(Trial, json.loads(json.dumps(encode(trial)))) == trial


@settings(max_examples=25)
@given(bugs)
def test_a_bug_survives_the_way_through_json_with_its_folder(bug: Bug) -> None:
    back = decode(Bug, json.loads(json.dumps(encode(bug))))
    assert back == bug
    assert back.folder == bug.folder


@given(json_values)
def test_whatever_json_holds_decoding_says_no_in_our_words_or_gives_the_type(data: object) -> None:
    try:
        assert isinstance(decode(Run, data), Run)
    except InvalidInput as error:
        assert error.message.startswith("Run")


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Inner:
    size: float
    count: int = 0
    colour: Colour = Colour.RED


@dataclass(frozen=True)
class Outer:
    parts: tuple[Inner, ...]
    by_name: Mapping[str, Inner] = field(default_factory=dict)
    either: int | str | None = None
    on: bool = False
    anything: object = None
    folder: Path = Path()


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (None, "Outer must be a table, not None."),
        ([], "Outer must be a table, not []."),
        ({}, "Outer lacks the key 'parts'."),
        ({"parts": 3}, "Outer.parts must be a list, not 3."),
        ({"parts": "ab"}, "Outer.parts must be a list, not 'ab'."),
        ({"parts": [{"size": 1}, {"size": "big"}]}, "Outer.parts[1].size must be of type float, not 'big'."),
        ({"parts": [{"size": True}]}, "Outer.parts[0].size must be of type float, not True."),
        ({"parts": [{"size": 1, "count": True}]}, "Outer.parts[0].count must be of type int, not True."),
        ({"parts": [{"size": 1, "count": 1.5}]}, "Outer.parts[0].count must be of type int, not 1.5."),
        ({"parts": [{"size": 1, "colour": "green"}]}, "Outer.parts[0].colour is 'green', which is none of its values."),
        ({"parts": [{"size": 1, "colour": ["red"]}]}, "Outer.parts[0].colour is ['red'], which is none of its values."),
        ({"parts": [], "by_name": {"a": {}}}, "Outer.by_name.a lacks the key 'size'."),
        ({"parts": [], "by_name": []}, "Outer.by_name must be a table, not []."),
        ({"parts": [], "either": 1.5}, "Outer.either must be of type str, not 1.5."),
        ({"parts": [], "on": 1}, "Outer.on must be of type bool, not 1."),
        ({"parts": [], "folder": 1}, "Outer.folder must be a path, not 1."),
        ({"parts": [], "part": []}, "Outer has an unknown key 'part'."),
    ],
)
def test_data_that_do_not_fit_are_refused_by_the_key_that_is_wrong(data: object, complaint: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        decode(Outer, data)
    assert refused.value.message == complaint


def test_an_unknown_key_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InvalidInput) as refused:
        decode(Inner, {"sise": 1})
    assert refused.value.hint == "Known keys: size, count, colour."


def test_an_unknown_value_of_a_closed_choice_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InvalidInput) as refused:
        decode(Inner, {"size": 1, "colour": "green"})
    assert refused.value.hint == "Known: red, blue."


def test_a_whole_number_is_welcome_where_a_float_is_wanted_but_one_too_large_for_it_is_not() -> None:
    assert decode(Inner, {"size": 3}) == Inner(3.0)
    with pytest.raises(InvalidInput, match=r"Inner\.size"):
        decode(Inner, {"size": 10**400})


def test_of_a_union_the_first_type_that_fits_is_taken() -> None:
    assert decode(Outer, {"parts": [], "either": "7"}).either == "7"
    assert decode(Outer, {"parts": [], "either": 7}).either == 7
    assert decode(Outer, {"parts": [], "either": None}).either is None


def test_sets_and_tuples_become_lists_and_keys_become_text() -> None:
    assert encode({1: (1, 2), "b": {3}}) == {"1": [1, 2], "b": [3]}
