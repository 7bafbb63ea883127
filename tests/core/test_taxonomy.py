"""The taxonomy: closed sets of labels that are defined, sourced and easy to name."""

from __future__ import annotations

import pickle
import re
from collections import Counter

import pytest

from bugloss.core.errors import InvalidInput
from bugloss.core.taxonomy import (
    BugType,
    Category,
    EditAction,
    FixPattern,
    GeneralType,
    Information,
    Label,
    Origin,
    Property,
    Source,
    SymptomType,
    facets,
)

LABELS = [label for facet in facets().values() for label in facet]

every_facet = pytest.mark.parametrize("facet", facets().values(), ids=facets())
every_label = pytest.mark.parametrize("label", LABELS, ids=lambda label: f"{label.facet()}:{label}")


def test_facets_come_in_a_fixed_order_with_a_known_number_of_labels() -> None:
    assert [(name, len(facet)) for name, facet in facets().items()] == [
        ("category", 6),
        ("bug_type", 34),
        ("general_type", 6),
        ("symptom", 6),
        ("property", 7),
        ("fix_pattern", 21),
        ("edit_action", 10),
        ("information", 5),
        ("origin", 6),
    ]


def test_facets_maps_each_name_to_its_class() -> None:
    assert list(facets().values()) == [
        Category,
        BugType,
        GeneralType,
        SymptomType,
        Property,
        FixPattern,
        EditAction,
        Information,
        Origin,
    ]


@every_label
def test_a_label_is_its_slug(label: Label) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", label.value)
    assert str(label) == f"{label}" == label.value
    assert label.name == label.value.replace("-", "_").upper()
    assert type(label)(label.value) is label


@every_label
def test_a_definition_is_one_sentence_on_one_line(label: Label) -> None:
    assert 20 <= len(label.definition) <= 160
    assert "\n" not in label.definition
    assert label.definition[0].isupper()
    assert label.definition.endswith(".")
    assert "|" not in label.definition + label.title, "would break the table of the reference page"


@every_label
def test_a_label_survives_pickling(label: Label) -> None:
    assert pickle.loads(pickle.dumps(label)) is label


@every_facet
def test_no_two_labels_of_a_facet_share_a_slug_or_title(facet: type[Label]) -> None:
    assert len(facet.__members__) == len(list(facet)), "an alias hides a repeated slug"
    assert len({label.title for label in facet}) == len(list(facet))


def test_no_two_labels_share_a_definition() -> None:
    repeated = [definition for definition, count in Counter(label.definition for label in LABELS).items() if count > 1]
    assert repeated == []


def test_every_source_is_used_and_can_be_looked_up() -> None:
    assert {label.source for label in LABELS} == set(Source)
    assert len({source.key for source in Source}) == len(Source)
    for source in Source:
        if source is not Source.BUGLOSS:
            assert source.url.startswith(("https://doi.org/", "https://arxiv.org/", "https://github.com/"))


@every_label
def test_parse_takes_slug_title_and_member_name_in_any_spelling(label: Label) -> None:
    facet = type(label)
    for spelling in (label.value, label.title, label.name, label.title.upper(), f"  {label.value.replace('-', ' ')} "):
        assert facet.parse(spelling) is label


def test_parse_suggests_the_nearest_label() -> None:
    with pytest.raises(InvalidInput, match=r"^unknown category 'tensors'; did you mean 'tensor'\?$"):
        Category.parse("tensors")


def test_parse_names_the_facet_in_words() -> None:
    with pytest.raises(
        InvalidInput, match=r"^unknown bug type 'Wrong batch size'; did you mean 'suboptimal-batch-size'"
    ):
        BugType.parse("Wrong batch size")


@every_facet
@pytest.mark.parametrize("text", ["xyzzy", "", "&"])
def test_parse_shows_the_choices_when_nothing_is_near(facet: type[Label], text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        facet.parse(text)
    for label in facet:
        assert label.value in f"{caught.value.message} {caught.value.hint}"


def test_an_unknown_slug_is_no_label() -> None:
    with pytest.raises(ValueError, match="tensors"):
        Category("tensors")


def test_thirty_bug_types_stand_in_the_public_data_and_four_only_in_the_paper() -> None:
    assert sum(label.in_public_data for label in BugType) == 30
    assert [label.value for label in BugType if not label.in_public_data] == [
        "incorrect-state-sharing",
        "missing-destination-gpu-device",
        "missing-softmax-layer",
        "wrong-model-initialization",
    ]


def test_every_bug_type_knows_its_usual_category() -> None:
    assert Counter(label.category for label in BugType) == {
        Category.MODEL: 11,
        Category.TRAINING: 11,
        Category.TENSOR: 5,
        Category.API: 5,
        Category.GPU: 2,
    }
    assert BugType.WRONG_TENSOR_SHAPE.category is Category.TENSOR
    assert BugType.SUBOPTIMAL_LEARNING_RATE.category is Category.TRAINING


def test_fifteen_fix_patterns_are_published_and_six_are_ours() -> None:
    assert [label.value for label in FixPattern if label.ours] == [
        "device",
        "environment",
        "initialization",
        "regularization",
        "seed",
        "performance",
    ]
    assert {label.source for label in FixPattern if not label.ours} == {Source.DNN_REPAIR}


def test_edit_actions_are_coded_a1_to_a10_in_order() -> None:
    assert [label.code for label in EditAction] == [f"A{number}" for number in range(1, 11)]
    assert "".join(label.letter for label in EditAction) == "DNHRLOCPMV"
    assert EditAction.VERSION_MIGRATION.code == "A10"


def test_information_has_the_letters_of_the_published_data() -> None:
    assert "".join(label.letter for label in Information) == "DNHCL"


def test_all_origins_but_intrinsic_are_extrinsic() -> None:
    assert [label.value for label in Origin if label.extrinsic] == [
        "environment",
        "requirement",
        "third-party-library",
        "hardware",
        "data",
    ]
