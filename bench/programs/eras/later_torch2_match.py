"""A network chosen by name."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(slots=True)
class Config:
    kind: str = "mlp"
    width: int = 16


def build(config: Config) -> nn.Module:
    match config.kind:
        case "mlp":
            return nn.Sequential(nn.Linear(4, config.width), nn.ReLU(), nn.Linear(config.width, 2))
        case other:
            raise ValueError(f"unknown kind {other}")


def train(model: nn.Module, steps: int | None = None) -> Tensor:
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(steps or 10):
        x = torch.randn(32, 4)
        loss = nn.functional.cross_entropy(model(x), (x.sum(1) > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss


print(train(build(Config())))
