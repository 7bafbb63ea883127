"""Message templates: what varies from run to run is blanked, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.failure.message import agreeing_numbers, blank, missing_module, similarity, template


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


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("takes 1 positional argument but 2 were given", "takes exactly 1 argument (2 given)"),
        ("No module named cv2", "No module named 'cv2'"),
        ("expected (None, 4), got (32, 4)", "expected (8, 4), got (?, 4)"),
        ("found at least two devices, cuda:0 and cpu!", "found at least two devices, cpu and cuda:1!"),
        ("Input of layer dense_3 is wrong", "Input of layer dense is wrong"),
        ('Exception encountered when calling Net.call().\n\nbad "x"', "bad `x`."),
    ],
)
def test_one_error_in_the_words_of_two_releases_has_one_template(first: str, second: str) -> None:
    assert template(first) == template(second)
    assert similarity(first, second) == pytest.approx(1)


def test_messages_of_other_errors_are_not_similar() -> None:
    assert similarity("index 4 is out of bounds for axis 0", "CUDA out of memory") < 0.5
    assert similarity("", "CUDA out of memory") == 0


def test_numbers_are_compared_place_by_place() -> None:
    assert agreeing_numbers("shapes (32x400 and 256x120)", "shapes (32x400 and 128x120)") == (3, 4)


@pytest.mark.parametrize(
    ("text", "module"),
    [
        ("ModuleNotFoundError: No module named 'einops'", "einops"),
        ("ModuleNotFoundError: No module named 'sklearn.externals'; 'sklearn' is a package", "sklearn.externals"),
        ("ImportError: No module named cPickle", "cPickle"),
        ("RuntimeError: no kernel image is available", ""),
    ],
)
def test_the_module_that_is_missing(text: str, module: str) -> None:
    assert missing_module(text) == module
