"""Random search and AutoTrainer's table turn the settings of a program, and nothing else."""

from __future__ import annotations

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.repair.baselines.autotrainer import autotrainer_changes
from bugloss.repair.baselines.knobs import KnobKind, knobs
from bugloss.repair.baselines.random_search import random_changes
from bugloss.repair.case import RepairCase
from bugloss.source.project import Project

PROGRAM = """\
import torch
from torch import nn

BATCH_SIZE = 32
model = nn.Sequential(nn.Linear(4, 8), nn.Sigmoid(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=10.0)
loader = torch.utils.data.DataLoader(data, batch_size=BATCH_SIZE)
"""


def case(*symptoms: str) -> RepairCase:
    project = Project({"train.py": PROGRAM}.get, ("train.py",))
    seen = tuple(Symptom(name, Severity.ERROR, "It is seen.") for name in symptoms)
    return RepairCase(project, "train.py", symptoms=seen)


def test_the_settings_of_a_program_are_found() -> None:
    found = [(knob.kind, knob.value) for knob in knobs(case().project)]
    assert found == [
        (KnobKind.BATCH, "32"),
        (KnobKind.ACTIVATION, "nn.Sigmoid"),
        (KnobKind.OPTIMIZER, "torch.optim.SGD"),
        (KnobKind.RATE, "10.0"),
    ]


def test_random_changes_are_the_same_for_the_same_seed() -> None:
    first, second = random_changes(case(), 1), random_changes(case(), 1)
    assert [patch.edit for patch in first] == [patch.edit for patch in second]
    assert [patch.edit for patch in first] != [patch.edit for patch in random_changes(case(), 2)]
    assert all(patch.edit.apply("train.py", PROGRAM) != PROGRAM for patch in first)


def test_autotrainer_lowers_the_rate_of_a_training_that_diverges() -> None:
    [first, *_] = autotrainer_changes(case("loss-diverging"))
    assert "lr=1)" in first.edit.apply("train.py", PROGRAM)


def test_autotrainer_does_nothing_without_a_symptom() -> None:
    assert list(autotrainer_changes(case())) == []
