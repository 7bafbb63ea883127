"""The query language: what it lets through, and that a typing error is an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_corpus import FACTS, TinyCorpus

from bugloss.core.errors import InvalidInput
from bugloss.corpus.entry import Entry
from bugloss.corpus.where import FIELDS, parse, select, value_of

LABELS = FACTS["labels"]


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> list[Entry]:
    tiny = TinyCorpus(tmp_path_factory.mktemp("where") / "bugs")
    tiny.add("torch-0001", seconds=2)
    tiny.add("torch-0002", kind="symptom", seconds=5, labels={**LABELS, "category": "training"})
    keras = {"framework": "keras", "stack": "keras3"}
    tiny.add("keras-0001", seconds=10, title="Shape [None, 3] does not fit", **keras)
    tiny.add("keras-0002", kind="value", labels={**LABELS, "edit_actions": []}, **keras)
    return list(tiny.load().values())


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (None, "k1 k2 t1 t2"),
        ("", "k1 k2 t1 t2"),
        ("framework=torch", "t1 t2"),
        ("framework = torch", "t1 t2"),
        ("framework!=torch", "k1 k2"),
        ("not framework=torch", "k1 k2"),
        ("not not framework=torch", "t1 t2"),
        ("category=tensor and framework=torch", "t1"),
        ("category=training or framework=keras", "k1 k2 t2"),
        ("category=training or framework=keras and oracle=value", "k2 t2"),
        ("(category=training or framework=keras) and oracle=value", "k2"),
        ("not (framework=keras or category=training)", "t1"),
        ("id in (torch-0001, keras-0002)", "k2 t1"),
        ("category in (training)", "t2"),
        ("title ~ 'none, 3'", "k1"),
        ('title~"SHAPE"', "k1"),
        ("id ~ keras", "k1 k2"),
        ("seconds<5", "k2 t1"),
        ("seconds<=5", "k2 t1 t2"),
        ("seconds>5", "k1"),
        ("seconds>=1e1", "k1"),
        ("seconds=2", "t1"),
        ("seconds=2.0", "t1"),
        ("edit_actions=import-addition", "k1 t1 t2"),
        ("edit_actions!=import-addition", "k2"),
        ("aliases='SO 1'", "k1 k2 t1 t2"),
        ("exception=IndexError", "k1 t1"),
        ("python=3.11 and stack=torch", "t1 t2"),
        ("status=active and source=stackoverflow", "k1 k2 t1 t2"),
        ("id=nothing-like-it", ""),
    ],
)
def test_a_query_lets_through_what_it_says(entries: list[Entry], query: str | None, expected: str) -> None:
    short = {"k": "keras-000", "t": "torch-000"}
    assert [entry.id for entry in select(entries, query)] == [short[name[0]] + name[1] for name in expected.split()]


@pytest.mark.parametrize(
    ("query", "sentence", "hint"),
    [
        ("framwork=torch", "there is no field 'framwork'.", "Did you mean 'framework'?"),
        ("zzz=torch", "there is no field 'zzz'.", "Known: id, title, "),
        ("framework=tortch", "'framework' has no value 'tortch'", "Did you mean 'torch'?"),
        ("category in (tensor, modl)", "'category' has no value 'modl'", "Did you mean 'model'"),
        ("stack=keras4", "'stack' has no value 'keras4'", "Did you mean 'keras3'"),
        ("framework", "'framework' must be compared with a value, as in framework=value", "Example: "),
        ("framework torch", "'framework' must be compared with a value", "Example: "),
        ("framework=", "a value is missing at the end", "Example: "),
        ("=torch", "a field is missing before '='", "Example: "),
        ("framework=torch and", "a field is missing at the end", "Example: "),
        ("framework=torch keras", "'keras' is unexpected; join comparisons with and, or, not", "Example: "),
        ("framework=torch)", "')' is unexpected", "Example: "),
        ("(framework=torch", "')' is missing at the end", "Example: "),
        ("framework in torch", "'(' is missing before 'torch'", "Example: "),
        ("framework in (torch", "')' is missing at the end", "Example: "),
        ("framework in ()", "a value is missing before ')'", "Example: "),
        ("seconds<fast", "'fast' is not a number", "Example: "),
        ("category<tensor", "'category' has no order; use = or ~", "Example: "),
        ("title='open", "is not valid at ''open'", ""),
        ("framework==torch", "a value is missing before '='", "Example: "),
        ("!framework=torch", "is not valid at '!framework=torch'", ""),
        ("   ", "a field is missing at the end", "Example: "),
    ],
)
def test_a_typing_error_is_an_error_with_the_word_that_is_wrong(query: str, sentence: str, hint: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(query)
    assert sentence in refused.value.message
    assert refused.value.hint.startswith(hint)


def test_nesting_without_end_is_refused_too() -> None:
    for query in ("(" * 3_000, "not " * 3_000 + "framework=torch"):
        with pytest.raises(InvalidInput, match="is not valid"):
            parse(query)


def test_a_long_query_is_not_repeated_in_full() -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(" or ".join(["id=x"] * 5000) + " or")
    assert len(refused.value.message) < 400


@given(st.text(max_size=40))
def test_any_text_is_a_query_or_refused_in_our_words(query: str) -> None:
    try:
        parse(query)
    except InvalidInput as error:
        assert error.message


pieces = st.sampled_from(
    [
        "and",
        "or",
        "not",
        "(",
        ")",
        ",",
        "=",
        "!=",
        "~",
        "<",
        ">=",
        "in",
        "id",
        "seconds",
        "framework",
        "torch",
        "5",
        "'a b'",
    ]
)


@given(st.lists(pieces, max_size=12))
def test_any_order_of_its_words_is_a_query_or_refused_in_our_words(words: list[str]) -> None:
    try:
        parse(" ".join(words))
    except InvalidInput as error:
        assert error.message


@given(st.sampled_from(sorted(FIELDS)), st.text("abc 5=<>()'", max_size=8))
def test_a_field_equals_its_own_value_when_it_is_quoted(field: str, value: str) -> None:
    """A value with any characters can be asked for, but for the quotation mark itself."""
    if '"' in value:
        return
    try:
        parse(f'{field}="{value}"')
    except InvalidInput as error:
        assert "has no value" in error.message


def test_every_field_can_be_asked_of_every_bug(entries: list[Entry]) -> None:
    for entry in entries:
        for field in FIELDS:
            value = value_of(entry, field)
            assert isinstance(value, str | float | list)


def test_an_unknown_field_is_refused_by_name(entries: list[Entry]) -> None:
    with pytest.raises(InvalidInput, match="there is no field 'colour'"):
        value_of(entries[0], "colour")


def test_the_help_of_list_names_every_field() -> None:
    from bugloss.show.cli.verbs import list_bugs

    text = " ".join((list_bugs.command.__doc__ or "").split())
    assert f"Fields: {', '.join(FIELDS)}." in text


def test_the_query_does_not_touch_files(tmp_path: Path) -> None:
    assert select([], "framework=torch") == []
    assert list(tmp_path.iterdir()) == []
