"""Warnings of frameworks that tell of a fault: each wording is recognised, and as one thing only."""

from __future__ import annotations

import re

import pytest

from bugloss.observe.known_warnings import KNOWN_WARNINGS, KnownWarning


@pytest.mark.parametrize("known", KNOWN_WARNINGS, ids=lambda known: known.pattern[:30])
def test_a_wording_is_recognised_as_one_thing_only(known: KnownWarning) -> None:
    found = [other.meaning for other in KNOWN_WARNINGS if re.search(other.pattern, known.example, re.IGNORECASE)]
    assert found == [known.meaning]
    assert not known.meaning.endswith(".")


@pytest.mark.parametrize(
    "message",
    [
        "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.",
        "Do not pass an `input_shape`/`input_dim` argument to a layer.",
        "`np.bool` is a deprecated alias for the builtin `bool`.",
        "The default value of n_init will change from 10 to 'auto' in 1.4.",
        "torch.cuda.amp.GradScaler(args...) is deprecated.",
        "You are saving your model as an HDF5 file.",
    ],
)
def test_noise_is_not_repeated(message: str) -> None:
    assert not [known for known in KNOWN_WARNINGS if re.search(known.pattern, message, re.IGNORECASE)]
