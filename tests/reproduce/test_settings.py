"""Values for names that a report leaves open."""

from __future__ import annotations

import pytest
from pretended_runs import reading_of

from bugloss.reproduce.completing.settings import setting_for
from bugloss.reproduce.completing.stated import shown
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind
from bugloss.reproduce.program.draft import undefined
from bugloss.source.undefined_uses import NameUse


def evidence_of(body: str) -> EditEvidence:
    return EditEvidence(reading_of(body), Expectation(ExpectationKind.UNKNOWN), {"torch": "2.13.0"})


def test_the_size_of_a_data_set_is_that_of_its_loader() -> None:
    """A number out of the air made the accuracy larger than one, which the report complained about."""
    text = 'for x, y in train_loader:\n    pass\nprint("acc", right / dataset_size)\n'
    assert setting_for(undefined(text)["dataset_size"], evidence_of("Hm."), text).code == "len(train_loader.dataset)"


@pytest.mark.parametrize(("body", "code"), [("A PNG file.", '"image.png"'), ("A photo.", '"image.jpg"')])
def test_a_picture_has_the_ending_that_the_report_names(body: str, code: str) -> None:
    assert setting_for(NameUse("image_path"), evidence_of(body), "").code == code


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("    >>> q\n    tensor(0.0870, device='cuda:0', grad_fn=<SumBackward0>)\n", "torch.tensor(0.0870)"),
        ("    # q\n    tensor([0.1, 2.0])\n", "torch.tensor([0.1, 2.0])"),
        ("    In [3]: q\n    Out[3]: array([1, 2])\n", "np.array([1, 2])"),
    ],
)
def test_a_value_that_a_session_shows_is_taken(body: str, code: str) -> None:
    found = shown("q", evidence_of(body))
    assert found is not None
    assert found.code == code


@pytest.mark.parametrize(
    "body", ["    >>> q\n    tensor([1., 2., ..., 3.])\n", "    >>> p\n    tensor(1)\n", "q is tensor(1)\n"]
)
def test_half_a_value_or_another_ones_is_none(body: str) -> None:
    assert shown("q", evidence_of(body)) is None
