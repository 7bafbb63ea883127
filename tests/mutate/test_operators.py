"""Every operator makes of its examples what it says, leaves the others alone, and has a name of its own."""

from __future__ import annotations

import pytest

from bugloss.mutate.contract import MutationExample, MutationGroup, MutationOperator
from bugloss.mutate.mutants import mutants_of
from bugloss.mutate.operators import OPERATORS

EXAMPLES = [(operator, example) for operator in OPERATORS for example in operator.examples]
UNTOUCHED = [(operator, program) for operator in OPERATORS for program in operator.untouched]


def name_of(value: object) -> str | None:
    return value.name if isinstance(value, MutationOperator) else None


@pytest.mark.parametrize(("operator", "example"), EXAMPLES, ids=name_of)
def test_the_first_edit_gives_the_expected_program(operator: MutationOperator, example: MutationExample) -> None:
    mutants = list(mutants_of({"train.py": example.program}, [operator]))
    assert mutants[0].text == example.expected


@pytest.mark.parametrize(("operator", "example"), EXAMPLES, ids=name_of)
def test_the_inverse_of_an_edit_restores_the_program(operator: MutationOperator, example: MutationExample) -> None:
    for mutant in mutants_of({"train.py": example.program}, [operator]):
        assert mutant.edit.inverse.apply("train.py", mutant.text) == example.program


@pytest.mark.parametrize(("operator", "program"), UNTOUCHED, ids=name_of)
def test_an_operator_finds_nothing_where_its_fault_cannot_be(operator: MutationOperator, program: str) -> None:
    assert list(mutants_of({"train.py": program}, [operator])) == []


def test_there_are_at_least_24_operators_and_one_in_every_group() -> None:
    names = [operator.name for operator in OPERATORS]
    assert len(names) == len(set(names)) >= 24
    assert {operator.group for operator in OPERATORS} == set(MutationGroup)


def test_every_operator_has_proofs_of_both_kinds_and_an_explanation() -> None:
    assert [one.name for one in OPERATORS if len(one.examples) < 2 or not one.untouched or not one.__doc__] == []


def test_deepcrimes_24_operators_are_there() -> None:
    published = {"TCL", "TRD", "TUD", "TAN", "TCO"} | {"HBS", "HLR", "HNE", "HDB"} | {"ACH", "ARM", "AAL"}
    published |= {"RAW", "RCW", "RRW", "RCD", "RCP"} | {"WCI", "WAB", "WRB"} | {"LCH", "OCH", "OCG", "VRM"}
    assert len(published) == 24
    assert {operator.deepcrime for operator in OPERATORS} - {""} == published
