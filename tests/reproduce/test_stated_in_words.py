"""What prose tells of networks, lengths and printed values."""

from __future__ import annotations

import pytest
from pretended_runs import reading_of

from bugloss.reproduce.completing.counts import lengths
from bugloss.reproduce.completing.described import described_network
from bugloss.reproduce.expected.oracle import ExpectationKind, expect


@pytest.mark.parametrize(
    ("words", "layers"),
    [
        ("The model is Linear(32, 48), PReLU, Linear(48, 8).", ("Linear(32, 48)", "PReLU()", "Linear(48, 8)")),
        ("It has nn.Conv2d(1, 8, 3) -> nn.ReLU() -> nn.Flatten().", ("Conv2d(1, 8, 3)", "ReLU()", "Flatten()")),
    ],
)
def test_layers_that_stand_in_a_row_are_a_network(words: str, layers: tuple[str, ...]) -> None:
    found = described_network(reading_of(words), torch=True)
    assert found is not None
    assert found.layers == layers
    assert words[found.quote.start : found.quote.end] == found.quote.text


@pytest.mark.parametrize(
    "words", ["I use Linear layers.", "Adam, SGD and RMSprop do not help.", "Linear(4, 2, is broken), ReLU(", ""]
)
def test_other_words_are_none(words: str) -> None:
    assert described_network(reading_of(words), torch=True) is None


def test_layers_of_the_other_framework_are_none() -> None:
    assert described_network(reading_of("Dense(3), Flatten"), torch=True) is None
    assert described_network(reading_of("Dense(3), Flatten"), torch=False) is not None


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("The signals have 120 samples.", 120),
        ("Four kinds of bird calls, clips of 64 samples.", 64),
        ("texts of 16 words", 16),
        ("The spectrograms have 12 bands and 24 frames.", 24),
    ],
)
def test_how_long_a_sample_is_can_be_told(words: str, number: int) -> None:
    assert [one.number for one in lengths(words)] == [number]


def test_numbers_of_samples_are_no_lengths() -> None:
    assert list(lengths("There are 320 samples and 24 epochs.")) == []


def test_a_line_that_the_code_prints_can_be_expected_again() -> None:
    body = '```python\nprint("epochs run:", len(history.epoch))\n```\n\n```\nepochs run: 3\nval_auc: 0.5\n```\n'
    told = expect(reading_of(body), [])
    assert (told.kind, told.value) == (ExpectationKind.VALUE, "epochs run: 3")
    assert body[told.quotes[0].start : told.quotes[0].end] == "epochs run: 3"


def test_a_line_with_fractions_is_not_expected_to_the_last_digit() -> None:
    body = '```python\nprint("score:", score)\n```\n\n```\nscore: 0.8132\n```\n'
    assert expect(reading_of(body), []).kind is ExpectationKind.UNKNOWN
