"""A loss that is added to the tables of ``core.network`` gets the targets that it compares with."""

from __future__ import annotations

from bugloss.core.network.loss import LOSSES, Compares, Encoding, KnownLoss, Reads
from bugloss.reproduce.data.spec import DataMeaning
from bugloss.reproduce.data.targets import _field

FANCY = KnownLoss("FancyLoss", "fancy", "torch", Reads.SCORES, Compares.CLASSES, Encoding.CLASS_NUMBERS, class_axis=1)


def test_the_invented_loss_gets_class_numbers() -> None:
    assert _field("FancyLoss", (10,), 10).meaning is DataMeaning.VALUES
    remove = LOSSES.add(FANCY)
    try:
        made = _field("FancyLoss", (10, 8, 8), 10)
        assert (made.meaning, made.shape, made.classes) == (DataMeaning.CLASSES, (8, 8), 10)
    finally:
        remove()
