"""The optimizer and its settings."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.baselines.knobs import KnobKind, knobs
from bugloss.repair.calls_in_training import schedule_per_epoch
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator

_SURE = 0.1  # a guess: what a cause proposes comes first


def _alarms(case: RepairCase) -> bool:
    return any(symptom.severity.rank > 0 for symptom in case.symptoms)


class OptimizerFix(FixGenerator):
    """What it changes
    ---------------
    The learning rate, another algorithm, and its parameters.

    When it is tried
    ----------------
    With causes about rates and optimizers. Where a training shows symptoms and no cause brings a rate, one
    tenth and ten times the rate are tried.

    Known problems
    --------------
    A rate that helps a short training may be too high for a long one.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.OPTIMIZER
    examples = (
        FixExample(
            """\
import torch


def train(model, loader, optimizer, lr_schedule, criterion):
    for epoch in range(30):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
            lr_schedule.step()
        print(epoch)
""",
            """\
import torch


def train(model, loader, optimizer, lr_schedule, criterion):
    for epoch in range(30):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        lr_schedule.step()
        print(epoch)
""",
            causes=("wrong-schedule",),
        ),
        FixExample(
            """\
import torch
from torch import nn


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.00000001)
criterion = nn.CrossEntropyLoss()
inputs, targets = torch.randn(32, 8), torch.randint(0, 3, (32,))
for step in range(20):
    optimizer.zero_grad()
    loss = criterion(model(inputs), targets)
    loss.backward()
    optimizer.step()
""",
            """\
import torch
from torch import nn


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-07)
criterion = nn.CrossEntropyLoss()
inputs, targets = torch.randn(32, 8), torch.randint(0, 3, (32,))
for step in range(20):
    optimizer.zero_grad()
    loss = criterion(model(inputs), targets)
    loss.backward()
    optimizer.step()
""",
            causes=("learning-rate-too-low",),
        ),
    )

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        schedule = case.named("wrong-schedule")
        for module in case.project.modules() if schedule is not None and not schedule.edits else ():
            for moved in schedule_per_epoch(module):
                if schedule is not None:
                    yield self.patch(moved, schedule.confidence, schedule.explanation)
        known = list(case.of_pattern(self.fix_pattern))
        if any(cause.edits for cause in known) or case.crash is not None or not (known or _alarms(case)):
            return
        too_low = any(cause.cause == "learning-rate-too-low" for cause in known)
        reason = known[0].explanation if known else "The training shows symptoms that another learning rate may remove."
        sure = round(known[0].confidence / 2, 3) if known else _SURE
        for knob in (knob for knob in knobs(case.project) if knob.kind is KnobKind.RATE):
            for factor in (10.0, 0.1) if too_low else (0.1, 10.0):
                edit = knob.scaled(factor)
                if edit is not None:
                    yield self.patch(edit, sure, reason)
