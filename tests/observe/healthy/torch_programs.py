"""Healthy PyTorch programs: what was recorded while they ran must raise no alarm.

Each is run by name, with the probe, in an environment that has PyTorch; the recording is kept beside this file::

    python src/bugloss/probes/observe '{"events": "classifier.jsonl"}' tests/observe/healthy/torch_programs.py classifier
    gzip -9n classifier.jsonl && mv classifier.jsonl.gz tests/observe/healthy/torch-classifier.jsonl.gz
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, TensorDataset

Loss = Callable[[Tensor, Tensor], Tensor]


def clusters(count: int = 800, width: int = 20, classes: int = 5, apart: float = 1.0) -> tuple[Tensor, Tensor]:
    centres = torch.randn(classes, width) * apart
    labels = torch.randint(0, classes, (count,))
    return centres[labels] + torch.randn(count, width), labels


def waves(count: int = 800) -> tuple[Tensor, Tensor]:
    inputs = torch.randn(count, 8)
    return inputs, torch.sin(inputs.sum(1, keepdim=True)) + 0.1 * torch.randn(count, 1)


def dense(width: int, outputs: int, *, hidden: int = 64, depth: int = 1, dropout: float = 0.0) -> nn.Sequential:
    layers: list[nn.Module] = []
    for _ in range(depth):
        layers += [nn.Linear(width, hidden), nn.ReLU()]
        if dropout:
            layers.append(nn.Dropout(dropout))
        width = hidden
    return nn.Sequential(*layers, nn.Linear(width, outputs))


def train(
    model: nn.Module,
    data: tuple[Tensor, Tensor],
    criterion: Loss,
    optimizer: torch.optim.Optimizer,
    *,
    epochs: int = 8,
    batch: int = 32,
) -> None:
    inputs, targets = data
    cut = len(inputs) * 4 // 5
    training = DataLoader(TensorDataset(inputs[:cut], targets[:cut]), batch_size=batch, shuffle=True)
    validation = DataLoader(TensorDataset(inputs[cut:], targets[cut:]), batch_size=64)
    for epoch in range(epochs):
        model.train()
        for batch_inputs, batch_targets in training:
            optimizer.zero_grad()
            criterion(model(batch_inputs), batch_targets).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            total = sum(criterion(model(some), others).item() for some, others in validation)
        print(epoch, total / len(validation))


def classifier() -> None:
    model = dense(20, 5)
    train(model, clusters(), nn.CrossEntropyLoss(), torch.optim.Adam(model.parameters(), lr=3e-3))


def hard_classifier() -> None:
    model = dense(20, 5)
    train(model, clusters(apart=0.35), nn.CrossEntropyLoss(), torch.optim.SGD(model.parameters(), lr=0.05))


def dropout_classifier() -> None:
    model = dense(20, 5, depth=2, dropout=0.5)
    train(model, clusters(apart=0.6), nn.CrossEntropyLoss(), torch.optim.Adam(model.parameters()), epochs=12)


def small_batches() -> None:
    model = dense(20, 5)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    train(model, clusters(300), nn.CrossEntropyLoss(), optimizer, epochs=4, batch=2)


def regression() -> None:
    model = dense(8, 1, depth=2)
    train(model, waves(), nn.MSELoss(), torch.optim.Adam(model.parameters(), lr=3e-3), epochs=20)


def raw_regression() -> None:
    inputs, targets = waves()
    model = dense(8, 1, depth=2)
    train(model, (inputs, targets * 50 + 200), nn.MSELoss(), torch.optim.Adam(model.parameters(), lr=1e-2), epochs=30)


def convolution() -> None:
    labels = torch.randint(0, 4, (500,))
    pictures = torch.randn(500, 1, 12, 12) * 0.5
    for picture, label in zip(pictures, labels.tolist(), strict=True):
        picture[0, 2 * label + 2 : 2 * label + 4] += 1.5
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(16 * 36, 4),
    )
    train(model, (pictures, labels), nn.CrossEntropyLoss(), torch.optim.Adam(model.parameters()), epochs=5)


def warm_up() -> None:
    model = dense(20, 5, depth=2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-2, total_steps=200)
    inputs, labels = clusters()
    for step in range(200):
        some = torch.randint(0, len(inputs), (32,))
        optimizer.zero_grad()
        functional.cross_entropy(model(inputs[some]), labels[some]).backward()
        optimizer.step()
        schedule.step()
        if step % 50 == 0:
            print(step, schedule.get_last_lr())


def adversaries() -> None:
    generator, critic = dense(4, 2, hidden=32), dense(2, 1, hidden=32)
    makes = torch.optim.Adam(generator.parameters(), lr=5e-4)
    judges = torch.optim.Adam(critic.parameters(), lr=5e-4)
    criterion = nn.BCEWithLogitsLoss()
    for _ in range(150):
        real, fake = torch.randn(64, 2) * 0.5 + 2, generator(torch.randn(64, 4))
        judges.zero_grad()
        verdict = criterion(critic(real), torch.ones(64, 1)) + criterion(critic(fake.detach()), torch.zeros(64, 1))
        verdict.backward()
        judges.step()
        makes.zero_grad()
        criterion(critic(fake), torch.ones(64, 1)).backward()
        makes.step()


def frozen_backbone() -> None:
    data = clusters()
    backbone = dense(20, 16, depth=2)
    for parameter in backbone.parameters():
        parameter.requires_grad = False
    head = nn.Linear(16, 5)
    model = nn.Sequential(backbone, nn.ReLU(), head)
    train(model, data, nn.CrossEntropyLoss(), torch.optim.Adam(head.parameters(), lr=3e-2), epochs=8)


if __name__ == "__main__":
    torch.manual_seed(0)
    torch.set_num_threads(1)
    globals()[sys.argv[1]]()
