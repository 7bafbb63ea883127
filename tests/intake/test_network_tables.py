"""Layers, losses and optimizers of reports are those of the tables of ``core.network``."""

from __future__ import annotations

from bugloss.core.network.layer import LAYERS, KnownLayer, LayerFamily
from bugloss.core.network.loss import LOSSES, Compares, Encoding, KnownLoss, Reads
from bugloss.core.report import FactKind
from bugloss.intake.facts.named_things import find_named_things

TEXT = "I train nn.FancyLinear(3, 4) and MaxPool2D with nn.FancyLoss() and AdamW. Add a layer? Average loss is high."


def facts() -> set[tuple[FactKind, str]]:
    return {(fact.kind, fact.value) for fact in find_named_things(TEXT, ())}


def test_names_that_are_added_as_rows_are_facts_of_a_report() -> None:
    loss = KnownLoss("FancyLoss", "fancy", "torch", Reads.PROBABILITIES, Compares.CLASSES, Encoding.ONE_HOT)
    undo = [LOSSES.add(loss), LAYERS.add(KnownLayer("FancyLinear", "torch", LayerFamily.DENSE))]
    try:
        assert {(FactKind.LAYER, "FancyLinear"), (FactKind.LOSS, "FancyLoss")} <= facts()
    finally:
        for remove in undo:
            remove()
    assert not {value for _, value in facts()} & {"FancyLinear", "FancyLoss"}


def test_names_in_any_spelling_of_a_program_are_found_and_words_of_english_are_not() -> None:
    found = {value for kind, value in facts() if kind in {FactKind.LAYER, FactKind.OPTIMIZER}}
    assert found == {"MaxPool2D", "AdamW"}
