"""``with bugloss.watch(model, optimizer)``: two lines of the user's that change nothing but what is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PROGRAM = """
import hashlib, sys, torch
from torch import nn
import torch.nn.functional as F
import bugloss

def train(watched, fails=None):
    torch.manual_seed(0)
    x = torch.randn(128, 8)
    y = (x[:, 0] + x[:, 1] > 0).long()
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    watch = bugloss.watch(model, optimizer, budget=5) if watched else None
    def loop():
        for number in range(30):
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
            if number == 20 and fails:
                raise fails
    try:
        if watch is None:
            loop()
        else:
            with watch:
                loop()
    except BaseException as error:
        assert error is fails
    return watch, hashlib.sha1(b"".join(v.numpy().tobytes() for v in model.state_dict().values())).hexdigest()

before = nn.Module.__call__
plain = train(False)[1]
for _ in range(2):
    watch, seen = train(True)
    print(json.dumps({"same": seen == plain, "off": nn.Module.__call__ is before}))
    tell(watch.folder)
for error in (ValueError("mine"), KeyboardInterrupt(), SystemExit(3)):
    tell(train(True, error)[0].folder)
"""


@pytest.mark.stack
@pytest.mark.slow
def test_a_stretch_of_training_is_watched(told: Callable[..., list[dict[str, Any]]]) -> None:
    first, once, second, twice, *failed = told("torch", PROGRAM)
    assert first == second == {"same": True, "off": True} and once["id"] != twice["id"]
    for run in (once, twice):
        assert (run["outcome"], run["steps"], run["optimizers"]) == ("finished", 30, ["Adam"])
        assert run["sampled"] and not run["failures"] and run["crash"] is None
    assert [(run["outcome"], run["steps"], run["crash"]) for run in failed] == [
        ("raised", 21, "mine"), ("interrupted", 21, None), ("exited", 21, None),
    ]  # fmt: skip
