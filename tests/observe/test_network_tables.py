"""A loss or a layer that is added to the tables of ``core.network`` is judged by the detectors with no other change."""

from __future__ import annotations

from bugloss.core.network.layer import LAYERS, KnownLayer, LayerFamily
from bugloss.core.network.loss import LOSSES, Compares, Encoding, KnownLoss, Reads
from bugloss.observe.detectors.dropout_extreme import DropoutExtreme
from bugloss.observe.detectors.head_loss_mismatch import HeadLossMismatch
from bugloss.observe.recording import Numbers, RecordedLayer
from bugloss.observe.sketch import sketch

FANCY = KnownLoss("FancyLoss", "fancy", "torch", Reads.PROBABILITIES, Compares.CLASSES, Encoding.ONE_HOT)
SCORES = Numbers((64, 10), "float32", -2.0, 3.0, 0.2, 1.0)


def messages() -> list[str]:
    recording = sketch(loss={"kind": "fancy", "name": "FancyLoss", "from_logits": None}, batch={"outputs": SCORES})
    return [symptom.message for symptom in HeadLossMismatch().detect(recording)]


def test_the_invented_loss_is_judged_by_the_numbers_that_reach_it() -> None:
    assert messages() == []
    remove = LOSSES.add(FANCY)
    try:
        assert messages() == ["FancyLoss expects probabilities, but got outputs from -2 to 3."]
    finally:
        remove()


def test_the_invented_layer_is_judged_as_one_of_its_family() -> None:
    recording = sketch(architecture=(RecordedLayer("drop", "FancyMask", settings={"rate": 0.97}),))
    assert list(DropoutExtreme().detect(recording)) == []
    remove = LAYERS.add(KnownLayer("FancyMask", "torch", LayerFamily.DROPOUT, ("rate",), like="Dropout"))
    try:
        assert [symptom.layer for symptom in DropoutExtreme().detect(recording)] == ["drop"]
    finally:
        remove()
