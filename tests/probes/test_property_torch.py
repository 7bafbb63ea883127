"""Properties tried on a copy: a sound model has them, a spoilt one does not, and the program never notices."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from bugloss.observe.recording import read
from bugloss.probes.observe.relations import load
from bugloss.run.environment import Environment

PROGRAM = '''
import sys
import torch
from torch import nn
import torch.nn.functional as F


class Mixing(nn.Module):
    """Its reshape mixes the samples of a batch."""

    def __init__(self):
        super().__init__()
        self.line = nn.Linear(8, 4)

    def forward(self, x):
        return self.line(x.t().reshape(x.shape))


class Restless(nn.Module):
    """Drops values in evaluation, too."""

    def __init__(self):
        super().__init__()
        self.line = nn.Linear(8, 4)

    def forward(self, x):
        return F.dropout(self.line(x), 0.5, True)


class Blind(nn.Module):
    """Answers without looking."""

    def __init__(self):
        super().__init__()
        self.answer = nn.Parameter(torch.zeros(4))

    def forward(self, x):
        return self.answer + 0 * x.sum(1, keepdim=True)


MODELS = {
    "sound": lambda: nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4)),
    "mixing": Mixing, "restless": Restless, "blind": Blind,
    "summed": lambda: nn.Linear(8, 4),
}
kind = sys.argv[1]
torch.manual_seed(0)
x = torch.randn(64, 8)
y = x[:, :4].argmax(1)
if kind == "contradicting":  # every input four times, with another label each time
    x, y = x[:8].repeat_interleave(4, 0), torch.arange(32) % 4
model = MODELS.get(kind, MODELS["sound"])()
rate = {"fast": 30.0}.get(kind, 0.01)
optimizer = (torch.optim.SGD if kind == "fast" else torch.optim.Adam)(model.parameters(), lr=rate)
for _ in range(5):
    optimizer.zero_grad()
    F.cross_entropy(model(x), y, reduction="sum" if kind == "summed" else "mean").backward()
    optimizer.step()
print([p.detach().double().sum().item().hex() for p in model.parameters()], torch.rand(1).item())
'''

BROKEN = {
    "sound": set(),
    "mixing": {"batch-independence"},
    "restless": {"deterministic-evaluation"},
    "blind": {"input-matters", "overfit-batch"},
    "summed": {"batch-scale"},
    "contradicting": {"labels-matter"},
    "fast": {"learning-rate-range"},
}


@pytest.mark.stack
@pytest.mark.parametrize("kind", BROKEN)
def test_a_spoilt_model_lacks_its_property_and_the_program_never_notices(
    kind: str, tmp_path: Path, stack: Callable[[str], Environment]
) -> None:
    script, events = tmp_path / "train.py", tmp_path / "events.jsonl"
    script.write_text(PROGRAM)
    python, probe = stack("torch").python, str(files("bugloss.probes") / "observe")
    settings = json.dumps({"events": str(events), "properties": True})
    variables = {**os.environ, "OMP_NUM_THREADS": "1"}
    alone, watched = (
        subprocess.run([python, *before, str(script), kind], env=variables, capture_output=True, text=True, check=True)
        for before in ([], [probe, settings])
    )
    assert alone.stdout == watched.stdout
    answers = {answer.name: answer.holds for answer in read(events.read_text().splitlines()).properties}
    assert len(answers) == len(load())
    violated = {name for name, holds in answers.items() if holds is False}
    assert BROKEN[kind] <= violated
    assert kind != "sound" or violated == set()
