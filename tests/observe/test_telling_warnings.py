"""Warnings of frameworks that tell of a fault: each wording is recognised, and as one thing only."""

from __future__ import annotations

import re

import pytest

from bugloss.observe.telling_warnings import TELLING, TellingWarning


@pytest.mark.parametrize("telling", TELLING, ids=lambda telling: telling.pattern[:30])
def test_a_wording_is_recognised_as_one_thing_only(telling: TellingWarning) -> None:
    found = [other.meaning for other in TELLING if re.search(other.pattern, telling.example, re.IGNORECASE)]
    assert found == [telling.meaning]
    assert not telling.meaning.endswith(".")


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
    assert not [telling for telling in TELLING if re.search(telling.pattern, message, re.IGNORECASE)]
