"""Pretrain a small CNN on one set of glyphs, then reuse its features for another set."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def glyph_bank(n_classes, seed):
    rng = np.random.RandomState(seed)
    bank = []
    for _ in range(n_classes):
        g = np.zeros((12, 12))
        y, x = rng.randint(2, 10, 2)
        for _ in range(4):
            ty, tx = rng.randint(1, 11, 2)
            for s in np.linspace(0, 1, 24):
                g[int(round(y + s * (ty - y))), int(round(x + s * (tx - x)))] = 1
            y, x = ty, tx
        bank.append(g)
    return bank


def sample(bank, n, seed):
    rng = np.random.RandomState(seed)
    y = rng.randint(0, len(bank), n)
    x = rng.normal(0, 0.3, (n, 1, 20, 20))
    for i, k in enumerate(y):
        dy, dx = rng.randint(1, 8, 2)
        x[i, 0, dy:dy + 12, dx:dx + 12] += bank[k] * rng.uniform(0.7, 1.3)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y)


class Net(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.Flatten(),
            nn.Linear(64 * 25, 96), nn.ReLU())
        self.head = nn.Linear(96, n_classes)

    def forward(self, x):
        return self.head(self.body(x))


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


def fit(net, optimizer, train, val, epochs, tag, batch=50):
    x, y = train
    for epoch in range(epochs):
        net.train()
        total = 0.0
        perm = torch.randperm(len(x))
        for i in range(0, len(x), batch):
            b = perm[i:i + batch]
            loss = F.cross_entropy(net(x[b]), y[b])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(b)
        print(f"{tag} epoch {epoch + 1}: loss {total / len(x):.3f}, val acc {accuracy(net, *val):.3f}")


def finetune(net, n_classes, train, val):
    for p in net.body.parameters():
        p.requires_grad = False
    net.head = nn.Linear(net.head.in_features, n_classes)
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    fit(net, optimizer, train, val, epochs=20, tag="transfer")


def main():
    torch.manual_seed(1)
    source = glyph_bank(24, seed=100)
    net = Net(24)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    fit(net, optimizer, sample(source, 4000, 1), sample(source, 500, 2), epochs=7, tag="pretrain")

    target = glyph_bank(6, seed=200)
    finetune(net, 6, sample(target, 300, 3), sample(target, 500, 4))


if __name__ == "__main__":
    main()
