"""Message templates: what varies from run to run is blanked, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.failure.message import blank


@pytest.mark.parametrize(
    ("message", "template"),
    [
        (
            "mat1 and mat2 shapes cannot be multiplied (10x256 and 400x120)",
            "mat# and mat# shapes cannot be multiplied (#x# and #x#)",
        ),
        ("expected shape (-1, 3.5, 1e-05) but got [None, 7]", "expected shape (#, #, #) but got [None, #]"),
        ("<Tensor object at 0x7f00ab12cd>", "<Tensor object at #>"),
        ("No such file: '/tmp/bugloss-x1/work/data.npy'", "No such file: '#'"),
        ("loss is 1.5e+10 at step +3", "loss is # at step #"),
        ("Input 0 of layer dense_12 is incompatible", "Input # of layer dense_# is incompatible"),
        ("a-1 and x/y stay in shape", "a-# and x/y stay in shape"),
        ("first line\nsecond line 5", "first line"),
        ("\n  padded  \n", "padded"),
        ("", ""),
        ("nothing varies", "nothing varies"),
    ],
)
def test_numbers_addresses_and_paths_are_blanked(message: str, template: str) -> None:
    assert blank(message) == template


def test_the_template_in_a_bug_file_matches_the_message_it_was_made_from() -> None:
    message = "size mismatch, m1: [32 x 400], m2: [256 x 120] at /pytorch/aten/src/TH/generic/THTensorMath.cpp:2070"
    assert blank(blank(message)) == blank(message)


@given(st.text())
def test_a_template_is_its_own_template(message: str) -> None:
    assert blank(blank(message)) == blank(message)


@given(st.text())
def test_no_digit_is_left(message: str) -> None:
    assert not any(character in "0123456789" for character in blank(message))


@given(st.lists(st.integers() | st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=2))
def test_messages_that_differ_in_their_numbers_have_one_template(values: list[float]) -> None:
    first, second = (blank(f"expected {value} samples") for value in values)
    assert first == second == "expected # samples"
