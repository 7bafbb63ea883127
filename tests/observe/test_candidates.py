"""Changes that an experiment tries: one literal each, at the place where it was typed."""

from __future__ import annotations

from bugloss.core.diagnosis import Cause, Site
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.candidates import candidates
from bugloss.observe.case import Case
from bugloss.observe.recording import RecordedLayer
from bugloss.observe.sketch import sketch
from bugloss.observe.sources import Sources


def cause(name: str) -> Cause:
    return Cause(name, FixPattern.OPTIMIZER, 0.9, "", "")


def case(source: str, **bent: object) -> Case:
    return Case(sketch(**bent), sources=Sources(lambda path: source))  # type: ignore[arg-type]


def test_a_learning_rate_is_set_to_what_its_optimizer_usually_takes() -> None:
    source = "RATE = 1e-9\noptimizer = SGD(p, lr=RATE)\n"
    given = case(source, optimizer={"kind": "SGD", "site": Site("train.py", 2)})
    (found,) = candidates(given, (cause("learning-rate-too-low"),))
    assert found.edit.apply("train.py", source) == "RATE = 0.01\noptimizer = SGD(p, lr=RATE)\n"
    assert found.edit.text == "write `0.01` instead of `1e-9` in line 1"


def test_epochs_are_multiplied() -> None:
    source = "optimizer = Adam(p)\nfor epoch in range(3):\n    loss.backward()\n"
    given = case(source, optimizer={"site": Site("train.py", 1)})
    (found,) = candidates(given, (cause("too-few-epochs"),))
    assert "range(12)" in found.edit.apply("train.py", source)


def test_only_extreme_dropout_rates_are_changed() -> None:
    source = "a = Dropout(0.95)\nb = Dropout(0.3)\n"
    layers = [
        RecordedLayer("a", "Dropout", settings={"rate": 0.95}, site=Site("train.py", 1)),
        RecordedLayer("b", "Dropout", settings={"rate": 0.3}, site=Site("train.py", 2)),
    ]
    (found,) = candidates(case(source, architecture=layers), (cause("dropout-rate-too-high"),))
    assert found.edit.apply("train.py", source) == "a = Dropout(0.3)\nb = Dropout(0.3)\n"


def test_what_is_no_literal_is_left_alone() -> None:
    given = case("optimizer = SGD(p, lr=choose())\n", optimizer={"kind": "SGD", "site": Site("train.py", 1)})
    assert list(candidates(given, (cause("learning-rate-too-low"),))) == []


def test_causes_that_no_literal_heals_propose_nothing() -> None:
    assert list(candidates(case("x = 1\n"), (cause("missing-optimizer-step"),))) == []
