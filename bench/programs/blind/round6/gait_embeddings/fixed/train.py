"""Contrastive pretraining on walking sensor windows, judged by a linear probe."""
import argparse
import math

import torch
from torch import nn
import torch.nn.functional as F

PERSONS = 8
STEPS = 48


def make_windows(n, generator):
    """Each person has an own cadence and harmonic mix; phase, gain and noise vary."""
    person = torch.randint(PERSONS, (n,), generator=generator)
    t = torch.arange(STEPS).float() / STEPS
    cadence = 2.0 + 0.5 * (person % 4).float()
    second = torch.where(person >= 4, 0.9, 0.1)
    phase = torch.rand(n, generator=generator) * 2 * math.pi
    base = 2 * math.pi * cadence[:, None] * t + phase[:, None]
    x = torch.sin(base) + second[:, None] * torch.sin(2 * base)
    x = x + 0.2 * torch.randn(n, STEPS, generator=generator)
    return x.unsqueeze(1), person


def augment(x):
    gain = torch.empty(len(x), 1, 1).uniform_(0.6, 1.4)
    shift = int(torch.randint(STEPS, (1,)))
    return gain * x.roll(shift, dims=-1) + 0.25 * torch.randn_like(x)


class Encoder(nn.Module):
    def __init__(self, dim=32, proj=16):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, 24, 9, padding=4), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(24, dim, 7, padding=3), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten())
        self.project = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, proj))

    def forward(self, x):
        return self.project(self.body(x))


def nt_xent(z1, z2, temperature):
    n = len(z1)
    z = F.normalize(torch.cat([z1, z2]), dim=1)
    sim = z @ z.t() / temperature
    sim = sim.masked_fill(torch.eye(2 * n, dtype=torch.bool), float("-inf"))
    target = (torch.arange(2 * n) + n) % (2 * n)
    return F.cross_entropy(sim, target)


def probe(encoder, train, test, steps=300):
    encoder.eval()
    with torch.no_grad():
        a, b = encoder.body(train[0]), encoder.body(test[0])
    mean, std = a.mean(0), a.std(0) + 1e-6
    a, b = (a - mean) / std, (b - mean) / std
    head = nn.Linear(a.size(1), PERSONS)
    optimizer = torch.optim.Adam(head.parameters(), lr=0.02)
    for _ in range(steps):
        optimizer.zero_grad()
        F.cross_entropy(head(a), train[1]).backward()
        optimizer.step()
    with torch.no_grad():
        return (head(b).argmax(1) == test[1]).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--temperature", type=float, default=0.2)
    args = parser.parse_args()
    torch.manual_seed(1)
    g = torch.Generator().manual_seed(1)
    unlabelled, _ = make_windows(3072, g)
    labelled, test = make_windows(160, g), make_windows(800, g)

    encoder = Encoder()
    print(f"probe accuracy before pretraining {probe(encoder, labelled, test):.3f}")
    optimizer = torch.optim.Adam(encoder.parameters(), lr=2e-3)
    for epoch in range(args.epochs):
        encoder.train()
        total = 0.0
        for idx in torch.randperm(len(unlabelled)).split(args.batch_size):
            x = unlabelled[idx]
            loss = nt_xent(encoder(augment(x)), encoder(augment(x)), args.temperature)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        print(f"epoch {epoch + 1:2d} contrastive loss {total / len(unlabelled):.4f}")
    print(f"probe accuracy after pretraining {probe(encoder, labelled, test):.3f}")


if __name__ == "__main__":
    main()
