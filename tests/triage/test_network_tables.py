"""A loss or a layer that is added to the tables of ``core.network`` is known to triage with no other change."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bugloss.core.network.layer import LAYERS, KnownLayer, LayerFamily
from bugloss.core.network.loss import LOSSES, Compares, Encoding, KnownLoss, Reads
from bugloss.core.report import Report
from bugloss.triage.features import features

LOSS = KnownLoss("FancyLoss", "fancy", "torch", Reads.PROBABILITIES, Compares.CLASSES, Encoding.ONE_HOT)
LAYER = KnownLayer("FancyLinear", "torch", LayerFamily.DENSE, ("in_features", "out_features"), like="Linear")
FAMILY = "mutually exclusive classes, one-hot rows"
CODE = "model = nn.Sequential(nn.FancyLinear(16, 2)) criterion = nn.FancyLoss()"


@pytest.fixture
def invented() -> Iterator[None]:
    undo = [LOSSES.add(LOSS), LAYERS.add(LAYER)]
    yield
    for remove in undo:
        remove()


def clues() -> dict[str, float]:
    return features(Report(title="Loss stays", body=CODE)).clues


def test_the_invented_loss_and_layer_are_read_and_judged(invented: None) -> None:
    assert {f"loss:{FAMILY}", "units:2", "head:linear", "outputs:1", "head-fights-loss"} <= clues().keys()


def test_without_the_rows_nothing_is_known() -> None:
    assert {"units:none", "head:none", "outputs:0"} <= clues().keys()
    assert not any(name.startswith(("loss:", "head-")) for name in clues())
