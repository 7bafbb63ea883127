"""Patterns of a fix, read from its diff."""

from __future__ import annotations

import pytest

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.fix_kinds import fix_kinds

PROGRAM = """\
import torch
from torch import nn

EPOCHS = 3
model = nn.Sequential(nn.Linear(8, 16), nn.Sigmoid(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=10.0)
criterion = nn.MSELoss()
loss = criterion(model(x), y)
"""


@pytest.mark.parametrize(
    ("old", "new", "pattern"),
    [
        ("lr=10.0", "lr=0.1", FixPattern.OPTIMIZER),
        ("nn.MSELoss()", "nn.CrossEntropyLoss()", FixPattern.LOSS_FUNCTION),
        ("nn.Sigmoid()", "nn.ReLU()", FixPattern.ACTIVATION),
        ("EPOCHS = 3", "EPOCHS = 30", FixPattern.ITERATIONS),
        ("nn.Linear(16, 3)", "nn.Linear(16, 5)", FixPattern.LAYER_DIMENSION),
        ("model(x), y)", "model(x), y.long())", FixPattern.DATA_TYPE),
        ("model(x), y)", "model(x).squeeze(-1), y)", FixPattern.DATA_DIMENSION),
        ("loss = ", "optimizer.zero_grad()\nloss = ", FixPattern.API_CONTRACT),
        ("EPOCHS = 3", "torch.manual_seed(0)\nEPOCHS = 3", FixPattern.SEED),
    ],
)
def test_what_a_change_changes_is_its_pattern(old: str, new: str, pattern: FixPattern) -> None:
    [first, *_] = fix_kinds({"a.py": PROGRAM}, {"a.py": PROGRAM.replace(old, new)})
    assert first.pattern is pattern
    assert first.evidence


def test_two_changes_have_two_patterns() -> None:
    after = PROGRAM.replace("lr=10.0", "lr=0.1").replace("nn.Sigmoid()", "nn.ReLU()")
    found = {kind.pattern for kind in fix_kinds({"a.py": PROGRAM}, {"a.py": after})}
    assert found == {FixPattern.OPTIMIZER, FixPattern.ACTIVATION}


def test_other_layout_is_no_fix() -> None:
    assert fix_kinds({"a.py": PROGRAM}, {"a.py": PROGRAM.replace("EPOCHS = 3", "EPOCHS=3  # few")}) == ()
