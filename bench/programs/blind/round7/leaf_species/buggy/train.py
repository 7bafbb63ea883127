import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

SPECIES = ["maple", "oak", "birch", "willow", "elm"]


def draw_leaf(kind, rng, size=28):
    """Rough leaf silhouettes in polar coordinates, coloured and noisy."""
    yy, xx = np.mgrid[0:size, 0:size] / size - 0.5
    a = rng.uniform(-0.5, 0.5)
    u = xx * np.cos(a) + yy * np.sin(a) + rng.uniform(-0.06, 0.06)
    v = -xx * np.sin(a) + yy * np.cos(a) + rng.uniform(-0.06, 0.06)
    r, th = np.hypot(u, v), np.arctan2(v, u)
    base = rng.uniform(0.24, 0.32)
    edge = {
        0: base * (1 + 0.25 * np.cos(5 * th)),
        1: base * (1 + 0.18 * np.cos(8 * th)),
        2: base * np.ones_like(th),
        3: base * 0.8 / np.sqrt(np.cos(th) ** 2 * 0.5 + np.sin(th) ** 2 * 2.2),
        4: base * (1 + 0.25 * np.cos(3 * th)),
    }[kind]
    mask = (r < edge).astype(np.float32)
    green = np.array([0.2, 0.5, 0.15]) + rng.normal(0, 0.08, 3)
    img = mask[None] * green[:, None, None] + rng.normal(0, 0.16, (3, size, size))
    return img.astype(np.float32)


class Leaves(Dataset):
    def __init__(self, n, seed, flip=False):
        rng = np.random.default_rng(seed)
        self.labels = rng.integers(0, len(SPECIES), n)
        self.images = np.stack([draw_leaf(k, rng) for k in self.labels])
        self.flip = flip

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = torch.from_numpy(self.images[i])
        if self.flip and torch.rand(1).item() < 0.5:
            img = img.flip(-1)
        return img, int(self.labels[i])


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout),
                         nn.ReLU(), nn.MaxPool2d(2))


class LeafNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(block(3, 16), block(16, 32))
        self.classifier = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.5), nn.Linear(32 * 7 * 7, 128), nn.ReLU(),
            nn.Dropout(0.5), nn.Linear(128, len(SPECIES)))

    def forward(self, x):
        return self.classifier(self.features(x))


class Trainer:
    def __init__(self, model, train_loader, val_loader, lr=1e-3):
        self.model = model
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def train_epoch(self):
        self.model.train()
        total, correct, n = 0.0, 0, 0
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            out = self.model(x)
            loss = self.criterion(out, y)
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(y)
            correct += (out.argmax(1) == y).sum().item()
            n += len(y)
        return total / n, correct / n

    @torch.no_grad()
    def validate(self):
        total, correct, n = 0.0, 0, 0
        for x, y in self.val_loader:
            out = self.model(x)
            total += self.criterion(out, y).item() * len(y)
            correct += (out.argmax(1) == y).sum().item()
            n += len(y)
        return total / n, correct / n

    def fit(self, epochs):
        for e in range(epochs):
            tl, ta = self.train_epoch()
            vl, va = self.validate()
            print(f"epoch {e + 1:2d} | train loss {tl:.3f} acc {ta:.3f} | val loss {vl:.3f} acc {va:.3f}")


if __name__ == "__main__":
    torch.manual_seed(42)
    train = DataLoader(Leaves(700, seed=0, flip=True), batch_size=32, shuffle=True)
    val = DataLoader(Leaves(400, seed=1), batch_size=100)
    Trainer(LeafNet(), train, val).fit(epochs=20)
