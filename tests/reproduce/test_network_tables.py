"""A loss or a layer that is added to the tables of ``core.network`` gets the data that it takes, with no other change."""

from __future__ import annotations

from pretended_runs import reading_of

from bugloss.core.network.layer import LAYERS, KnownLayer, LayerFamily
from bugloss.core.network.loss import LOSSES, Compares, Encoding, KnownLoss, Reads
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.data.solving import solve
from bugloss.reproduce.data.spec import DataField, DataMeaning
from bugloss.reproduce.data.targets import _field
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind, ExpectedException

FANCY = KnownLoss("FancyLoss", "fancy", "torch", Reads.SCORES, Compares.CLASSES, Encoding.CLASS_NUMBERS, class_axis=1)


def test_the_invented_loss_gets_class_numbers() -> None:
    assert _field("FancyLoss", (10,), 10).meaning is DataMeaning.VALUES
    remove = LOSSES.add(FANCY)
    try:
        made = _field("FancyLoss", (10, 8, 8), 10)
        assert (made.meaning, made.shape, made.classes) == (DataMeaning.CLASSES, (8, 8), 10)
    finally:
        remove()


WORDS = KnownLayer("FancyWords", "torch", LayerFamily.EMBEDDING, ("num_embeddings", "embedding_dim"), like="Embedding")
PROGRAM = """import torch.nn as nn
net = nn.Sequential(nn.FancyWords(50, 16), nn.Linear(16, 3))
for x, y in loader:
    loss = nn.CrossEntropyLoss()(net(x), y)
"""


def inputs() -> DataField:
    expected = Expectation(ExpectationKind.EXCEPTION, (ExpectedException("RuntimeError", "boom"),))
    releases = {"torch": "2.13.0"}
    evidence = EditEvidence(reading_of("It fails."), expected, releases, frozenset(releases))
    return next(solve(PROGRAM, evidence)).specs[0].fields[0]


def test_the_invented_layer_gets_the_inputs_of_its_family() -> None:
    assert inputs().meaning is DataMeaning.FEATURES
    remove = LAYERS.add(WORDS)
    try:
        assert (inputs().meaning, inputs().dtype, inputs().high) == (DataMeaning.TOKENS, "int64", 50)
    finally:
        remove()
