"""Values for names that a report leaves open."""

from __future__ import annotations

import pytest
from pretended_runs import reading_of

from bugloss.reproduce.completing.settings import setting_for
from bugloss.reproduce.completing.stated import made_from, shown
from bugloss.reproduce.contract import Evidence
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind
from bugloss.reproduce.names.unresolved import Use, undefined


def told_by(body: str) -> Evidence:
    return Evidence(reading_of(body), Expectation(ExpectationKind.UNKNOWN), {"torch": "2.13.0"})


def test_of_so_many_out_of_more_the_name_stands_for_all() -> None:
    """ "16 word numbers out of 400": WORDS is 400, and no sentence of 16 words has only 16 different ones."""
    evidence = told_by("Questions of 16 word numbers out of 400.")
    assert setting_for(Use("WORDS"), evidence, "").code == "400"


def test_the_size_of_a_data_set_is_that_of_its_loader() -> None:
    """A number out of the air made the accuracy larger than one, which the report complained about."""
    text = 'for x, y in train_loader:\n    pass\nprint("acc", right / dataset_size)\n'
    assert setting_for(undefined(text)["dataset_size"], told_by("Hm."), text).code == "len(train_loader.dataset)"


@pytest.mark.parametrize(("body", "code"), [("A PNG file.", '"picture.png"'), ("A photo.", '"picture.jpg"')])
def test_a_picture_has_the_ending_that_the_report_names(body: str, code: str) -> None:
    assert setting_for(Use("image_path"), told_by(body), "").code == code


def test_code_that_a_name_is_said_to_come_from_is_taken() -> None:
    body = "dones comes from `(np.abs(x) < 0.1).astype(float)`, the rest is random."
    found = made_from("dones", told_by(body))
    assert found is not None
    assert found.code == "(np.abs(x) < 0.1).astype(float)"
    assert body[found.quote.start : found.quote.end] == found.quote.text


@pytest.mark.parametrize(
    "body", ["dones comes from the buffer.", "dones comes from `the buffer`.", "It comes from `f(x)`."]
)
def test_words_are_no_code(body: str) -> None:
    assert made_from("dones", told_by(body)) is None


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("    >>> q\n    tensor(0.0870, device='cuda:0', grad_fn=<SumBackward0>)\n", "torch.tensor(0.0870)"),
        ("    # q\n    tensor([0.1, 2.0])\n", "torch.tensor([0.1, 2.0])"),
        ("    In [3]: q\n    Out[3]: array([1, 2])\n", "np.array([1, 2])"),
    ],
)
def test_a_value_that_a_session_shows_is_taken(body: str, code: str) -> None:
    found = shown("q", told_by(body))
    assert found is not None
    assert found.code == code


@pytest.mark.parametrize(
    "body", ["    >>> q\n    tensor([1., 2., ..., 3.])\n", "    >>> p\n    tensor(1)\n", "q is tensor(1)\n"]
)
def test_half_a_value_or_another_ones_is_none(body: str) -> None:
    assert shown("q", told_by(body)) is None
