"""A loss or a layer that is added to the tables of ``core.network`` is known to ``check`` with no other change."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bugloss.check.running.inspection import check_text
from bugloss.check.running.selection import Selection
from bugloss.core.network.layer import LAYERS, KnownLayer, LayerFamily
from bugloss.core.network.loss import LOSSES, Compares, Encoding, KnownLoss, Reads, loss
from bugloss.core.network.metric import metric, metric_misfit

LOSS = KnownLoss(
    "FancyLoss", "fancy", "torch", Reads.PROBABILITIES, Compares.CLASSES, Encoding.ONE_HOT, ("fancy_loss",)
)
LAYER = KnownLayer("FancyLinear", "torch", LayerFamily.DENSE, ("in_features", "out_features"), like="Linear")
PROGRAM = """
import torch
from torch import nn

def train(loader):
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.{layer}({inputs}, 3))
    criterion = nn.FancyLoss()
    for x, y in loader:
        criterion(model(torch.randn(4, 8)), y).backward()
"""


@pytest.fixture
def invented() -> Iterator[None]:
    undo = [LOSSES.add(LOSS), LAYERS.add(LAYER)]
    yield
    for remove in undo:
        remove()


def rules(text: str) -> set[str]:
    return {finding.rule for finding in check_text(text, Selection())}


def test_the_invented_loss_is_judged(invented: None) -> None:
    assert "head-loss-mismatch" in rules(PROGRAM.format(layer="FancyLinear", inputs=16))


def test_the_invented_layer_has_the_shape_of_its_kind(invented: None) -> None:
    assert "shape-conflict" in rules(PROGRAM.format(layer="FancyLinear", inputs=15))


def test_without_the_rows_nothing_is_known() -> None:
    assert not rules(PROGRAM.format(layer="FancyLinear", inputs=15)) & {"head-loss-mismatch", "shape-conflict"}


def test_a_functional_linear_hides_what_came_before() -> None:
    text = """
import torch
import torch.nn.functional as F

def loss(x, weight, y):
    return F.cross_entropy(F.linear(torch.softmax(F.linear(x, weight), 1), weight), y)
"""
    assert "head-loss-mismatch" not in rules(text)


@pytest.mark.parametrize(
    ("name", "loss_name", "units", "logits", "suits"),
    [
        ("accuracy", "mse", 1, False, False),
        ("mae", "mse", 1, False, True),
        ("categorical_accuracy", "sparse_categorical_crossentropy", 4, False, False),
        ("sparse_categorical_accuracy", "sparse_categorical_crossentropy", 4, True, True),
        ("accuracy", "binary_crossentropy", 1, True, False),
        ("accuracy", "categorical_crossentropy", 4, True, True),
        ("binary_accuracy", "categorical_crossentropy", 4, False, False),
    ],
)
def test_a_metric_suits_the_loss_whose_outputs_and_targets_it_reads(
    name: str, loss_name: str, units: int, logits: bool, suits: bool
) -> None:
    known, trained = metric(name, "keras"), loss(loss_name, "keras")
    assert known is not None
    assert trained is not None
    assert (metric_misfit(known, trained, units, logits) == "") is suits
