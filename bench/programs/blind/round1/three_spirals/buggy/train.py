import argparse

import numpy as np
import torch
from torch import nn


class Spirals:
    """Three interleaved spiral arms, one class per arm."""

    def __init__(self, per_arm, seed, noise=0.08):
        rng = np.random.default_rng(seed)
        points, labels = [], []
        for arm in range(3):
            radius = np.sqrt(rng.uniform(0.05, 1.0, per_arm))
            angle = arm * 2 * np.pi / 3 + radius * 4.0 + rng.normal(0, noise, per_arm)
            points.append(np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1))
            labels.append(np.full(per_arm, arm))
        self.x = torch.tensor(np.concatenate(points), dtype=torch.float32) * 1.7
        self.y = torch.tensor(np.concatenate(labels))


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        layers = []
        for a, b in zip(sizes[:-2], sizes[1:-1]):
            layers += [nn.Linear(a, b), nn.ReLU()]
        layers.append(nn.Linear(sizes[-2], sizes[-1]))
        self.net = nn.Sequential(*layers)
        self.apply(self.reset)

    @staticmethod
    def reset(module):
        if isinstance(module, nn.Linear):
            nn.init.constant_(module.weight, 0.1)
            nn.init.zeros_(module.bias)

    def forward(self, x):
        return self.net(x)


class Trainer:
    def __init__(self, model, lr, batch_size):
        self.model = model
        self.batch_size = batch_size
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.loss = nn.CrossEntropyLoss()

    def fit_epoch(self, data):
        total = 0.0
        for ids in torch.randperm(len(data.y)).split(self.batch_size):
            self.optimizer.zero_grad()
            loss = self.loss(self.model(data.x[ids]), data.y[ids])
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(ids)
        return total / len(data.y)

    @torch.no_grad()
    def accuracy(self, data):
        return (self.model(data.x).argmax(1) == data.y).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--hidden", type=int, nargs="+", default=[64, 64])
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    train, val = Spirals(500, args.seed), Spirals(150, args.seed + 1)
    trainer = Trainer(MLP([2, *args.hidden, 3]), args.lr, batch_size=50)
    for epoch in range(1, args.epochs + 1):
        loss = trainer.fit_epoch(train)
        if epoch % 5 == 0:
            print(f"epoch {epoch:3d} loss {loss:.4f} val acc {trainer.accuracy(val):.3f}")


if __name__ == "__main__":
    main()
